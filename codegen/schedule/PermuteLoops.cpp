//===- PermuteLoops.cpp - interchange and tiles ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both give loops that stand in each other another order. Tiles first make two
// loops of each.
//
//===----------------------------------------------------------------------===//

#include "codegen/schedule/LoopEdit.h"
#include "codegen/schedule/LoopParts.h"
#include "codegen/schedule/MovedBounds.h"
#include "codegen/schedule/ProjectedBounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <utility>

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;
using poly::Direction;
using poly::Directions;

//===----------------------------------------------------------------------===//
// The question
//===----------------------------------------------------------------------===//

bool codegen::mayPermute(LoopOrder &facts, size_t numAround,
                         ArrayRef<int64_t> order) {
  // Loop `s` is the outermost one in which two iterations differ, and
  // `outermost` that of the new order: the order changes where these say
  // opposite things.
  size_t count = order.size();
  for (size_t s = 0; s < count; ++s) {
    Directions directions(numAround + s, Direction::Equal);
    directions.resize(numAround + count, Direction::Any);
    directions[numAround + s] = Direction::Before;
    for (int64_t outermost : order) {
      // What is left in both orders is the same.
      if (size_t(outermost) == s)
        break;
      if (size_t(outermost) < s)
        continue;
      directions[numAround + outermost] = Direction::After;
      if (!facts.mayReverse(directions))
        return false;
      directions[numAround + outermost] = Direction::Equal;
    }
  }
  return true;
}

bool codegen::mayPermuteAny(LoopOrder &facts, size_t numAround, size_t count) {
  for (size_t s = 0; s < count; ++s)
    for (size_t inner = s + 1; inner < count; ++inner) {
      Directions directions(numAround + s, Direction::Equal);
      directions.resize(numAround + count, Direction::Any);
      directions[numAround + s] = Direction::Before;
      directions[numAround + inner] = Direction::After;
      if (!facts.mayReverse(directions))
        return false;
    }
  return true;
}

//===----------------------------------------------------------------------===//
// The other order
//===----------------------------------------------------------------------===//

bool LoopEdit::needsProjection(ArrayRef<scf::ForOp> loops,
                               ArrayRef<int64_t> order) {
  llvm::SmallDenseSet<Value> inside;
  for (scf::ForOp loop : loops)
    inside.insert(loop.getInductionVar());
  for (int64_t number : order) {
    scf::ForOp loop = loops[number];
    SmallVector<Value> variables;
    if (findVariables(loop.getLowerBound(), loops.front(), variables) &&
        findVariables(loop.getUpperBound(), loops.front(), variables) &&
        llvm::any_of(variables,
                     [&](Value variable) { return inside.contains(variable); }))
      return true;
    inside.erase(loop.getInductionVar());
  }
  return false;
}

/// Moves what stands in the loops into those that are made.
void LoopEdit::moveBodies(ArrayRef<scf::ForOp> loops, ArrayRef<int64_t> order,
                          const Loops &made, Value condition) {
  scf::ForOp outermost = loops.front(), innermost = loops.back(),
             last = made.back();
  Operation *end = last.getBody()->getTerminator();
  if (condition) {
    b.setInsertionPoint(end);
    end = scf::IfOp::create(b, last.getLoc(), condition,
                            /*withElseRegion=*/false)
              .thenBlock()
              ->getTerminator();
  }
  for (scf::ForOp loop : loops)
    for (Operation &op :
         llvm::make_early_inc_range(loop.getBody()->without_terminator()))
      if (loop == innermost ||
          !llvm::is_contained(loops, dyn_cast<scf::ForOp>(op)))
        b.moveOpBefore(&op, end);
  for (auto [number, loop] : llvm::zip_equal(order, made)) {
    Value old = scf::ForOp(loops[number]).getInductionVar(),
          variable = scf::ForOp(loop).getInductionVar();
    // Its name is there.
    variable.setLoc(old.getLoc());
    b.replaceAllUsesWith(old, variable);
  }
  b.eraseOp(outermost);
}

