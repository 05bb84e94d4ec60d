//===- ArgumentName.cpp - what a program calls its values -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/ArgumentName.h"

#include "shape/TakesText.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace broadloom;

/// Metadata of locations. Input programs have none of this form.
static constexpr llvm::StringLiteral kName = "broadloom.argument",
                                     kResult = "broadloom.result",
                                     kOperation = "broadloom.of";

static Location addMetadata(Location location,
                            ArrayRef<NamedAttribute> metadata) {
  MLIRContext *context = location.getContext();
  return FusedLoc::get({location}, DictionaryAttr::get(context, metadata),
                       context);
}

static DictionaryAttr getMetadata(Location location) {
  auto fused = dyn_cast<FusedLoc>(location);
  return fused ? dyn_cast_or_null<DictionaryAttr>(fused.getMetadata())
               : nullptr;
}

void loom::setArgumentName(BlockArgument argument, StringRef name) {
  Builder b(argument.getContext());
  argument.setLoc(addMetadata(argument.getLoc(),
                              b.getNamedAttr(kName, b.getStringAttr(name))));
}

StringRef loom::getArgumentName(BlockArgument argument) {
  DictionaryAttr metadata = getMetadata(argument.getLoc());
  auto name = metadata ? metadata.getAs<StringAttr>(kName) : nullptr;
  return name ? name.getValue() : StringRef();
}

void loom::setResultName(Operation *op, StringRef name) {
  Builder b(op->getContext());
  NamedAttribute metadata[] = {
      b.getNamedAttr(kOperation, op->getName().getIdentifier()),
      b.getNamedAttr(kResult, b.getStringAttr(name))};
  op->setLoc(addMetadata(op->getLoc(), metadata));
}

/// What replaces an operation has its location, but is another operation.
static StringRef getResultName(Operation *op) {
  StringRef found;
  if (op->getNumResults() == 1)
    op->getLoc()->walk([&](Location part) {
      DictionaryAttr metadata = getMetadata(part);
      auto name = metadata ? metadata.getAs<StringAttr>(kResult) : nullptr;
      if (name && metadata.get(kOperation) == op->getName().getIdentifier())
        found = name.getValue();
      return name ? WalkResult::interrupt() : WalkResult::advance();
    });
  return found;
}

std::string loom::getValueName(Value value) {
  StringRef name;
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    bool isOfFunction = argument.getOwner()->isEntryBlock() &&
                        isa_and_nonnull<FunctionOpInterface>(
                            argument.getOwner()->getParentOp());
    name = isOfFunction ? StringRef() : getArgumentName(argument);
  } else {
    name = getResultName(value.getDefiningOp());
  }
  return name.empty() ? "" : "%" + name.str();
}

std::string loom::getArgumentText(BlockArgument argument) {
  return argumentText(argument.getArgNumber(), getArgumentName(argument));
}
