//===- SameShapes.cpp - which operands have a map's own shape -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/analysis/SameShapes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

void SameShapes::record(loom::MapOp map, ShapeAnalysis &analysis) {
  ShapeInfo own = analysis.getInfo(map.getResult(0));
  SmallVector<bool, 4> &same = operands[map];
  same.clear();
  for (Value operand : map.getInputs())
    same.push_back(
        isa_and_nonnull<loom::MapOp, tensor::CastOp>(operand.getDefiningOp()) &&
        analysis.areEqual(analysis.getInfo(operand), own));
}

bool SameShapes::isSame(OpOperand &operand) const {
  auto map = dyn_cast<loom::MapOp>(operand.getOwner());
  if (!map)
    return false;
  auto type = dyn_cast<RankedTensorType>(operand.get().getType());
  auto result = dyn_cast<RankedTensorType>(map.getResult(0).getType());
  if (type && result && type.hasStaticShape() &&
      type.getShape() == result.getShape())
    return true;
  auto it = operands.find(map);
  return it != operands.end() && it->second[operand.getOperandNumber()];
}
