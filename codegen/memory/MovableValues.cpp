//===- MovableValues.cpp - what computes a number in loops ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/memory/MovableValues.h"
#include "legalize/memory/MemoryAccess.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// Whether the operation divides by a number that is at least 1.
static bool dividesSafely(Operation &op) {
  if (!isa<arith::RemSIOp, arith::DivSIOp>(op))
    return false;
  auto divisor = op.getOperand(1).getDefiningOp<arith::MaxSIOp>();
  return divisor && getConstantIntValue(divisor.getRhs()).value_or(0) >= 1;
}

bool codegen::isMovable(Operation &op) {
  return op.getNumRegions() == 0 && (isPure(&op) || dividesSafely(op));
}

Value codegen::withoutIdentity(Value value) {
  while (auto apply = value.getDefiningOp<affine::AffineApplyOp>()) {
    AffineExpr result = apply.getAffineMap().getResult(0);
    unsigned numDims = apply.getAffineMap().getNumDims();
    if (auto dim = dyn_cast<AffineDimExpr>(result))
      value = apply.getOperand(dim.getPosition());
    else if (auto symbol = dyn_cast<AffineSymbolExpr>(result))
      value = apply.getOperand(numDims + symbol.getPosition());
    else
      break;
  }
  return value;
}

namespace {
/// Compares what values are computed of.
class SameValues {
public:
  bool areSame(ValueRange xs, ValueRange ys) {
    return llvm::equal(xs, ys, [&](Value x, Value y) { return isSame(x, y); });
  }

private:
  bool isSame(Value x, Value y) {
    x = withoutIdentity(x);
    y = withoutIdentity(y);
    if (x == y)
      return true;
    Operation *a = x.getDefiningOp(), *b = y.getDefiningOp();
    if (!a || !b || !isMovable(*a) || a->getNumResults() != 1)
      return false;
    auto [found, isNew] = known.try_emplace({x, y}, false);
    if (!isNew)
      return found->second;
    // What passes note at operations tells nothing of values.
    return known[{x, y}] =
               a->getName() == b->getName() &&
               a->getResultTypes() == b->getResultTypes() &&
               a->getName().compareOpProperties(a->getPropertiesStorage(),
                                                b->getPropertiesStorage()) &&
               areSame(a->getOperands(), b->getOperands());
  }

  llvm::DenseMap<std::pair<Value, Value>, bool> known;
};
} // namespace

bool codegen::areSame(ValueRange xs, ValueRange ys) {
  return SameValues().areSame(xs, ys);
}

AffineMap codegen::getMap(Operation *op) {
  return TypeSwitch<Operation *, AffineMap>(op)
      .Case<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(
          [](auto affine) { return affine.getMap(); })
      .Default([](Operation *) { return AffineMap(); });
}

SmallVector<Value> codegen::getUsedOperands(Operation *op) {
  AffineMap map = getMap(op);
  SmallVector<Value> used;
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    if (!map || legalize::isUsed(map, i))
      used.push_back(operand);
  return used;
}

Operation *codegen::cloneUsed(OpBuilder &b, Operation *op, IRMapping &mapping) {
  Operation *made = b.clone(*op, mapping);
  if (getUsedOperands(op).size() == op->getNumOperands())
    return made;
  TypeSwitch<Operation *>(made)
      .Case<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(
          [](auto affine) {
            AffineMap map = affine.getMap();
            SmallVector<Value> operands(affine->getOperands());
            affine::canonicalizeMapAndOperands(&map, &operands);
            affine.setMap(map);
            affine->setOperands(operands);
          });
  return made;
}

bool codegen::findVariables(Value value, scf::ForOp root,
                            SmallVectorImpl<Value> &variables) {
  SetVector<Value> values;
  values.insert(value);
  for (size_t i = 0; i < values.size(); ++i) {
    Value next = values[i];
    if (root.isDefinedOutsideOfLoop(next))
      continue;
    Operation *op = next.getDefiningOp();
    if (!op)
      variables.push_back(next);
    else if (!isMovable(*op))
      return false;
    else
      values.insert_range(getUsedOperands(op));
  }
  return true;
}

Value codegen::compute(OpBuilder &b, Value value, scf::ForOp root,
                       IRMapping &mapping) {
  if (root.isDefinedOutsideOfLoop(value))
    return value;
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  for (Value operand : getUsedOperands(op))
    mapping.map(operand, compute(b, operand, root, mapping));
  cloneUsed(b, op, mapping);
  return mapping.lookup(value);
}
