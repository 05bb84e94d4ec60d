//===- OperationNumber.cpp - which operation it was -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/report/OperationNumber.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace broadloom;

/// Input programs have no metadata of this form.
static constexpr llvm::StringLiteral kNumber = "broadloom.index";
static constexpr llvm::StringLiteral kName = "broadloom.name";

void infer::setOperationNumber(Operation *op, int64_t number) {
  Builder builder(op->getContext());
  NamedAttribute metadata[] = {
      builder.getNamedAttr(kNumber, builder.getI64IntegerAttr(number)),
      builder.getNamedAttr(kName, op->getName().getIdentifier())};
  op->setLoc(FusedLoc::get({op->getLoc()}, builder.getDictionaryAttr(metadata),
                           op->getContext()));
}

void infer::numberOperations(Operation *root) {
  int64_t number = 0;
  root->walk<WalkOrder::PreOrder>(
      [&](Operation *op) { setOperationNumber(op, number++); });
}

/// The value under `name` in the outermost metadata of this form.
template <typename T> static T getMetadata(Location location, StringRef name) {
  T found;
  location->walk([&](Location part) {
    auto fused = dyn_cast<FusedLoc>(part);
    auto metadata =
        fused ? dyn_cast_or_null<DictionaryAttr>(fused.getMetadata()) : nullptr;
    if (metadata)
      found = metadata.getAs<T>(name);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return found;
}

int64_t infer::getOperationNumber(Location location) {
  auto number = getMetadata<IntegerAttr>(location, kNumber);
  return number ? number.getInt() : kNoOperationNumber;
}

StringRef infer::getOriginalName(Operation *op) {
  auto name = getMetadata<StringAttr>(op->getLoc(), kName);
  return name ? name.getValue() : op->getName().getStringRef();
}
