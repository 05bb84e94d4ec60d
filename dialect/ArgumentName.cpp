//===- ArgumentName.cpp - what a program calls its arguments --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/ArgumentName.h"

#include "shape/TakesText.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace broadloom;

/// Metadata of a location. Input programs have none of this form.
static constexpr llvm::StringLiteral kName = "broadloom.argument";

void loom::setArgumentName(BlockArgument argument, StringRef name) {
  Builder builder(argument.getContext());
  auto metadata = builder.getDictionaryAttr(
      builder.getNamedAttr(kName, builder.getStringAttr(name)));
  argument.setLoc(
      FusedLoc::get({argument.getLoc()}, metadata, builder.getContext()));
}

StringRef loom::getArgumentName(BlockArgument argument) {
  auto fused = dyn_cast<FusedLoc>(argument.getLoc());
  auto metadata =
      fused ? dyn_cast_or_null<DictionaryAttr>(fused.getMetadata()) : nullptr;
  auto name = metadata ? metadata.getAs<StringAttr>(kName) : nullptr;
  return name ? name.getValue() : StringRef();
}

std::string loom::getArgumentText(BlockArgument argument) {
  return argumentText(argument.getArgNumber(), getArgumentName(argument));
}
