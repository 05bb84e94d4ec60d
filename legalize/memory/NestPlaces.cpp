//===- NestPlaces.cpp - where the guards of loop nests stand --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/NestPlaces.h"

#include "dialect/LoomDialect.h"
#include "infer/numbers/IntegerArithmetic.h"
#include "legalize/memory/NestChecks.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

//===----------------------------------------------------------------------===//
// What a function has
//===----------------------------------------------------------------------===//

bool legalize::mayWrite(Operation &op) {
  if (isa<cf::AssertOp>(op))
    return false;
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(&op);
  return !effects || llvm::any_of(*effects, [](const auto &effect) {
    return !isa<MemoryEffects::Read>(effect.getEffect()) &&
           !isa<loom::FailureResource>(effect.getResource());
  });
}

static bool isAllocation(Operation *op) {
  return isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(op);
}

NestPlaces::NestPlaces(func::FuncOp func, bool hasChecks)
    : entry(func.getBody().front()), hasChecks(hasChecks) {
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    unsigned number = numbers.size() + 1;
    numbers[op] = number;
    if (isa<memref::DeallocOp, CallOpInterface>(op))
      frees.push_back(number);
    if (unsigned origin = computeOrigin(op); origin != kNever)
      origins[op] = origin;
  });
  Operation *next = entry.getTerminator();
  for (Operation &op : llvm::reverse(entry)) {
    if (isAllocation(&op))
      points[numbers.lookup(&op)] = next;
    if (mayWrite(op))
      next = &op;
  }
  points[kEntry] = next;
}

/// Whether `op` is a division or remainder that fails for some operands, which
/// MLIR takes for pure in part.
static bool mayFail(Operation *op) {
  std::optional<infer::IntegerOperation> operation =
      infer::getIntegerOperation(op);
  if (!operation || !operation->isDivision())
    return false;
  APInt divisor;
  return !matchPattern(op->getOperand(1), m_ConstantInt(&divisor)) ||
         divisor.isZero() || (!operation->isUnsigned && divisor.isAllOnes());
}

/// Whether `op` computes the same wherever its operands are known, and cannot
/// fail where a call may not reach it, or where its check stays behind.
static bool canMove(Operation *op, bool isReached, bool isChecked) {
  if (op->getNumRegions() != 0 || op->getNumResults() == 0 || !isPure(op) ||
      ((!isReached || isChecked) && mayFail(op)))
    return false;
  if (isa<arith::ArithDialect, index::IndexDialect, math::MathDialect>(
          op->getDialect()))
    return true;
  if (isReached && !isChecked)
    return isa<affine::AffineDialect, memref::MemRefDialect>(op->getDialect());
  auto isPlain = [](AffineMap map) {
    return llvm::all_of(map.getResults(),
                        [](AffineExpr expr) { return expr.isPureAffine(); });
  };
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return isPlain(apply.getAffineMap());
  if (auto least = dyn_cast<affine::AffineMinOp>(op))
    return isPlain(least.getMap());
  if (auto greatest = dyn_cast<affine::AffineMaxOp>(op))
    return isPlain(greatest.getMap());
  return isa<memref::DimOp, memref::GetGlobalOp>(op);
}

unsigned NestPlaces::computeOrigin(Operation *op) const {
  bool isReached = op->getBlock() == &entry;
  if (isReached && isAllocation(op))
    return numbers.lookup(op);
  if (!canMove(op, isReached, hasChecks))
    return kNever;
  unsigned latest = kEntry;
  for (Value operand : op->getOperands())
    latest = std::max(latest, getOrigin(operand));
  return latest;
}

unsigned NestPlaces::getOrigin(Value value) const {
  Operation *op = value.getDefiningOp();
  if (!op)
    return cast<BlockArgument>(value).getOwner() == &entry ? kEntry : kNever;
  auto it = origins.find(op);
  return it == origins.end() ? kNever : it->second;
}

//===----------------------------------------------------------------------===//
// The place of a guard
//===----------------------------------------------------------------------===//

