//===- LoomSort.cpp - elements in order -----------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/FloatElements.h"
#include "dialect/LoomDialect.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace broadloom::loom;

/// Whether the runtime can sort the elements.
static bool isOrdered(Type element) {
  if (auto integer = dyn_cast<IntegerType>(element))
    return llvm::is_contained({1, 8, 16, 32, 64}, integer.getWidth());
  return element.isIndex() || broadloom::isFloatElement(element);
}

LogicalResult SortOp::verify() {
  SmallVector<ShapedType, 3> types;
  for (Value operand : getOperands()) {
    auto type = dyn_cast<ShapedType>(operand.getType());
    if (!type || !type.hasRank())
      return emitOpError("operand of type ")
             << operand.getType() << "; it takes ranked tensors";
    types.push_back(type);
  }
  int64_t rank = types[0].getRank();
  if (int64_t(getAxis()) >= rank)
    return emitOpError("has axis ")
           << getAxis() << ", but the source has rank " << rank;
  for (ShapedType type : ArrayRef(types).drop_front())
    if (type.getRank() != rank)
      return emitOpError("has a source of rank ")
             << rank << " and a destination of type " << type
             << "; all have the source's rank";
  Type element = types[0].getElementType();
  if (!isOrdered(element))
    return emitOpError("does not order elements of type ") << element;
  if (types[1].getElementType() != element)
    return emitOpError("has elements of type ")
           << element << " and a destination for " << types[1].getElementType();
  if (!types[2].getElementType().isInteger(64))
    return emitOpError("has indices of type ")
           << types[2].getElementType() << "; they are i64";
  return success();
}

void SortOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getOperation()->getOpOperands()) {
    if (!isa<BaseMemRefType>(operand.get().getType()))
      continue;
    if (operand.getOperandNumber() == 0)
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
    else
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}
