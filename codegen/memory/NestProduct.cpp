//===- NestProduct.cpp - loop nests that are contractions -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/memory/NestProduct.h"
#include "codegen/memory/MovableValues.h"

#include "dialect/MemoryFunction.h"
#include "lower/contract/Weights.h"
#include "runtime/abi/Structs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

static arith::FastMathFlags getFlags(Operation *op) {
  auto flags = op->getAttrOfType<arith::FastMathFlagsAttr>(loom::kFastMath);
  return flags ? flags.getValue() : arith::FastMathFlags::none;
}

static bool hasFlags(Operation *op, arith::FastMathFlags flags) {
  return bitEnumContainsAll(getFlags(op), flags);
}

bool NestProduct::mayReorder() const {
  return !isa<FloatType>(sumType) ||
         hasFlags(sum, arith::FastMathFlags::reassoc);
}

bool NestProduct::mayLeaveOutZeros() const {
  using Flags = arith::FastMathFlags;
  return !isa<FloatType>(sumType) ||
         hasFlags(product, Flags::nnan | Flags::ninf);
}

/// Longer nests are none.
static constexpr size_t kMostOperations = 512;

std::optional<NestProduct> NestProduct::get(scf::ForOp nest) {
  NestProduct product;
  size_t numOperations = 0;
  bool isLong = nest->walk([&](Operation *) {
                      return ++numOperations > kMostOperations
                                 ? WalkResult::interrupt()
                                 : WalkResult::advance();
                    })
                    .wasInterrupted();
  if (isLong || !product.descend(nest) || !product.sortLoops() ||
      !product.mayRun())
    return std::nullopt;
  product.because = product.findObstacle();
  return product;
}

std::optional<unsigned> NestProduct::getLoopOf(Value variable) const {
  for (auto [number, loop] : llvm::enumerate(loops))
    if (variable == scf::ForOp(loop).getInductionVar())
      return number;
  return std::nullopt;
}

SmallVector<unsigned> NestProduct::getRows() const {
  SmallVector<unsigned> rows;
  for (unsigned loop : llvm::seq<unsigned>(loops.size()))
    if (image.goesThrough(loop) && sums.goesThrough(loop) &&
        !weight.goesThrough(loop))
      rows.push_back(loop);
  return rows;
}

/// Adds the loops that `value` depends on; false if it is computed of anything
/// that the nest loads.
bool NestProduct::dependsOn(Value value, SmallVectorImpl<unsigned> &found) {
  SmallVector<Value> variables;
  if (!findVariables(value, loops.front(), variables))
    return false;
  for (Value variable : variables) {
    std::optional<unsigned> loop = getLoopOf(variable);
    if (!loop)
      return false;
    if (!llvm::is_contained(found, *loop))
      found.push_back(*loop);
  }
  return true;
}

/// Whether `value` is the same in all iterations and known in front of the
/// nest.
bool NestProduct::isInvariant(Value value) {
  SmallVector<unsigned> found;
  return dependsOn(value, found) && found.empty();
}

/// Whether the nest sets each sum to 0 and then adds all of its products.
bool NestProduct::setsToZero() {
  addsToMemory = false;
  return zeros.getMemRef() == sums.memory &&
         areSame(zeros.getIndices(), sums.indices) &&
         llvm::all_of(llvm::seq<unsigned>(loops.size()), [&](unsigned loop) {
           return sums.goesThrough(loop) == (loop < numAroundZeros);
         });
}

/// Whether the loops that a sum is stored in go through the sums, where an
/// inner loop carries the sum from 0 on: else the last iteration's one stays.
bool NestProduct::storesEachOnce() const {
  return llvm::all_of(llvm::seq<unsigned>(loops.size()), [&](unsigned loop) {
    return sums.goesThrough(loop) == (loop + 1 < loops.size());
  });
}

/// Whether `value` is the loop's variable and a number that is the same in all
/// iterations.
bool NestProduct::isShifted(Value value, unsigned loop) {
  if (getLoopOf(value) == loop)
    return true;
  Operation *op = value.getDefiningOp();
  if (auto apply = dyn_cast_or_null<affine::AffineApplyOp>(op))
    return isShifted(apply.getAffineMap().getResult(0), apply, loop);
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op))
    return false;
  Value x = op->getOperand(0), y = op->getOperand(1);
  if (isInvariant(y))
    return isShifted(x, loop);
  return isa<arith::AddIOp>(op) && isInvariant(x) && isShifted(y, loop);
}

