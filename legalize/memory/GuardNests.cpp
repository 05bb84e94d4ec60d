//===- GuardNests.cpp - one guard for a loop nest -------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Finds the outermost loop in front of which each access can be checked.
//
//===----------------------------------------------------------------------===//

#include "dialect/MemoryFunction.h"
#include "infer/report/CollectedReport.h"
#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"
#include "legalize/memory/NestGuard.h"
#include "legalize/memory/NestPlaces.h"
#include "legalize/memory/NestReader.h"
#include "legalize/memory/NestRepeats.h"
#include "legalize/memory/NestReport.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMGUARDNESTS
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

namespace {

class NestFinder {
public:
  explicit NestFinder(func::FuncOp func) : func(func), roots(func) {
    func.walk([&](Operation *op) {
      if (NestReader::isChecked(op))
        accesses.push_back(op);
    });
  }

  void insert() {
    if (accesses.empty())
      return;
    NestPlaces places(func);
    NestRepeats repeats(func);
    Operation *last = nullptr;
    for (Operation *op : accesses) {
      // Another access, whose guard stands for this one too.
      if (op->hasAttr(loom::kChecked))
        continue;
      SmallVector<Operation *> loops = NestReader::getLoopsAround(op);
      Operation *outermost = loops.empty() ? nullptr : loops.back();
      if (outermost != last)
        settle(places, repeats);
      last = outermost;
      if (outermost && MemoryAccess::isAccess(op) && repeats.isCovered(op))
        op->setAttr(loom::kChecked, UnitAttr::get(op->getContext()));
      else
        find(op);
    }
    settle(places, repeats);
    for (auto &[nest, checked] : nests) {
      std::optional<NestPlaces::Place> place = places.find(nest, checked);
      insertNestGuard(place ? places.open(*place) : OpBuilder(nest), nest,
                      checked);
    }
  }

  void report(infer::GuardReport &report) {
    for (Operation *op : accesses)
      find(op);
    NestPlaces places(func);
    for (auto &[nest, checked] : nests)
      reportNest(nest, places.find(nest, checked), checked, report);
    for (auto &[op, because] : alone)
      reportAlone(op, because, report);
    // The others have rows of their own.
    for (auto &[nest, checked] : nests)
      for (const CheckedAccess &access : checked)
        if (!access.axes.empty() && !access.isRefuted())
          markChecked(access.op, access.axes);
  }

private:
  /// Notes for later accesses what the guards of the latest nests cover. One at
  /// the function's entry, or behind an allocation there, covers all that is
  /// behind it; one in front of its nest what is in the same block.
  void settle(const NestPlaces &places, NestRepeats &repeats) {
    for (; numSettled < nests.size(); ++numSettled) {
      const auto &[nest, checked] = nests.begin()[numSettled];
      std::optional<NestPlaces::Place> place = places.find(nest, checked);
      // Under a branch that is repeated for it, a guard may not run.
      if (place && !place->branches.empty())
        continue;
      for (const CheckedAccess &access : checked)
        // What is refuted is an error at each place.
        if (MemoryAccess::isAccess(access.op) && access.axes.empty() &&
            !access.isRefuted())
          repeats.cover(access.op, place ? nullptr : nest->getBlock());
    }
  }

  /// A condition in front of a loop, about all axes that were open or, without
  /// `isWhole`, about some of them.
  struct Found {
    Operation *nest;
    std::shared_ptr<NestReader> reader;
    poly::Condition condition;
    bool isWhole;
  };

  /// Where the axes of an access can be checked.
  struct Search {
    SmallVector<std::pair<Operation *, CheckedAccess>> checks;
    /// The axes that these are about, if not about all.
    SmallVector<unsigned> axes;
    bool isWhole = false;
    /// Why some axes, or all, have no check in front of a loop.
    std::string because = "a bound or a subscript is not affine in numbers "
                          "that are known in front of a loop";
  };