/// The loops have nothing but each other, and operations that may move.
Loops LoopEdit::permute(ArrayRef<scf::ForOp> loops, ArrayRef<int64_t> order) {
  scf::ForOp outermost = loops.front();
  MovedBounds bounds(b, outermost);
  b.setInsertionPoint(outermost);
  Loops made;
  for (int64_t number : order) {
    scf::ForOp loop = loops[number];
    Value lower = bounds.compute(loop.getLowerBound()),
          upper = lower ? bounds.compute(loop.getUpperBound()) : Value(),
          step = upper ? bounds.compute(loop.getStep()) : Value();
    if (!step && bounds.missing) {
      auto needed = cast<scf::ForOp>(bounds.missing.getOwner()->getParentOp());
      return refuse("the bounds of " + describeLoop(loop) + " depend on " +
                        describeLoop(needed) +
                        ", which would stand inside of it",
                    loop);
    }
    if (!step)
      return refuse("the bounds of " + describeLoop(loop) +
                        " cannot be computed in front of other loops",
                    bounds.fixed);
    made.push_back(makeLoop(loop, lower, upper, step));
    bounds.mapping.map(loop.getInductionVar(), made.back().getInductionVar());
    b.setInsertionPointToStart(made.back().getBody());
  }
  moveBodies(loops, order, made);
  return made;
}

/// The same for loops whose bounds depend on each other.
Loops LoopEdit::permuteProjected(ArrayRef<scf::ForOp> loops,
                                 ArrayRef<int64_t> order,
                                 const InTiles &inTiles) {
  ProjectedBounds bounds(b, loops, inTiles);
  if (!bounds.because.empty() || !bounds.project(order))
    return refuse(bounds.because, bounds.culprit);
  Loops made;
  SmallVector<Value> variables;
  b.setInsertionPoint(loops.front());
  for (auto [position, number] : llvm::enumerate(order)) {
    scf::ForOp loop = loops[number];
    auto [lower, upper] = bounds.compute(position, variables);
    Value step = getNumber(bounds.getStep(position), loop.getLoc());
    made.push_back(makeLoop(loop, lower, upper, step));
    // It has other ends than before.
    if (LoopParts parts = getParts(loop);
        parts.first == LoopParts::First::Zero || parts.tellsOfEnds())
      setParts(made.back(), parts.forgetFirst());
    variables.push_back(made.back().getInductionVar());
    b.setInsertionPointToStart(made.back().getBody());
  }
  moveBodies(loops, order, made, bounds.computeIsOfGrids(variables));
  // The new bounds are numbers of 64 bits where the condition holds.
  return open(made.front()) ? made : Loops();
}

/// Where a loop has no iterations, those that were in it would run in front of
/// it for nothing. Such calls have the program's order.
void LoopEdit::requireIterations(ArrayRef<scf::ForOp> loops,
                                 ArrayRef<int64_t> order) {
  int64_t last = -1;
  for (int64_t number : order) {
    bool isMovedIn = number < last;
    last = std::max(last, number);
    if (isMovedIn)
      requireIterations(loops[number]);
  }
}