bool NestProduct::isShifted(AffineExpr expr, affine::AffineApplyOp apply,
                            unsigned loop) {
  auto getOperand = [&](AffineExpr leaf) {
    if (auto dim = dyn_cast<AffineDimExpr>(leaf))
      return apply.getOperand(dim.getPosition());
    return apply.getOperand(apply.getAffineMap().getNumDims() +
                            cast<AffineSymbolExpr>(leaf).getPosition());
  };
  auto isKnown = [&](AffineExpr part) {
    bool known = true;
    part.walk([&](AffineExpr leaf) {
      if (isa<AffineDimExpr, AffineSymbolExpr>(leaf))
        known = known && isInvariant(getOperand(leaf));
    });
    return known;
  };
  if (isa<AffineDimExpr, AffineSymbolExpr>(expr))
    return isShifted(getOperand(expr), loop);
  auto sum = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!sum || sum.getKind() != AffineExprKind::Add)
    return false;
  if (isKnown(sum.getRHS()))
    return isShifted(sum.getLHS(), apply, loop);
  return isKnown(sum.getLHS()) && isShifted(sum.getRHS(), apply, loop);
}

/// Finds the loops that the operand's indices depend on.
bool NestProduct::readIndices(NestOperand &operand) {
  SmallVector<int64_t> strides;
  int64_t offset;
  auto type = cast<MemRefType>(operand.memory.getType());
  if (!loops.front().isDefinedOutsideOfLoop(operand.memory) ||
      failed(type.getStridesAndOffset(strides, offset)))
    return false;
  operand.isPlain = true;
  for (Value index : operand.indices) {
    SmallVector<unsigned> found;
    if (!dependsOn(index, found))
      return false;
    std::optional<unsigned> axis;
    if (!found.empty()) {
      axis = found.front();
      operand.isPlain &= found.size() == 1 && !operand.goesThrough(*axis) &&
                         isShifted(index, *axis);
    }
    operand.axes.push_back(axis);
    for (unsigned loop : found)
      if (!operand.goesThrough(loop))
        operand.loops.push_back(loop);
  }
  return true;
}

/// Adds the loops that the condition of a factor depends on. What the factor is
/// otherwise is the same in all iterations.
bool NestProduct::readCondition(const NestFactor &factor,
                                NestOperand &operand) {
  if (!factor.condition)
    return true;
  operand.isPlain = false;
  SmallVector<unsigned> found;
  if (!isInvariant(factor.otherwise) || !dependsOn(factor.condition, found))
    return false;
  for (unsigned loop : found)
    if (!operand.goesThrough(loop))
      operand.loops.push_back(loop);
  valueLoops = std::move(found);
  return true;
}

/// Whether constants leave open that all loops have iterations, and that what
/// these access is inside. A view of constant parts must be inside.
bool NestProduct::mayRun() const {
  auto isLess = [](std::optional<int64_t> x, std::optional<int64_t> y) {
    return x && y && *x < *y;
  };
  auto hasIterations = [](scf::ForOp loop) {
    std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                           upper = getConstantIntValue(loop.getUpperBound());
    return !lower || !upper || *lower < *upper;
  };
  auto isInside = [&](const NestOperand &operand) {
    auto type = cast<MemRefType>(operand.memory.getType());
    for (auto [axis, index] : llvm::enumerate(operand.indices)) {
      std::optional<int64_t> extent, first, last;
      if (!type.isDynamicDim(axis))
        extent = type.getDimSize(axis);
      Value at = withoutIdentity(index);
      if (std::optional<unsigned> loop = getLoopOf(at)) {
        scf::ForOp through = loops[*loop];
        first = getConstantIntValue(through.getLowerBound());
        last = getConstantIntValue(through.getUpperBound());
        last = last ? std::optional(*last - 1) : std::nullopt;
      } else {
        first = last = getConstantIntValue(at);
      }
      if (isLess(first, 0) || (last && extent && *last >= *extent))
        return false;
    }
    return true;
  };
  // A launch has an axis for each row, and three for all other loops; an axis
  // of several loops has as many elements as they have iterations.
  if (loops.size() + 3 > BROADLOOM_MAX_RANK)
    return false;
  int64_t iterations = 1;
  for (scf::ForOp loop : loops) {
    std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                           upper = getConstantIntValue(loop.getUpperBound());
    int64_t count = 1;
    if (lower && upper &&
        (llvm::SubOverflow(*upper, *lower, count) ||
         llvm::MulOverflow(iterations, count, iterations)))
      return false;
  }
  return llvm::all_of(loops, hasIterations) && isInside(weight) &&
         isInside(sums) && (!image.isPlain || isInside(image));
}

