//===- ParallelNests.cpp - loops over memory on several threads -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop whose iterations may run in any order becomes a function, which the
// runtime calls with parts of the iterations (broadloomRunLoop). One check in
// front says whether the loop's memory is apart (eff-2); where it is not, the
// loop runs as it was.
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/memory/LoopWork.h"
#include "codegen/memory/MemoryAttributes.h"
#include "codegen/memory/MiddleLoops.h"
#include "codegen/memory/ParallelLoop.h"
#include "dialect/MemoryFunction.h"
#include "legalize/memory/LoopDependences.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/SymbolTable.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMPARALLELIZENESTS
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;
using legalize::LoopDependences;

/// Operations of the parallel loops of a function, as for versions of nests
/// (VersionNests.cpp), and of a program: each takes LLVM as long as a function.
static constexpr size_t kMostOfFunction = 1024;
static constexpr size_t kMostOfProgram = 4096;
/// A loop of constant trip counts that has less work stays as it is: an eighth
/// of what the runtime needs (runtime/calls/ParallelLoop.cpp), which tests
/// lower.
static constexpr int64_t kLeastConstantWork = int64_t(1) << 15;

namespace {

/// The operations of functions that are made: those of loops that a schedule
/// has parallel, and of all, which has the first ones from the beginning.
struct Budget {
  size_t ofMarked = 0, ofAll = 0;

  /// Whether so many more are within the limit.
  bool has(size_t count, bool isMarked, size_t most) const {
    return (isMarked ? ofMarked : ofAll) + count <= most;
  }
  void take(size_t count, bool isMarked) {
    (isMarked ? ofMarked : ofAll) += count;
  }
};

class Parallelizer {
public:
  Parallelizer(func::FuncOp func, const legalize::CallEffects &effects,
               SymbolTable &symbols, unsigned &number, Budget &ofProgram)
      : func(func), effects(effects), symbols(symbols), number(number),
        ofProgram(ofProgram), roots(func) {
    ofFunction.ofAll = countMarked(func);
  }

  /// The operations of loops that a schedule has parallel.
  static size_t countMarked(func::FuncOp func) {
    size_t count = 0;
    func.walk<WalkOrder::PreOrder>([&](scf::ForOp loop) {
      if (!loop->hasAttr(kOnThreads))
        return WalkResult::advance();
      loop->walk([&](Operation *) { ++count; });
      return WalkResult::skip();
    });
    return count;
  }

  /// False if a loop that a schedule has parallel is none.
  bool run() {
    func.walk([&](scf::ForOp loop) {
      for (Operation *op = loop; loop->hasAttr(kOnThreads) && op != func;
           op = op->getParentOp())
        if (!aroundMarked.insert(op).second)
          break;
    });
    visit(func.getBody());
    return isDone;
  }

private:
  void visit(Region &region) {
    for (Block &block : region)
      for (Operation &op : llvm::make_early_inc_range(block)) {
        if (op.hasAttr(loom::kFindsFailure))
          continue;
        // The nest as it was before a schedule edited it runs rarely.
        if (op.hasAttr(kEdited)) {
          visit(cast<scf::IfOp>(op).getThenRegion());
          continue;
        }
        auto loop = dyn_cast<scf::ForOp>(op);
        if (loop && loop->hasAttr(kOnThreads)) {
          tryMarked(loop);
          continue;
        }
        if (loop && !aroundMarked.contains(loop) && isLarge(loop) &&
            tryFound(loop))
          continue;
        for (Region &inner : op.getRegions())
          visit(inner);
      }
  }

  /// A memory without axes has one element.
  static bool isCopyOfAxes(Operation *op) {
    auto copy = dyn_cast<memref::CopyOp>(op);
    auto type =
        copy ? dyn_cast<MemRefType>(copy.getTarget().getType()) : MemRefType();
    return type && type.getRank() > 0;
  }

