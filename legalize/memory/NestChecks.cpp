//===- NestChecks.cpp - a loop nest with its checks alone -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/NestChecks.h"

#include "dialect/CheckedAxes.h"
#include "dialect/MemoryFunction.h"
#include "infer/functions/Origin.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IntegerSet.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

NestChecks::NestChecks(OpBuilder &builder, Operation *nest,
                       ArrayRef<CheckedAccess> accesses)
    : b(builder), nest(nest) {
  for (const CheckedAccess &access : accesses) {
    if (!access.axes.empty())
      axes[access.op] = access.axes;
    for (Operation *op = access.op; op != nest; op = op->getParentOp())
      needed.insert(op);
  }
}

void NestChecks::emit(const Bounds &bounds) { repeatLoop(nest, bounds); }

/// The value that `value` has in the loops that are made.
Value NestChecks::map(Value value) {
  if (Value mapped = mapping.lookupOrNull(value))
    return mapped;
  Operation *op = value.getDefiningOp();
  if (!op || !nest->isAncestor(op))
    return value;
  Value mapped = repeatNumber(op);
  mapping.map(value, mapped);
  made.push_back(value);
  return mapped;
}

/// What a map has among its operands but does not use, nobody has read.
SmallVector<Value> NestChecks::mapUsed(AffineMap map, ValueRange operands) {
  SmallVector<Value> mapped;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    mapped.push_back(isUsed(map, i) ? this->map(operand)
                                    : arith::ConstantIndexOp::create(
                                          b, operand.getLoc(), 0));
  }
  return mapped;
}

template <typename Choice>
static Value choose(OpBuilder &b, Operation *op, AffineMap map,
                    ValueRange operands) {
  Value chosen;
  for (Value value : computeResults(b, op, map, operands))
    chosen =
        chosen ? Value(Choice::create(b, op->getLoc(), chosen, value)) : value;
  return chosen;
}

/// The result of an operation that NestNumbers has read.
Value NestChecks::repeatNumber(Operation *op) {
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return computeResult(b, op, apply.getAffineMap(), 0,
                         mapUsed(apply.getAffineMap(), apply.getMapOperands()));
  if (auto least = dyn_cast<affine::AffineMinOp>(op))
    return choose<arith::MinSIOp>(b, op, least.getMap(),
                                  mapUsed(least.getMap(), least.getOperands()));
  if (auto greatest = dyn_cast<affine::AffineMaxOp>(op))
    return choose<arith::MaxSIOp>(
        b, op, greatest.getMap(),
        mapUsed(greatest.getMap(), greatest.getOperands()));
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    // The memory may be made in the nest.
    auto type = cast<MemRefType>(dim.getSource().getType());
    if (int64_t axis = *dim.getConstantIndex(); !type.isDynamicDim(axis))
      return arith::ConstantIndexOp::create(b, op->getLoc(),
                                            type.getDimSize(axis));
  }
  for (Value operand : op->getOperands())
    if (Value mapped = map(operand); mapped != operand)
      mapping.map(operand, mapped);
  return b.clone(*op, mapping)->getResult(0);
}

NestChecks::Bounds NestChecks::getBounds(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return {map(loop.getLowerBound()), map(loop.getUpperBound()),
            map(loop.getStep())};
  auto loop = cast<affine::AffineForOp>(op);
  return {
      choose<arith::MaxSIOp>(
          b, loop, loop.getLowerBoundMap(),
          mapUsed(loop.getLowerBoundMap(), loop.getLowerBoundOperands())),
      choose<arith::MinSIOp>(
          b, loop, loop.getUpperBoundMap(),
          mapUsed(loop.getUpperBoundMap(), loop.getUpperBoundOperands())),
      arith::ConstantIndexOp::create(b, loop.getLoc(), loop.getStepAsInt())};
}

void NestChecks::repeatLoop(Operation *loop, const Bounds &bounds) {
  auto made = scf::ForOp::create(b, loop->getLoc(), bounds.lower, bounds.upper,
                                 bounds.step);
  infer::takeOrigin(made, loop);
  // Messages name the variable by its location.
  BlockArgument variable = loop->getRegion(0).getArgument(0);
  made.getInductionVar().setLoc(variable.getLoc());
  mapping.map(variable, made.getInductionVar());
  repeatBlock(loop->getRegion(0).front(), *made.getBody());
}

