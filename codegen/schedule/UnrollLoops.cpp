//===- UnrollLoops.cpp - several iterations in one ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/schedule/LoopEdit.h"
#include "codegen/schedule/LoopParts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// Of an unrolled loop.
static constexpr size_t kMostOperations = 4096;

static int64_t getStep(scf::ForOp loop) {
  return loop.getConstantStep()->getSExtValue();
}

bool LoopEdit::checkFactor(scf::ForOp loop, int64_t factor) {
  constexpr int64_t kMostStep = int64_t(1) << 40;
  size_t numOperations = 0;
  loop->walk([&](Operation *) { ++numOperations; });
  numOperations *= size_t(factor);
  if (getStep(loop) > kMostStep)
    refuse("the step of " + describeLoop(loop) + " is too large", loop);
  else if (numOperations > kMostOperations)
    refuse("the loop would have " + std::to_string(numOperations) +
               " operations, more than " + std::to_string(kMostOperations),
           loop);
  else
    return true;
  return false;
}

/// Where whole steps of so many iterations end. A loop without iterations has
/// none, and ends where it begins. Sums wrap where those of the loop do.
Value LoopEdit::computeEnd(scf::ForOp loop, int64_t factor, Value steps) {
  Location loc = loop.getLoc();
  Value lower = loop.getLowerBound();
  // The difference of bounds of a loop without iterations may wrap.
  Value upper = make<arith::MaxSIOp>(loc, loop.getUpperBound(), lower);
  Value count = make<arith::SubIOp>(loc, upper, lower);
  if (getStep(loop) != 1)
    count = make<arith::CeilDivSIOp>(loc, count, loop.getStep());
  Value whole = make<arith::FloorDivSIOp>(loc, count, getNumber(factor, loc));
  whole = make<arith::MaxSIOp>(loc, whole, getNumber(0, loc));
  return make<arith::AddIOp>(loc, lower,
                             make<arith::MulIOp>(loc, whole, steps));
}

/// Runs so many iterations of `loop`, from the variable `first` on. What they
/// carry is handed on.
void LoopEdit::copyIterations(scf::ForOp loop, Value first, int64_t factor,
                              SmallVectorImpl<Value> &carried) {
  Location loc = loop.getLoc();
  for (int64_t copy = 0; copy < factor; ++copy) {
    IRMapping mapping;
    Value variable = first;
    if (copy != 0)
      variable =
          make<arith::AddIOp>(loc, first, getNumber(copy * getStep(loop), loc));
    mapping.map(loop.getInductionVar(), variable);
    mapping.map(loop.getRegionIterArgs(), carried);
    for (Operation &op : loop.getBody()->without_terminator())
      b.clone(op, mapping);
    for (auto [value, yielded] :
         llvm::zip_equal(carried, loop.getYieldedValues()))
      value = mapping.lookupOrDefault(yielded);
  }
}

static void nameParts(scf::ForOp main, scf::ForOp rest, int64_t factor) {
  LoopParts parts = getParts(rest);
  int64_t step = getStep(rest);
  setParts(main, divide(countIterations(parts, main.getLowerBound(), step),
                        factor, step));
  // It begins where whole steps end, and the ends that its parts tell of may be
  // those of the loop before.
  setParts(rest, parts.forgetFirst());
  nameLoop(rest, ".rest");
}

// sch-7
Loops LoopEdit::unroll(scf::ForOp loop, int64_t factor) {
  if (!checkForm(loop) || !checkHasNoCheck(loop) || !checkFactor(loop, factor))
    return {};
  Location loc = loop.getLoc();
  b.setInsertionPoint(loop);
  Value steps = getNumber(getStep(loop) * factor, loc),
        end = computeEnd(loop, factor, steps);
  auto main = scf::ForOp::create(b, loc, loop.getLowerBound(), end, steps,
                                 loop.getInitArgs());
  main->setDiscardableAttrs(loop->getDiscardableAttrDictionary());
  main.getBody()->clear();
  b.setInsertionPointToStart(main.getBody());
  SmallVector<Value> carried(main.getRegionIterArgs());
  copyIterations(loop, main.getInductionVar(), factor, carried);
  scf::YieldOp::create(b, loc, carried);
  b.modifyOpInPlace(loop, [&] {
    loop.setLowerBound(end);
    loop.getInitArgsMutable().assign(main.getResults());
  });
  nameParts(main, loop, factor);
  return {main, loop};
}

// sch-12: of whole steps, the iterations of a step stand innermost, and are
// then copied.
Loops LoopEdit::unrollAndJam(ArrayRef<scf::ForOp> loops, int64_t factor) {
  scf::ForOp loop = loops.front();
  if (!checkBand(loops) || !checkFactor(loop, factor))
    return {};
  auto inward = llvm::to_vector(llvm::seq<int64_t>(1, loops.size()));
  inward.push_back(0);
  if (needsProjection(loops, inward))
    return refuse("the bounds of a loop in " + describeLoop(loop) +
                      " depend on it, so that its iterations do not run "
                      "together",
                  loop);
  if (!open(loop))
    return {};
  Location loc = loop.getLoc();
  b.setInsertionPoint(loop);
  Value steps = getNumber(getStep(loop) * factor, loc),
        end = computeEnd(loop, factor, steps);
  IRMapping mapping;
  auto main = cast<scf::ForOp>(b.clone(*loop, mapping));
  main.setUpperBound(end);
  main.setStep(steps);
  b.modifyOpInPlace(loop, [&] { loop.setLowerBound(end); });
  nameParts(main, loop, factor);

  Block *body = main.getBody();
  b.setInsertionPointToStart(body);
  Value first = main.getInductionVar(),
        last = make<arith::AddIOp>(loc, first, steps);
  scf::ForOp step = makeLoop(main, first, last, loop.getStep());
  nameLoop(step, ".step");
  setParts(step, getParts(loop));
  for (Operation &op : llvm::make_early_inc_range(
           llvm::make_range(std::next(step->getIterator()),
                            body->getTerminator()->getIterator())))
    b.moveOpBefore(&op, step.getBody()->getTerminator());
  llvm::SmallPtrSet<Operation *, 2> bounds = {last.getDefiningOp(), step};
  b.replaceAllUsesExcept(first, step.getInductionVar(), bounds);

  Loops band = {main, step};
  SmallVector<int64_t> order = {0}, inside;
  for (size_t number = 1; number < loops.size(); ++number) {
    Operation *inner = scf::ForOp(loops[number]);
    band.push_back(cast<scf::ForOp>(mapping.lookup(inner)));
    order.push_back(number + 1);
    inside.push_back(number);
  }
  order.push_back(1);
  inside.push_back(0);
  std::unique_ptr<LoopOrder> facts = open(main);
  if (!facts)
    return {};
  if (!mayPermute(*facts, getLoopsAround(main).size(), order))
    return refuse(facts->because);
  Loops made = permute(ArrayRef(band).drop_front(), inside);
  if (made.empty())
    return {};
  scf::ForOp innermost = made.back();
  b.setInsertionPoint(innermost);
  SmallVector<Value> carried;
  copyIterations(innermost, innermost.getLowerBound(), factor, carried);
  b.eraseOp(innermost);
  return {main, loop};
}
