//===- FuseLoops.cpp - two loops as one -----------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/schedule/LoopEdit.h"
#include "codegen/schedule/LoopParts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

static void appendBody(RewriterBase &b, scf::ForOp from, scf::ForOp to) {
  for (Operation &op :
       llvm::make_early_inc_range(from.getBody()->without_terminator()))
    b.moveOpBefore(&op, to.getBody()->getTerminator());
  b.replaceAllUsesWith(from.getInductionVar(), to.getInductionVar());
}

/// Whether each number that both loops may count is one of both: they have one
/// step, and first iterations that differ by a multiple of it.
static bool haveOneGrid(scf::ForOp first, scf::ForOp second) {
  if (first.getConstantStep() != second.getConstantStep())
    return false;
  int64_t step = first.getConstantStep()->getSExtValue();
  std::optional<int64_t> x = getConstantIntValue(first.getLowerBound()),
                         y = getConstantIntValue(second.getLowerBound());
  int64_t distance;
  return step == 1 || areSame(first.getLowerBound(), second.getLowerBound()) ||
         (x && y && !llvm::SubOverflow(*x, *y, distance) &&
          distance % step == 0);
}

/// Runs what only one of the loops has in front of both or behind both. The
/// loops have one grid.
scf::ForOp LoopEdit::fuseUnequal(scf::ForOp first, scf::ForOp second) {
  Location loc = first.getLoc();
  b.setInsertionPoint(first);
  Value begin = make<arith::MaxSIOp>(loc, first.getLowerBound(),
                                     second.getLowerBound()),
        end = make<arith::MinSIOp>(loc, first.getUpperBound(),
                                   second.getUpperBound()),
        behind = make<arith::MaxSIOp>(loc, begin, end);
  if (!first.getConstantStep()->isOne())
    behind = roundUp(loc, behind, begin, first.getStep());
  auto copy = [&](scf::ForOp loop, Value lower, Value upper,
                  const Twine &suffix) {
    auto made = cast<scf::ForOp>(b.clone(*loop));
    made.setLowerBound(lower);
    made.setUpperBound(upper);
    setParts(made, getParts(made).forgetFirst());
    nameLoop(made, suffix);
  };
  for (scf::ForOp loop : {first, second})
    copy(loop, loop.getLowerBound(),
         make<arith::MinSIOp>(loc, begin, loop.getUpperBound()), ".before");
  b.setInsertionPointAfter(second);
  for (scf::ForOp loop : {first, second})
    copy(loop, behind, loop.getUpperBound(), ".behind");
  b.modifyOpInPlace(first, [&] {
    first.setLowerBound(begin);
    first.setUpperBound(end);
  });
  return first;
}

/// What both loops run, by numbers that grow alike with the iterations of the
/// fused loop. `isEqual` tells whether the loops have the same bounds.
static std::pair<LoopParts, LoopParts>
getPartsAlike(scf::ForOp first, scf::ForOp second, bool isEqual) {
  using First = LoopParts::First;
  LoopParts x = getParts(first), y = getParts(second);
  int64_t step = first.getConstantStep()->getSExtValue();
  bool growAlike = step == 1 || x.growsBySteps() == y.growsBySteps();
  // A variable is the same number in the fused loop.
  bool isKnown =
      x.first == y.first && (isEqual || (x.first == First::Variable &&
                                         !x.tellsOfEnds() && !y.tellsOfEnds()));
  for (LoopParts *parts : {&x, &y}) {
    if (!isKnown && (growAlike || !isEqual))
      *parts = parts->forgetFirst();
    // Of numbers that grow by steps and ones that grow by 1, both are counted.
    if (!growAlike)
      *parts = countIterations(*parts, first.getLowerBound(), step);
  }
  return {x, y};
}

// sch-9
Loops LoopEdit::fuse(scf::ForOp first, scf::ForOp second) {
  for (scf::ForOp loop : {first, second})
    if (!checkForm(loop) || !checkCarriesNothing(loop) ||
        !checkHasNoCheck(loop))
      return {};
  if (first == second)
    return refuse("a loop is fused with another one", first);
  size_t numAround = getLoopsAround(first).size();
  bool isOutermost = numAround == 0 && getLoopsAround(second).empty();
  if (isOutermost && !joinVersions(getVersion(first), getVersion(second)))
    return {};
  if (!moveInFront(first, second))
    return {};
  if (!haveOneGrid(first, second)) {
    auto getStep = [](scf::ForOp loop) {
      return std::to_string(loop.getConstantStep()->getSExtValue());
    };
    return refuse("the loops have the steps " + getStep(first) + " and " +
                      getStep(second) +
                      ", and it is not known that both count the same numbers",
                  second);
  }
  bool isEqual = areSame(first.getLowerBound(), second.getLowerBound()) &&
                 areSame(first.getUpperBound(), second.getUpperBound());
  std::unique_ptr<LoopOrder> order = open({first, second});
  if (!order)
    return {};
  // What only one of the loops has runs so that the same question decides.
  poly::Directions directions(numAround, poly::Direction::Equal);
  directions.push_back(poly::Direction::After);
  auto isIn = [](const LoopOrder::Access &access, scf::ForOp loop) {
    return loop->isAncestor(access.call ? access.call : access.op);
  };
  if (!order->mayReverse(directions, [&](const LoopOrder::Access &x,
                                         const LoopOrder::Access &y) {
        return isIn(x, first) && isIn(y, second);
      }))
    return refuse(order->because);
  auto [parts, partsOfSecond] = getPartsAlike(first, second, isEqual);
  // Of copies of one statement in both loops, those of the first one tell.
  SmallVector<int64_t> numbers = getStatementNumbers(first);
  for (int64_t number : getStatementNumbers(second))
    if (!llvm::is_contained(numbers, number)) {
      parts.others[number] = partsOfSecond.get(number);
      parts.variable.others[number] = partsOfSecond.variable.get(number);
    }
  scf::ForOp both = isEqual ? first : fuseUnequal(first, second);
  appendBody(b, second, both);
  b.eraseOp(second);
  setParts(both, parts);
  return {both};
}