// sch-4
Loops LoopEdit::interchange(ArrayRef<scf::ForOp> loops,
                            ArrayRef<int64_t> order) {
  if (!checkBand(loops))
    return {};
  std::unique_ptr<LoopOrder> facts = open(loops.front());
  if (!facts)
    return {};
  if (!mayPermute(*facts, getLoopsAround(loops.front()).size(), order))
    return refuse(facts->because);
  requireIterations(loops, order);
  return needsProjection(loops, order) ? permuteProjected(loops, order)
                                       : permute(loops, order);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Puts a loop over tiles around `loop`, which runs one tile.
scf::ForOp LoopEdit::split(scf::ForOp loop, int64_t size) {
  Location loc = loop.getLoc();
  b.setInsertionPoint(loop);
  Value upper = loop.getUpperBound();
  Value step = getNumber(loop.getConstantStep()->getSExtValue() * size, loc);
  scf::ForOp tiles = makeLoop(loop, loop.getLowerBound(), upper, step);
  b.moveOpBefore(loop, tiles.getBody()->getTerminator());
  b.setInsertionPoint(loop);
  Value first = tiles.getInductionVar();
  Value end =
      make<arith::MinSIOp>(loc, make<arith::AddIOp>(loc, first, step), upper);
  b.modifyOpInPlace(loop, [&] {
    loop.setLowerBound(first);
    loop.setUpperBound(end);
  });
  return tiles;
}

bool LoopEdit::computeAligned(ArrayRef<scf::ForOp> loops,
                              ArrayRef<int64_t> sizes,
                              SmallVectorImpl<std::pair<Value, Value>> &tiles) {
  tiles.assign(loops.size(), {});
  for (size_t number = 1; number < loops.size(); ++number) {
    // Behind itself, a loop needs none of those around it.
    SmallVector<int64_t> order = {int64_t(number)};
    for (size_t other = 0; other < number; ++other)
      order.push_back(other);
    ArrayRef<scf::ForOp> around = loops.take_front(number + 1);
    if (!needsProjection(around, order))
      continue;
    ProjectedBounds bounds(b, around);
    if (!bounds.because.empty() || !bounds.project(order, /*ofTiles=*/true)) {
      refuse(bounds.because, bounds.culprit);
      return false;
    }
    b.setInsertionPoint(loops.front());
    scf::ForOp loop = loops[number];
    tiles[number] = bounds.computeTiles(sizes[number] *
                                        loop.getConstantStep()->getSExtValue());
  }
  return true;
}

/// The same with tiles that begin at multiples of `size` steps, and which are
/// the same for all iterations of loops around them.
scf::ForOp LoopEdit::splitAligned(scf::ForOp loop, int64_t size,
                                  std::pair<Value, Value> bounds) {
  Location loc = loop.getLoc();
  b.setInsertionPoint(loop);
  int64_t by = loop.getConstantStep()->getSExtValue();
  Value lower = loop.getLowerBound(), step = getNumber(by * size, loc);
  scf::ForOp tiles = makeLoop(loop, bounds.first, bounds.second, step);
  b.moveOpBefore(loop, tiles.getBody()->getTerminator());
  b.setInsertionPoint(loop);
  Value begin = tiles.getInductionVar(), first = begin,
        end = make<arith::AddIOp>(loc, begin, step);
  if (by != 1)
    first = roundUp(loc, begin, lower, loop.getStep());
  b.modifyOpInPlace(loop, [&] {
    loop.setLowerBound(make<arith::MaxSIOp>(loc, lower, first));
    loop.setUpperBound(make<arith::MinSIOp>(loc, end, loop.getUpperBound()));
  });
  return tiles;
}

// sch-5
Loops LoopEdit::tile(ArrayRef<scf::ForOp> loops, ArrayRef<int64_t> sizes) {
  // Sums of bounds and steps fit 64 bits, since bounds are less than 2^61.
  constexpr int64_t kMostStep = int64_t(1) << 60;
  if (!checkBand(loops))
    return {};
  for (auto [loop, size] : llvm::zip_equal(loops, sizes))
    if (int64_t step = scf::ForOp(loop).getConstantStep()->getSExtValue();
        step > kMostStep / size)
      return refuse("a tile of " + std::to_string(size) + " iterations of " +
                        describeLoop(loop) +
                        " is too large: with the step of " +
                        std::to_string(step) + ", it has at most " +
                        std::to_string(kMostStep / step),
                    loop);
  std::unique_ptr<LoopOrder> facts = open(loops.front());
  if (!facts)
    return {};
  size_t numAround = getLoopsAround(loops.front()).size();
  bool mayPermuteAll = mayPermuteAny(*facts, numAround, loops.size());
  SmallVector<std::pair<Value, Value>> aligned;
  if (!computeAligned(loops, sizes, aligned))
    return {};
  Loops all;
  SmallVector<int64_t> order;
  bool isRectangular = true;
  // A loop without a name is called by the number of loops around it.
  auto parts = llvm::map_to_vector(loops, getParts);
  InTiles inTiles;
  for (auto [number, loop] : llvm::enumerate(loops)) {
    bool isAligned = bool(aligned[number].first);
    isRectangular &= !isAligned;
    Value first = scf::ForOp(loop).getLowerBound();
    scf::ForOp tiles = isAligned
                           ? splitAligned(loop, sizes[number], aligned[number])
                           : split(loop, sizes[number]);
    if (!scf::ForOp(loop).getConstantStep()->isOne())
      inTiles[loop] = {first, tiles.getInductionVar()};
    nameLoop(tiles, ".tile");
    int64_t size = sizes[number],
            step = scf::ForOp(loop).getConstantStep()->getSExtValue();
    LoopParts counts = countIterations(parts[number], first, step);
    // Tiles begin where the variable is a multiple of their length.
    if (isAligned) {
      counts = parts[number].takeVariable();
      size *= std::exchange(step, 1);
    }
    LoopParts ofTiles = divide(counts, size, step);
    if (isAligned)
      ofTiles.first = LoopParts::First::ByOne;
    setParts(tiles, ofTiles);
    setParts(loop, takeRemainder(counts, size));
    all.append({tiles, loop});
    order.push_back(2 * number);
  }
  for (size_t number = 0; number < loops.size(); ++number)
    order.push_back(2 * number + 1);
  // Tiles may be so small that what meets stays in order.
  if (!mayPermuteAll) {
    facts = open(all.front());
    if (!facts)
      return {};
    if (!mayPermute(*facts, numAround, order))
      return refuse(facts->because);
  }
  return isRectangular ? permute(all, order)
                       : permuteProjected(all, order, inTiles);
}
