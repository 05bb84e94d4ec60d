//===- MovedBounds.cpp - bounds in front of loops -------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/schedule/MovedBounds.h"

#include "codegen/memory/MovableValues.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

Value MovedBounds::compute(Value value, unsigned depth) {
  constexpr unsigned kMostDepth = 128;
  if (!outermost->isAncestor(value.getParentRegion()->getParentOp()))
    return value;
  if (Value known = mapping.lookupOrNull(value))
    return known;
  if (auto variable = dyn_cast<BlockArgument>(value)) {
    missing = variable;
    return nullptr;
  }
  Operation *op = value.getDefiningOp();
  if (depth == kMostDepth || !isMovable(*op) || !isSpeculatable(op)) {
    fixed = op;
    return nullptr;
  }
  for (Value operand : getUsedOperands(op)) {
    Value computed = compute(operand, depth + 1);
    if (!computed)
      return nullptr;
  }
  cloneUsed(b, op, mapping);
  return mapping.lookup(value);
}
