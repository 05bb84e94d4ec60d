//===- AutoSchedule.cpp - a schedule that is found ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of loops that stand in each other, the one whose accesses follow one another
// comes innermost, where LLVM makes vectors of it; loops that stand beside
// statements are taken apart for that. What is used again is tiled, so that it
// stays in the cache, and some rows at a time use or update each element that
// they share.
// The outermost loop without dependences runs on threads anyway
// (ParallelNests.cpp). A nest whose edits are refused is tried again with fewer
// of them.
//
//===----------------------------------------------------------------------===//

#include "codegen/schedule/AutoSchedule.h"

#include "codegen/memory/NestProduct.h"
#include "codegen/schedule/AccessStrides.h"
#include "codegen/schedule/LoopEdit.h"
#include "codegen/schedule/NamedLoops.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// Operations of a nest that is edited, and of all of a function.
static constexpr size_t kMostOfScheduled = 128, kMostScheduledTogether = 1024;
/// Iterations of tiles: 2 KiB of a row of doubles, with which the rows of a
/// tile stay in the second cache; and of two loops, of which one goes down
/// columns.
static constexpr int64_t kTile[] = {32, 64, 256}, kTileOfColumns = 32;
/// Rows that use an element of another matrix while it is in a register.
static constexpr int64_t kRows = 4;
/// Elements of a row that LLVM keeps in registers, where it is a constant.
static constexpr uint64_t kShortRow = 32;

namespace {

/// Edits that are tried beside interchanges.
struct Effort {
  bool distributes, tiles, jams;
};

class AutoSchedule {
public:
  AutoSchedule(RewriterBase &b, const legalize::CallEffects *effects,
               Effort effort)
      : b(b), effects(effects), effort(effort) {}

  /// Whether no edit was refused in the nest.
  bool run(scf::ForOp nest) {
    edit(nest);
    return !isRefused;
  }

private:
  /// The loops from `loop` on that stand in each other with nothing beside them
  /// but arithmetic.
  static Loops getBand(scf::ForOp loop) {
    Loops band = {loop};
    while (true) {
      scf::ForOp inner;
      for (Operation &op : band.back().getBody()->without_terminator()) {
        auto next = dyn_cast<scf::ForOp>(op);
        if ((next && inner) || (!next && !isMovable(op)))
          return band;
        inner = next ? next : inner;
      }
      if (!inner)
        return band;
      band.push_back(inner);
    }
  }

  void edit(scf::ForOp loop) {
    Loops band = getBand(loop);
    SmallVector<scf::ForOp> inside;
    band.back().getBody()->walk<WalkOrder::PreOrder>([&](scf::ForOp inner) {
      inside.push_back(inner);
      return WalkResult::skip();
    });
    if (band.size() > 1 && inside.empty())
      return editBand(band);
    if (effort.distributes && inside.size() == 1 &&
        shouldStandAlone(band.back(), inside.front()))
      return standAlone(band.back(), inside.front());
    for (scf::ForOp inner : inside)
      if (!isRefused)
        edit(inner);
  }

  /// Whether the innermost of the loops from `inner` on should be `loop`, in
  /// which statements stand beside `inner`.
  bool shouldStandAlone(scf::ForOp loop, scf::ForOp inner) const {
    Loops band = {loop};
    llvm::append_range(band, getBand(inner));
    bool hasLoop = false;
    band.back().getBody()->walk([&](scf::ForOp) { hasLoop = true; });
    LoopOrder order(loop, effects);
    return !hasLoop && order.because.empty() &&
           AccessStrides(order, band).getBestInnermost() == 0;
  }

  /// Takes the other statements out of the loop.
  void standAlone(scf::ForOp loop, scf::ForOp inner) {
    SmallVector<Operation *> statements = getStatements(loop);
    int64_t number = llvm::find(statements, inner) - statements.begin(),
            behind = statements.size() - number - 1;
    Loops parts = {loop};
    if (number > 0 && !take(makeEdit().distribute(loop, number), parts))
      return;
    Loops last = {parts.back()};
    if (behind > 0 && !take(makeEdit().distribute(parts.back(), 1), last))
      return;
    editBand(getBand(last.front()));
    // Without another order it is better as it was.
    isRefused |= !isInterchanged;
  }

  static SmallVector<int64_t> getOrder(size_t count, size_t innermost) {
    auto order = llvm::to_vector(llvm::seq<int64_t>(0, count));
    order.erase(order.begin() + innermost);
    order.push_back(innermost);
    return order;
  }