/// Adds what `op`, on the way from a nest to an access, is computed from; of an
/// access, its subscripts along these axes, or all if there are none.
static void addOperands(Operation *op, SmallVectorImpl<Value> &values,
                        ArrayRef<unsigned> axes = {}) {
  if (auto loop = dyn_cast<scf::ForOp>(op))
    values.append({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
  else if (auto loop = dyn_cast<affine::AffineForOp>(op)) {
    llvm::append_range(values, loop.getLowerBoundOperands());
    llvm::append_range(values, loop.getUpperBoundOperands());
  } else if (MemoryAccess::isAccess(op)) {
    MemoryAccess access = MemoryAccess::get(op);
    values.push_back(access.memory);
    llvm::append_range(values, access.getOperandsOf(axes));
  } else
    llvm::append_range(values, op->getOperands());
}

/// The values in front of `nest` that the checks of the accesses need.
static SmallVector<Value> findNeeded(Operation *nest,
                                     ArrayRef<CheckedAccess> accesses) {
  SmallVector<Value> values, needed;
  llvm::DenseSet<Operation *> seen;
  for (const CheckedAccess &access : accesses)
    for (Operation *op = access.op; seen.insert(op).second;
         op = op->getParentOp()) {
      addOperands(op, values, access.axes);
      if (op == nest)
        break;
    }
  llvm::DenseSet<Value> known;
  while (!values.empty()) {
    Value value = values.pop_back_val();
    if (!known.insert(value).second)
      continue;
    if (!nest->isAncestor(value.getParentRegion()->getParentOp()))
      needed.push_back(value);
    else if (Operation *op = value.getDefiningOp())
      addOperands(op, values);
  }
  return needed;
}

/// The first operation that may write behind `origin`, but none behind `top`.
Operation *NestPlaces::getPoint(unsigned origin, Operation *top) const {
  Operation *point = points.lookup(origin);
  return numbers.lookup(point) < numbers.lookup(top) ? point : top;
}

bool NestPlaces::mayFree(unsigned origin, Operation *top) const {
  auto it = llvm::upper_bound(frees, origin);
  return it != frees.end() && *it < numbers.lookup(top);
}

std::optional<NestPlaces::Place>
NestPlaces::find(Operation *nest, ArrayRef<CheckedAccess> accesses) const {
  if (llvm::none_of(accesses, [](const CheckedAccess &access) {
        return access.hasGuard();
      }))
    return std::nullopt;
  std::optional<Place> place = find(nest, findNeeded(nest, accesses));
  return place && place->point == nest ? std::nullopt : std::move(place);
}

std::optional<NestPlaces::Place>
NestPlaces::find(Operation *op, SmallVector<Value> needed) const {
  Operation *top = entry.findAncestorOpInBlock(*op);
  if (!top)
    return std::nullopt;
  Place place;
  place.top = top;
  place.needed = std::move(needed);
  for (Operation *inner = op; inner != top; inner = inner->getParentOp()) {
    Operation *branch = inner->getParentOp();
    auto ofAffine = dyn_cast<affine::AffineIfOp>(branch);
    if (!NestReader::isBranch(branch) ||
        (ofAffine &&
         !llvm::all_of(ofAffine.getIntegerSet().getConstraints(),
                       [](AffineExpr expr) { return expr.isPureAffine(); })))
      return std::nullopt;
    llvm::append_range(place.needed, branch->getOperands());
    bool isElse = inner->getParentRegion() == &branch->getRegion(1);
    place.branches.insert(place.branches.begin(), {branch, isElse});
  }
  unsigned origin = kEntry;
  for (Value value : place.needed)
    origin = std::max(origin, getOrigin(value));
  if (origin == kNever || (origin != kEntry && mayFree(origin, top)))
    return std::nullopt;
  place.isAtEntry = origin == kEntry;
  place.point = getPoint(origin, top);
  return place;
}

//===----------------------------------------------------------------------===//
// The way of a guard to its place
//===----------------------------------------------------------------------===//

/// The operations that the guard needs and that are not known, in the order of
/// the text.
SmallVector<Operation *>
NestPlaces::listNeeded(const Place &place,
                       llvm::function_ref<bool(Operation *)> isKnown) const {
  SetVector<Operation *> found;
  SmallVector<Value> values = place.needed;
  while (!values.empty()) {
    Operation *op = values.pop_back_val().getDefiningOp();
    if (op && !isAllocation(op) && !isKnown(op) && found.insert(op))
      llvm::append_range(values, op->getOperands());
  }
  SmallVector<Operation *> needed = found.takeVector();
  llvm::sort(needed, [&](Operation *a, Operation *b) {
    return numbers.lookup(a) < numbers.lookup(b);
  });
  return needed;
}

/// Repeats the branches around a nest, whose operands are `mapping`'s.
static OpBuilder repeatBranches(OpBuilder b, const NestPlaces::Place &place,
                                const IRMapping &mapping) {
  for (auto [branch, isElse] : place.branches) {
    Location loc = branch->getLoc();
    auto ofAffine = dyn_cast<affine::AffineIfOp>(branch);
    SmallVector<Value> operands;
    for (Value operand : branch->getOperands())
      operands.push_back(mapping.lookupOrDefault(operand));
    Value condition = ofAffine
                          ? NestChecks::computeCondition(b, ofAffine, operands)
                          : operands.front();
    if (isElse)
      condition = arith::XOrIOp::create(
          b, loc, condition, arith::ConstantIntOp::create(b, loc, 1, 1));
    auto made = scf::IfOp::create(b, loc, condition, /*withElseRegion=*/false);
    b.setInsertionPointToStart(made.thenBlock());
  }
  return b;
}

OpBuilder NestPlaces::open(const Place &place) {
  auto getPointOf = [&](Operation *op) {
    return getPoint(origins.lookup(op), place.top);
  };
  auto isInFront = [&](Operation *op) {
    return raised.contains(op) ||
           (op->getBlock() == &entry &&
            numbers.lookup(op) < numbers.lookup(getPointOf(op)));
  };
  for (Operation *op : listNeeded(place, isInFront)) {
    raised.insert(op);
    op->moveBefore(getPointOf(op));
  }
  return repeatBranches(OpBuilder(place.point), place, IRMapping());
}

OpBuilder NestPlaces::copy(const Place &place, OpBuilder b,
                           IRMapping &mapping) const {
  for (Operation *op :
       listNeeded(place, [&](Operation *op) { return mapping.contains(op); }))
    b.clone(*op, mapping);
  return repeatBranches(b, place, mapping);
}
