//===- LoopWork.cpp - how much a loop does --------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/memory/LoopWork.h"

#include "dialect/LoomDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace broadloom;

/// Where a number of iterations depends on data.
static constexpr int64_t kUnknownTripCount = 4;
/// Of a call, whatever it does with other memory than parts that the loop has
/// made for it, whose elements count.
static constexpr int64_t kCostOfCall = 4096, kCostOfElement = 4;
/// Of a copy, whose elements count too.
static constexpr int64_t kCostOfCopy = 64;
/// Of operations that are not computed by the vector in a nanosecond's 32nd
/// (decision 98); of an access from which the next iteration's is far, and of a
/// number that waits for the one of the iteration before.
static constexpr int64_t kCostOfDivision = 4, kCostOfIntegerDivision = 16,
                         kCostOfRoot = 8, kCostOfFunction = 128,
                         kCostOfFarAccess = 12, kCostOfCarried = 8;
/// Trip counts and their products are at most so large.
static constexpr int64_t kMostTrips = int64_t(1) << 20, kMostWork = int64_t(1)
                                                                    << 40;

/// Whether `value` changes with the variable of the loop.
static bool dependsOn(Value value, scf::ForOp loop, unsigned depth = 0) {
  constexpr unsigned kMostDepth = 6;
  if (loop.isDefinedOutsideOfLoop(value))
    return false;
  Operation *op = value.getDefiningOp();
  if (!op || depth == kMostDepth)
    return true;
  return op->getNumOperands() != 0 &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return dependsOn(operand, loop, depth + 1);
         });
}

/// Whether the next iteration accesses an element that is not beside it.
static bool isFar(ValueRange indices, scf::ForOp loop) {
  return llvm::any_of(indices.empty() ? indices : indices.drop_back(),
                      [&](Value index) { return dependsOn(index, loop); });
}

static int64_t getCost(Operation *op, scf::ForOp loop) {
  if (op->hasTrait<OpTrait::ConstantLike>() ||
      op->hasTrait<OpTrait::IsTerminator>() || isa<loom::SiteOp>(op))
    return 0;
  if (isa<func::CallOp>(op))
    return kCostOfCall;
  if (isa<memref::CopyOp>(op))
    return kCostOfCopy;
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return isFar(load.getIndices(), loop) ? kCostOfFarAccess : 1;
  if (auto store = dyn_cast<memref::StoreOp>(op))
    return isFar(store.getIndices(), loop) ? kCostOfFarAccess : 1;
  if (isa<arith::DivFOp, arith::RemFOp>(op))
    return kCostOfDivision;
  if (isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp,
          arith::FloorDivSIOp, arith::CeilDivSIOp, arith::CeilDivUIOp>(op))
    return kCostOfIntegerDivision;
  if (isa<math::SqrtOp, math::RsqrtOp>(op))
    return kCostOfRoot;
  if (isa<math::AbsFOp, math::AbsIOp, math::CeilOp, math::CopySignOp,
          math::FloorOp, math::FmaOp, math::RoundEvenOp, math::TruncOp>(op))
    return 1;
  return isa<math::MathDialect>(op->getDialect()) ? kCostOfFunction : 1;
}

int64_t codegen::getCostOfIteration(scf::ForOp loop) {
  int64_t cost = 1;
  for (Value carried : loop.getRegionIterArgs())
    cost += isa<FloatType>(carried.getType()) ? kCostOfCarried : 0;
  loop.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<scf::ForOp>(op))
      return WalkResult::skip();
    cost += getCost(op, loop);
    return WalkResult::advance();
  });
  return cost;
}

namespace {

class Estimate {
public:
  Estimate(OpBuilder &b, scf::ForOp loop) : b(b), loop(loop) {}

  Value run() { return getWork(loop); }

private:
  Value getNumber(int64_t value) {
    return arith::ConstantIndexOp::create(b, loop.getLoc(), value);
  }
  template <typename Op> Value make(Value x, Value y) {
    return b.createOrFold<Op>(loop.getLoc(), x, y);
  }
  Value getLeast(Value x, int64_t most) {
    return make<arith::MinSIOp>(x, getNumber(most));
  }