  /// Whether threads may pay: a loop in another one has loops itself, and
  /// nothing says that there is little work.
  static bool isLarge(scf::ForOp loop) {
    bool hasLoop = false, isConstant = true;
    int64_t operations = 0;
    loop.getBody()->walk([&](Operation *op) {
      ++operations;
      if (auto inner = dyn_cast<scf::ForOp>(op)) {
        hasLoop = true;
        isConstant &= getTrips(inner).has_value();
      } else if (isa<func::CallOp>(op) || isCopyOfAxes(op)) {
        hasLoop = true;
        isConstant = false;
      }
    });
    std::optional<int64_t> trips = getTrips(loop);
    if ((trips && *trips <= 1) || loop->hasAttr(kIsEnd))
      return false;
    if (!hasLoop && loop->getParentOfType<scf::ForOp>())
      return false;
    return !trips || !isConstant || getConstantWork(loop) >= kLeastConstantWork;
  }

  /// Nothing of a loop without iterations either.
  static std::optional<int64_t> getTrips(scf::ForOp loop) {
    std::optional<APInt> trips = loop.getStaticTripCount();
    if (!trips || trips->isZero() || trips->getActiveBits() > 62)
      return std::nullopt;
    return trips->getZExtValue();
  }

  /// The work of loops with constant trip counts, at most kLeastConstantWork.
  static int64_t getConstantWork(scf::ForOp loop) {
    int64_t work = getCostOfIteration(loop);
    loop.getBody()->walk<WalkOrder::PreOrder>([&](scf::ForOp inner) {
      work += getConstantWork(inner);
      return WalkResult::skip();
    });
    int64_t trips = getTrips(loop).value_or(0);
    return std::min(std::min(trips, kLeastConstantWork) *
                        std::min(work, kLeastConstantWork),
                    kLeastConstantWork);
  }

  /// A loop that no schedule has parallel.
  bool tryFound(scf::ForOp loop) {
    if (loop.getUnsignedCmp())
      return false;
    LoopDependences facts(loop, roots, effects);
    // Most loops that cannot run in parts have dependences, which need no text.
    return facts.areIndependent() && describeObstacle(facts).empty() &&
           tryLoop(loop, facts, /*isMarked=*/false);
  }

  /// sch-15
  void tryMarked(scf::ForOp loop) {
    LoopDependences facts(loop, roots, effects, legalize::kMostOfEdit);
    // What it wrote when it was edited is in loops without iterations, which
    // are gone.
    if (writesNothing(facts)) {
      loop->removeAttr(kOnThreads);
      return;
    }
    std::string obstacle = describeObstacle(facts);
    auto edit = loop->getAttrOfType<LocationAttr>(kOnThreads);
    if (obstacle.empty() && tryLoop(loop, facts, /*isMarked=*/true))
      return;
    InFlightDiagnostic error =
        loop.emitError("a loop that the schedule has parallel cannot run on "
                       "threads: ")
        << (obstacle.empty() ? "it depends on too many values in front of it, "
                               "or the program has too many parallel loops"
                             : obstacle);
    if (edit)
      error.attachNote(edit) << "the edit";
    isDone = false;
  }

  /// Of a loop without an obstacle.
  bool tryLoop(scf::ForOp loop, const LoopDependences &facts, bool isMarked) {
    if (loop.getUnsignedCmp() ||
        !ofFunction.has(facts.numOperations, isMarked, kMostOfFunction) ||
        !ofProgram.has(facts.numOperations, isMarked, kMostOfProgram) ||
        !callInParts(loop, facts, symbols, number))
      return false;
    ofFunction.take(facts.numOperations, isMarked);
    ofProgram.take(facts.numOperations, isMarked);
    return true;
  }

  func::FuncOp func;
  const legalize::CallEffects &effects;
  SymbolTable &symbols;
  unsigned &number;
  Budget &ofProgram, ofFunction;
  const legalize::ExtentRoots roots;
  /// Loops that a schedule has parallel, and what is around them.
  llvm::DenseSet<Operation *> aroundMarked;
  bool isDone = true;
};

struct LoomParallelizeNestsPass
    : codegen::impl::LoomParallelizeNestsBase<LoomParallelizeNestsPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    const legalize::CallEffects effects(getOperation());
    unsigned number = 0;
    Budget budget;
    SmallVector<func::FuncOp> functions =
        loom::getMemoryFunctions(getOperation());
    for (func::FuncOp func : functions)
      budget.ofAll += Parallelizer::countMarked(func);
    for (func::FuncOp func : effects.sort(functions))
      if (!Parallelizer(func, effects, symbols, number, budget).run())
        return signalPassFailure();
  }
};

} // namespace