  void editBand(Loops band) {
    isInterchanged = false;
    LoopOrder order(band.front(), effects);
    if (!order.because.empty())
      return;
    AccessStrides strides(order, band);
    if (strides.getNumAccesses() == 0)
      return;
    size_t count = band.size(), best = strides.getBestInnermost(),
           numAround = getLoopsAround(band.front()).size();
    SmallVector<int64_t> numbers = getOrder(count, best);
    if (!mayPermute(order, numAround, numbers)) {
      best = count - 1;
      numbers = getOrder(count, best);
    }
    bool paysToTile = effort.tiles && (strides.isStrided(best) ||
                                       (count > 2 && strides.hasReuse()));
    bool paysToJam = effort.jams && count > 1 &&
                     strides.updatesAgain(numbers[count - 2], best);
    bool isFree =
        (paysToTile || paysToJam) && mayPermuteAny(order, numAround, count);
    isInterchanged = best + 1 != count;
    if (isInterchanged && !take(makeEdit().interchange(band, numbers), band))
      return;
    if (!isFree)
      return;
    if (!paysToTile)
      return jamUpdates(ArrayRef(band).take_back(2));
    size_t numTiled = std::min<size_t>(count, std::size(kTile));
    SmallVector<int64_t> sizes(ArrayRef(kTile).take_back(numTiled));
    if (count == 2)
      sizes.assign(2, kTileOfColumns);
    Loops tiled(ArrayRef(band).take_back(numTiled));
    if (!take(makeEdit().tile(tiled, sizes), tiled))
      return;
    size_t row = numbers[count - numTiled];
    if (!effort.jams || count == 2 || !strides.isSharedBy(row, best))
      return;
    Loops rows(ArrayRef(tiled).take_back(numTiled));
    take(makeEdit().unrollAndJam(rows, kRows), rows);
  }

  /// Iterations of the outer loop update the same elements: some of them at a
  /// time load and store each once. LLVM has a short row in registers anyway.
  void jamUpdates(ArrayRef<scf::ForOp> loops) {
    scf::ForOp outer = loops.front(), inner = loops.back();
    std::optional<APInt> trips = inner.getStaticTripCount();
    SmallVector<Value> variables;
    for (Value bound : {inner.getLowerBound(), inner.getUpperBound()})
      if (!findVariables(bound, outer, variables))
        return;
    if ((trips && trips->ule(kShortRow)) ||
        llvm::is_contained(variables, outer.getInductionVar()))
      return;
    Loops made;
    take(makeEdit().unrollAndJam(loops, kRows), made);
  }

  bool take(Loops made, Loops &loops) {
    isRefused |= made.empty();
    loops = std::move(made);
    return !isRefused;
  }

  LoopEdit makeEdit() const { return LoopEdit(b, effects); }

  RewriterBase &b;
  const legalize::CallEffects *effects;
  const Effort effort;
  bool isRefused = false, isInterchanged = false;
};

} // namespace

static size_t countInNest(Operation *op) {
  size_t count = 0;
  op->walk([&](Operation *) { ++count; });
  return count;
}

static void scheduleNests(func::FuncOp func,
                          const legalize::CallEffects &effects) {
  SmallVector<scf::ForOp> nests;
  visitScheduled(func.getBody(), [&](Operation &op) {
    auto loop = dyn_cast<scf::ForOp>(op);
    if (loop)
      nests.push_back(loop);
    return bool(loop);
  });
  IRRewriter b(func.getContext());
  size_t inAll = 0;
  for (scf::ForOp nest : nests) {
    size_t count = countInNest(nest);
    if (NestProduct::isRaised(nest) || count > kMostOfScheduled ||
        inAll + count > kMostScheduledTogether)
      continue;
    inAll += count;
    Operation *behind = nest->getNextNode();
    for (Effort effort :
         {Effort{true, true, true}, Effort{false, true, true},
          Effort{false, true, false}, Effort{false, false, false}}) {
      if (AutoSchedule(b, &effects, effort).run(nest))
        break;
      nest = LoopEdit(b).undo(behind->getPrevNode());
    }
  }
}

void codegen::scheduleNests(ModuleOp program) {
  const legalize::CallEffects effects(program);
  for (func::FuncOp func : effects.sort(loom::getMemoryFunctions(program)))
    ::scheduleNests(func, effects);
}