  /// The value in the middle iterations of loops; null if it is not known in
  /// front of the loop.
  Value getMiddle(Value value, unsigned depth = 0) {
    constexpr unsigned kMostDepth = 8;
    if (loop.isDefinedOutsideOfLoop(value))
      return value;
    if (auto it = middles.find(value); it != middles.end())
      return it->second;
    Operation *op = value.getDefiningOp();
    if (!op || depth == kMostDepth || op->getNumRegions() != 0 || !isPure(op))
      return nullptr;
    IRMapping mapping;
    for (Value operand : op->getOperands()) {
      Value middle = getMiddle(operand, depth + 1);
      if (!middle)
        return nullptr;
      mapping.map(operand, middle);
    }
    Operation *copy = b.clone(*op, mapping);
    for (auto [from, to] :
         llvm::zip_equal(op->getResults(), copy->getResults()))
      middles[from] = to;
    return middles[value];
  }

  Value getTrips(scf::ForOp inner) {
    Value lower = getMiddle(inner.getLowerBound()),
          upper = getMiddle(inner.getUpperBound()),
          step = getMiddle(inner.getStep());
    APInt by;
    if (!lower || !upper || !step || !matchPattern(step, m_ConstantInt(&by)) ||
        !by.isStrictlyPositive())
      return getNumber(kUnknownTripCount);
    Location loc = loop.getLoc();
    auto asIndex = [&](Value number) -> Value {
      if (number.getType().isIndex())
        return number;
      return arith::IndexCastOp::create(b, loc, b.getIndexType(), number);
    };
    lower = asIndex(lower), upper = asIndex(upper);
    Value half =
        make<arith::ShRSIOp>(make<arith::SubIOp>(upper, lower), getNumber(1));
    Value middle = make<arith::AddIOp>(lower, half);
    Type type = inner.getInductionVar().getType();
    if (!type.isIndex())
      middle = arith::IndexCastOp::create(b, loc, type, middle);
    middles[inner.getInductionVar()] = middle;
    Value span =
        make<arith::MaxSIOp>(make<arith::SubIOp>(upper, lower), getNumber(0));
    span = make<arith::CeilDivSIOp>(span, getNumber(by.getSExtValue()));
    return getLeast(span, kMostTrips);
  }

  /// The number of elements of a part of memory; null if `memory` is none, or
  /// if that is not known in front of the loop.
  Value getElements(Value memory) {
    while (auto cast = memory.getDefiningOp<memref::CastOp>())
      memory = cast.getSource();
    auto part = memory.getDefiningOp<memref::SubViewOp>();
    if (!part || loop.isDefinedOutsideOfLoop(memory))
      return nullptr;
    Value count = getNumber(1);
    for (OpFoldResult size : part.getMixedSizes()) {
      auto value = dyn_cast<Value>(size);
      value = value ? getMiddle(value) : getNumber(*getConstantIntValue(size));
      if (!value)
        return nullptr;
      count = make<arith::MulIOp>(count, getLeast(value, kMostTrips));
      count = getLeast(count, kMostTrips);
    }
    return count;
  }

  Value getWork(scf::ForOp inner) {
    Value trips = getTrips(inner);
    SmallVector<Value> parts;
    SmallVector<scf::ForOp> loops;
    inner.getBody()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto next = dyn_cast<scf::ForOp>(op)) {
        loops.push_back(next);
        return WalkResult::skip();
      }
      // A copy counts what it writes.
      if (isa<func::CallOp, memref::CopyOp>(op))
        for (Value operand :
             op->getOperands().drop_front(isa<memref::CopyOp>(op)))
          if (Value elements = getElements(operand))
            parts.push_back(elements);
      return WalkResult::advance();
    });
    Value work = getNumber(codegen::getCostOfIteration(inner));
    for (Value elements : parts)
      work = make<arith::AddIOp>(
          work, make<arith::MulIOp>(elements, getNumber(kCostOfElement)));
    for (scf::ForOp next : loops)
      work = make<arith::AddIOp>(work, getWork(next));
    return getLeast(make<arith::MulIOp>(work, trips), kMostWork);
  }

  OpBuilder &b;
  scf::ForOp loop;
  llvm::DenseMap<Value, Value> middles;
};

} // namespace

Value codegen::computeTripCount(OpBuilder &b, scf::ForOp loop) {
  Location loc = loop.getLoc();
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound(),
        step = loop.getStep();
  Type index = b.getIndexType();
  if (!lower.getType().isIndex()) {
    lower = arith::IndexCastOp::create(b, loc, index, lower);
    upper = arith::IndexCastOp::create(b, loc, index, upper);
    step = arith::IndexCastOp::create(b, loc, index, step);
  }
  Value span = b.createOrFold<arith::SubIOp>(loc, upper, lower);
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  span = arith::MaxSIOp::create(b, loc, span, zero);
  return b.createOrFold<arith::CeilDivSIOp>(loc, span, step);
}

Value codegen::computeWork(OpBuilder &b, scf::ForOp loop) {
  return Estimate(b, loop).run();
}
