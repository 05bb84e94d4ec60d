//===- BroadcastableOpInterface.cpp - element-wise operations -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/BroadcastableOpInterface.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace broadloom;

#include "dialect/BroadcastableOpInterface.cpp.inc"

Type broadloom::getScalarType(Type elementType) {
  if (auto integer = dyn_cast<IntegerType>(elementType))
    return IntegerType::get(integer.getContext(), integer.getWidth());
  return elementType;
}

SmallVector<unsigned> broadloom::allOperands(Operation *op) {
  return llvm::to_vector(llvm::seq<unsigned>(0, op->getNumOperands()));
}

SmallVector<unsigned> BroadcastableOpInterface::getScalarOperands() {
  SmallVector<unsigned> broadcast = getBroadcastOperands();
  SmallVector<unsigned> scalars;
  for (unsigned i : llvm::seq<unsigned>(0, getOperation()->getNumOperands()))
    if (!llvm::is_contained(broadcast, i))
      scalars.push_back(i);
  return scalars;
}

LogicalResult broadloom::verifyElementwiseStructure(Operation *op) {
  if (op->getNumRegions() != 0 || op->getNumSuccessors() != 0)
    return op->emitOpError("has ")
           << op->getNumRegions() << " regions and " << op->getNumSuccessors()
           << " successors, but an element-wise operation has none";
  if (op->getNumOperands() == 0)
    return op->emitOpError("has no operands, but needs at least one");
  if (op->getNumResults() != 1)
    return op->emitOpError("has ")
           << op->getNumResults() << " results, but needs exactly one";
  for (auto [i, type] : llvm::enumerate(op->getOperandTypes()))
    if (!isa<RankedTensorType, UnrankedTensorType>(type))
      return op->emitOpError("operand ")
             << i << " has type " << type << ", which is not a tensor";
  Type result = op->getResult(0).getType();
  if (!isa<RankedTensorType, UnrankedTensorType>(result))
    return op->emitOpError("result has type ")
           << result << ", which is not a tensor";
  return success();
}