/// The gathered factor has the loops of the batch in front, and those that are
/// summed behind the others, as a kernel reads it.
void NestProduct::orderGathered() {
  auto getKey = [&](unsigned loop) {
    return std::tuple(!sums.goesThrough(loop), !weight.goesThrough(loop), loop);
  };
  llvm::sort(image.loops,
             [&](unsigned a, unsigned b) { return getKey(a) < getKey(b); });
}

/// Finds the loops of each operand, and whether each loop is one of a product:
/// of the batch, the rows, the columns, or summed.
bool NestProduct::sortLoops() {
  NestOperand read[2];
  for (unsigned i : {0, 1}) {
    read[i].take(factors[i].load);
    if (!readIndices(read[i]) || !readCondition(factors[i], read[i]))
      return false;
  }
  if (!readIndices(sums) || !sums.isPlain || sums.memory == read[0].memory ||
      sums.memory == read[1].memory)
    return false;
  for (Value condition : conditions)
    if (!dependsOn(condition, conditionLoops))
      return false;
  if (zeros ? !setsToZero() : !addsToMemory && !storesEachOnce())
    return false;
  // The first factor has the conditions, and what is not plain.
  auto holdsConditions = [&](unsigned i) {
    return llvm::all_of(conditionLoops, [&](unsigned loop) {
      return read[i].goesThrough(loop);
    });
  };
  unsigned first = !read[1].isPlain || !holdsConditions(0) ? 1 : 0;
  // The second one has the channels, which are side by side in the sums.
  if (first == 0 && read[0].isPlain && conditions.empty() &&
      !sums.loops.empty() && read[0].goesThrough(sums.loops.back()) &&
      !read[1].goesThrough(sums.loops.back()))
    first = 1;
  if (!read[1 - first].isPlain || !holdsConditions(first))
    return false;
  image = read[first];
  weight = read[1 - first];
  imageLoad = factors[first].load;
  if (factors[first].condition)
    values.push_back({factors[first].condition, factors[first].otherwise});
  image.isPlain &= conditions.empty();
  if (!image.isPlain)
    orderGathered();
  bool isSummed = false, isFree = false;
  for (unsigned loop : llvm::seq<unsigned>(loops.size())) {
    bool inImage = image.goesThrough(loop), inWeight = weight.goesThrough(loop),
         inSums = sums.goesThrough(loop);
    if (inImage + inWeight + inSums < 2)
      return false;
    isSummed |= !inSums;
    isFree |= inImage != inWeight;
  }
  return isSummed && isFree;
}

/// Why the values may not be those of a contraction, as far as the program asks
/// for them; empty if they may. mem-16
std::string NestProduct::findObstacle() {
  using Flags = arith::FastMathFlags;
  auto getText = [](Type type) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return text;
  };
  Type a = factors[0].load.getType(), b = factors[1].load.getType();
  if (!lower::isSummed(a, b, sumType))
    return "kernels have no sums of " + getText(sumType) + " of products of " +
           getText(a) + " and " + getText(b);
  if (!isa<FloatType>(sumType))
    return {};
  Flags ofSum = Flags::contract, ofProduct = Flags::contract;
  if (addsToMemory)
    ofSum = ofSum | Flags::reassoc | Flags::nsz;
  // A product that the program leaves out is one with 0.
  if (!conditions.empty()) {
    ofSum = ofSum | Flags::nsz;
    ofProduct = ofProduct | Flags::nnan | Flags::ninf;
  }
  for (auto [op, flags] :
       {std::pair(sum, ofSum), std::pair(product, ofProduct)})
    if (!hasFlags(op, flags))
      return "'" + op->getName().getStringRef().str() +
             "' has not the flags fastmath<" + arith::stringifyEnum(flags) +
             ">, without which its values are those of the program's order";
  return {};
}