  /// Takes, for each axis, the outermost loop in front of which it can be
  /// checked.
  void find(Operation *op) {
    if (op->getBlock() != block)
      inBlock.clear();
    block = op->getBlock();
    std::optional<MemoryAccess> access;
    if (MemoryAccess::isAccess(op))
      access = MemoryAccess::get(op);
    for (auto &[before, search] : inBlock)
      if (access && before == *access)
        return add(op, search);
    Search search;
    SmallVector<Operation *> loops = NestReader::getLoopsAround(op);
    for (Operation *loop : llvm::reverse(loops)) {
      if (std::optional<Found> found = findInFront(loop, op, search))
        take(op, std::move(*found), search);
      if (search.isWhole)
        break;
    }
    add(op, search);
    if (access)
      inBlock.emplace_back(*access, std::move(search));
  }

  void take(Operation *op, Found found, Search &search) {
    bool isAll = found.isWhole && search.axes.empty();
    SmallVector<unsigned> axes = found.reader->axes;
    llvm::append_range(search.axes, axes);
    search.isWhole = found.isWhole;
    search.checks.push_back(
        {found.nest,
         {op, std::move(found.reader), std::move(found.condition),
          isAll ? SmallVector<unsigned>() : axes}});
  }

  std::optional<Found> findInFront(Operation *loop, Operation *op,
                                   Search &search) {
    std::optional<Found> exact, wider;
    poly::Limit limit = tryLoop(loop, /*isWider=*/false, op, search, exact);
    if (!(exact && exact->isWhole) &&
        (limit == poly::Limit::None || limit == poly::Limit::Product))
      tryLoop(loop, /*isWider=*/true, op, search, wider);
    return (wider && wider->isWhole) || !exact ? std::move(wider)
                                               : std::move(exact);
  }

  /// Looks for a condition in front of the loop, for each size of numbers until
  /// the question about all open axes has a limit, which is the result. Why
  /// there is no exact one is what `search` tells.
  poly::Limit tryLoop(Operation *loop, bool isWider, Operation *op,
                      Search &search, std::optional<Found> &found) {
    auto fail = [&](std::string because) {
      if (!isWider && !because.empty())
        search.because = std::move(because);
    };
    bool triesSome = true;
    for (NestNumbers::Sizes sizes : NestNumbers::kAllSizes) {
      auto reader = std::make_shared<NestReader>(loop, sizes, roots, isWider);
      bool isWhole = reader->read(op, search.axes);
      if (!isWhole)
        fail(reader->because);
      if (!isWhole && (!triesSome || reader->axes.empty()))
        continue;
      poly::Inside inside = reader->whenInside();
      if (inside.condition && reader->fits(*inside.condition)) {
        found = {loop, std::move(reader), std::move(*inside.condition),
                 isWhole};
        if (isWhole)
          break;
        triesSome = false;
      } else if (!isWhole) {
        triesSome = bool(inside.condition);
      } else if (!inside.condition) {
        fail(poly::describe(inside.limit));
        return inside.limit;
      } else {
        fail("numbers of its condition may be too large");
      }
    }
    return poly::Limit::None;
  }

  void add(Operation *op, const Search &search) {
    for (const auto &[nest, check] : search.checks) {
      nests[nest].push_back(check);
      nests[nest].back().op = op;
    }
    if (!search.isWhole && (op->getParentOfType<affine::AffineForOp>() ||
                            op->getParentOfType<scf::ForOp>()))
      alone.push_back({op, search.because});
  }

  func::FuncOp func;
  ExtentRoots roots;
  /// In the order of the text.
  std::vector<Operation *> accesses;
  llvm::MapVector<Operation *, std::vector<CheckedAccess>> nests;
  /// How many of the nests were noted for repeated accesses.
  size_t numSettled = 0;
  /// Accesses in loops that have no condition in front of one, and why.
  std::vector<std::pair<Operation *, std::string>> alone;
  /// The block that was looked at last, and its accesses.
  Block *block = nullptr;
  std::vector<std::pair<MemoryAccess, Search>> inBlock;
};

struct LoomGuardNestsPass
    : legalize::impl::LoomGuardNestsBase<LoomGuardNestsPass> {
  LogicalResult apply(ModuleOp module) override {
    infer::GuardReport *report = infer::CollectedReport::get(
        getCachedAnalysis<infer::CollectedReport>());
    for (auto func : module.getOps<func::FuncOp>())
      if (loom::isOverMemory(func)) {
        NestFinder finder(func);
        if (report)
          finder.report(*report);
        else
          finder.insert();
      }
    return success();
  }
};

} // namespace