static AffineMap getMap(IntegerSet set) {
  return AffineMap::get(set.getNumDims(), set.getNumSymbols(),
                        set.getConstraints(), set.getContext());
}

Value NestChecks::computeCondition(OpBuilder &b, affine::AffineIfOp branch,
                                   ValueRange operands) {
  IntegerSet set = branch.getIntegerSet();
  Location loc = branch.getLoc();
  Value zero = arith::ConstantIndexOp::create(b, loc, 0), all;
  for (auto [value, isEqual] :
       llvm::zip_equal(computeResults(b, branch, getMap(set), operands),
                       set.getEqFlags())) {
    Value holds = arith::CmpIOp::create(
        b, loc, isEqual ? arith::CmpIPredicate::eq : arith::CmpIPredicate::sge,
        value, zero);
    all = all ? Value(arith::AndIOp::create(b, loc, all, holds)) : holds;
  }
  return all ? all : Value(arith::ConstantIntOp::create(b, loc, 1, 1));
}

void NestChecks::repeatBranch(Operation *branch) {
  auto ofAffine = dyn_cast<affine::AffineIfOp>(branch);
  Value condition =
      ofAffine ? computeCondition(b, ofAffine,
                                  mapUsed(getMap(ofAffine.getIntegerSet()),
                                          branch->getOperands()))
               : map(cast<scf::IfOp>(branch).getCondition());
  Region &elseRegion = branch->getRegion(1);
  bool hasElse = !elseRegion.empty() &&
                 llvm::any_of(elseRegion.front(), [&](Operation &op) {
                   return needed.contains(&op);
                 });
  auto made = scf::IfOp::create(b, branch->getLoc(), condition, hasElse);
  infer::takeOrigin(made, branch);
  repeatBlock(branch->getRegion(0).front(), *made.thenBlock());
  if (hasElse)
    repeatBlock(elseRegion.front(), *made.elseBlock());
}

void NestChecks::repeat(Operation *op) {
  if (NestReader::isLoop(op))
    return repeatLoop(op, getBounds(op));
  if (NestReader::isBranch(op))
    return repeatBranch(op);
  if (isa<memref::SubViewOp>(op)) {
    // Operands are mapped in the order of their computation.
    for (Value operand : op->getOperands())
      if (Value mapped = map(operand); mapped != operand)
        mapping.map(operand, mapped);
    Operation *made = b.clone(*op, mapping);
    made->setAttr(loom::kCheckOnly, b.getUnitAttr());
    made->removeAttr(loom::kChecked);
    return;
  }
  repeatAccess(op);
}

/// Along axes that are not checked, the index is 0, and has no check either.
void NestChecks::repeatAccess(Operation *op) {
  auto [memory, map, operands] = MemoryAccess::get(op);
  SmallVector<int64_t> unchecked;
  if (ArrayRef<unsigned> checked = axes.lookup(op); !checked.empty()) {
    SmallVector<AffineExpr> indices(map.getResults());
    for (auto [axis, index] : llvm::enumerate(indices))
      if (!llvm::is_contained(checked, axis)) {
        unchecked.push_back(axis);
        index = b.getAffineConstantExpr(0);
      }
    map = AffineMap::get(map.getNumDims(), map.getNumSymbols(), indices,
                         b.getContext());
  }
  auto made = memref::LoadOp::create(
      b, op->getLoc(), memory,
      computeResults(b, op, map, mapUsed(map, operands)));
  infer::takeOrigin(made, op);
  made->setAttr(loom::kCheckOnly, b.getUnitAttr());
  if (!unchecked.empty())
    made->setAttr(loom::kCheckedAxes, b.getDenseI64ArrayAttr(unchecked));
}

void NestChecks::repeatBlock(Block &from, Block &to) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&to);
  size_t numBefore = made.size();
  SmallVector<MemoryAccess> repeated;
  for (Operation &op : from) {
    if (!needed.contains(&op))
      continue;
    if (MemoryAccess::isAccess(&op)) {
      MemoryAccess access = MemoryAccess::get(&op);
      if (llvm::is_contained(repeated, access))
        continue;
      repeated.push_back(access);
    }
    repeat(&op);
  }
  // Another block needs numbers of its own.
  for (; made.size() > numBefore; made.pop_back())
    mapping.erase(made.back());
}
