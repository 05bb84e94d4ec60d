//===- CheckAhead.cpp - checks of indices that are data -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Other memory can change at any time: another thread of the caller writes it,
// or one file is mapped at two addresses. So no subscript is loaded again
// behind its check. The values that were checked are the ones that are used.
//
//===----------------------------------------------------------------------===//

#include "codegen/memory/CheckAhead.h"

#include "codegen/memory/ApartMemory.h"
#include "codegen/memory/JoinLimits.h"
#include "codegen/memory/MemoryAttributes.h"
#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"
#include "legalize/memory/NestGuard.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// Iterations of a block, and of one of a longer body: what is checked stays in
/// registers, or nearly so.
static constexpr size_t kBlock = 8, kShortBlock = 4;
/// Operations of a block, and of all that are added to a function.
static constexpr size_t kMostOperations = 256, kMostOperationsTogether = 2048;

/// Whether the operation computes integers of any operands, without undefined
/// results: it may run in iterations that the program does not come to.
static bool isTotal(Operation *op) {
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return apply.getAffineMap().getResult(0).isPureAffine();
  if (auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op))
    if (flags.getOverflowAttr().getValue() != arith::IntegerOverflowFlags::none)
      return false;
  return isa<arith::ConstantOp, arith::AddIOp, arith::SubIOp, arith::MulIOp,
             arith::AndIOp, arith::OrIOp, arith::XOrIOp, arith::CmpIOp,
             arith::SelectOp, arith::MinSIOp, arith::MaxSIOp, arith::MinUIOp,
             arith::MaxUIOp, arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp,
             arith::IndexCastOp, arith::IndexCastUIOp>(op);
}

namespace {

/// What can run ahead of the rest of a loop's body: checks, loads of what
/// nothing in the loop writes, and total operations.
struct WorkAhead {
  /// Nothing if the loop has no checks, or if something in it is no arithmetic,
  /// load or store, or a check that cannot run ahead.
  static std::optional<WorkAhead> get(scf::ForOp loop) {
    WorkAhead work;
    if (!work.findMemory(loop) || !work.findWork(loop) ||
        (!work.isChecked && !work.isCheckedOnce) || work.getBlock() == 0)
      return std::nullopt;
    return work;
  }

  /// How many iterations a block has; 0 if its code would be too long.
  size_t getBlock() const {
    if (!isChecked)
      return numOperations <= kMostOperations ? 1 : 0;
    for (size_t size : {kBlock, kShortBlock})
      if (size * numOperations <= kMostOperations)
        return size;
    return 0;
  }

  bool writes() const {
    return llvm::any_of(memory, [](auto &entry) { return entry.second; });
  }

  /// In the order of the body: what is the same in all iterations, and what
  /// each iteration computes. Each has checks or not.
  SmallVector<Operation *> once, each;
  bool isCheckedOnce = false, isChecked = false;
  /// The bases of the accesses.
  NestMemory memory;
  size_t numOperations = 0;

private:
  bool findMemory(scf::ForOp loop) {
    for (Operation &op : loop.getBody()->without_terminator()) {
      ++numOperations;
      if (Value accessed = getAccessedMemory(&op)) {
        Value base = getBase(accessed);
        if (!loop.isDefinedOutsideOfLoop(base))
          return false;
        memory[base] |= isa<memref::StoreOp>(op);
      } else if (op.getNumRegions() != 0 ||
                 (!isa<loom::RequireOp>(op) && !isMemoryEffectFree(&op))) {
        return false;
      }
    }
    return memory.size() <= kMostBases;
  }

  bool findWork(scf::ForOp loop) {
    llvm::DenseSet<Value> isSame, differs = {loop.getInductionVar()};
    for (Operation &op : loop.getBody()->without_terminator()) {
      auto load = dyn_cast<memref::LoadOp>(op);
      bool isCheck = isa<loom::RequireOp>(op);
      if (!isCheck && !isTotal(&op) &&
          (!load || memory.lookup(getBase(load.getMemRef()))))
        continue;
      // The numbers of a message are those of the loop itself.
      ValueRange operands = isCheck ? op.getOperands().take_front()
                                    : ValueRange(op.getOperands());
      auto isSameIn = [&](Value value) {
        return loop.isDefinedOutsideOfLoop(value) || isSame.contains(value);
      };
      if (!llvm::all_of(operands, [&](Value value) {
            return isSameIn(value) || differs.contains(value);
          })) {
        if (isCheck)
          return false;
        continue;
      }
      // A load may rely on the checks in front of it.
      bool runsOnce = llvm::all_of(operands, isSameIn) && !(load && isChecked);
      (runsOnce ? once : each).push_back(&op);
      if (isCheck)
        (runsOnce ? isCheckedOnce : isChecked) = true;
      else
        (runsOnce ? isSame : differs).insert(op.getResult(0));
    }
    return true;
  }
};

/// Gives one loop its version.
class LoopInBlocks {
  using Values = SmallVector<Value>;

public:
  LoopInBlocks(scf::ForOp loop, const WorkAhead &work)
      : loop(loop), work(work), b(loop), loc(loop.getLoc()),
        step(*getConstantIntValue(loop.getStep())) {}

  /// What the version carries begins with the number of the iterations that
  /// have run. The loop itself runs the others.
  void insert() {
    b.setInsertionPoint(findFront());
    Value apart = work.writes() ? computeApart(b, loc, work.memory) : Value();
    b.setInsertionPoint(loop);
    trips = countIterations();
    start = {getNumber(0)};
    llvm::append_range(start, loop.getInitArgs());
    Value runs = compare(arith::CmpIPredicate::ne, trips, getNumber(0));
    Values ran = runIf(
        legalize::both(b, loc, apart, runs),
        [&] {
          return runAhead(
              work.once, once,
              [&] { return work.isChecked ? runBlocks() : runAll(); }, start);
        },
        start);
    Value first = getVariable(loop.getLowerBound(), ran[0]);
    // Behind the last iteration, the variable may be no number of 64 bits.
    if (step != 1)
      first = arith::SelectOp::create(
          b, loc, compare(arith::CmpIPredicate::eq, ran[0], trips),
          loop.getUpperBound(), first);
    loop.setLowerBound(first);
    loop.getInitArgsMutable().assign(ArrayRef(ran).drop_front());
    loop->setAttr(kHasVersions, b.getUnitAttr());
  }

private:
  /// The outermost loop in front of which all memrefs stand.
  Operation *findFront() const {
    scf::ForOp front = loop;
    auto isInFront = [&](scf::ForOp outer) {
      return llvm::all_of(work.memory, [&](auto &entry) {
        return outer.isDefinedOutsideOfLoop(entry.first);
      });
    };
    for (auto outer = dyn_cast<scf::ForOp>(front->getParentOp());
         outer && isInFront(outer);
         outer = dyn_cast<scf::ForOp>(front->getParentOp()))
      front = outer;
    return front;
  }

  Value countIterations() {
    Value lower = loop.getLowerBound(), upper = loop.getUpperBound(),
          span = make<arith::SubIOp>(upper, lower), zero = getNumber(0);
    // Rounded up without a sum that leaves 64 bits.
    if (step != 1)
      span = make<arith::AddIOp>(
          make<arith::DivUIOp>(make<arith::SubIOp>(span, getNumber(1)),
                               getNumber(step)),
          getNumber(1));
    return arith::SelectOp::create(
        b, loc, compare(arith::CmpIPredicate::slt, lower, upper), span, zero);
  }

  /// What `run` gives where the condition holds, and else `otherwise`.
  Values runIf(Value condition, llvm::function_ref<Values()> run,
               ValueRange otherwise) {
    auto branch = scf::IfOp::create(b, loc, otherwise.getTypes(), condition,
                                    /*addThenBlock=*/true,
                                    /*addElseBlock=*/true);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(b, loc, run());
    b.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b, loc, otherwise);
    return Values(branch.getResults());
  }

  /// Computes this of the loop's body, and then runs `rest` where its checks
  /// hold; otherwise `otherwise`.
  Values runAhead(ArrayRef<Operation *> ops, IRMapping &mapping,
                  llvm::function_ref<Values()> rest, ValueRange otherwise) {
    while (!ops.empty()) {
      Operation *op = ops.front();
      ops = ops.drop_front();
      if (auto check = dyn_cast<loom::RequireOp>(op))
        return runIf(
            mapping.lookupOrDefault(check.getCondition()),
            [&] { return runAhead(ops, mapping, rest, otherwise); }, otherwise);
      b.clone(*op, mapping);
    }
    return rest();
  }

  /// All iterations, which need no more checks.
  Values runAll() {
    auto made =
        scf::ForOp::create(b, loc, loop.getLowerBound(), loop.getUpperBound(),
                           loop.getStep(), loop.getInitArgs());
    if (loop.getInitArgs().empty())
      made.getBody()->getTerminator()->erase();
    {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToEnd(made.getBody());
      IRMapping mapping = once;
      mapping.map(loop.getInductionVar(), made.getInductionVar());
      scf::YieldOp::create(
          b, loc, runIteration(mapping, Values(made.getRegionIterArgs())));
    }
    mark(made);
    Values results = {trips};
    llvm::append_range(results, made.getResults());
    return results;
  }

  /// Blocks of iterations while all checks of a block hold.
  Values runBlocks() {
    size_t size = work.getBlock();
    Value limit =
        make<arith::AndIOp>(trips, getNumber(-static_cast<int64_t>(size)));
    auto blocks = scf::WhileOp::create(
        b, loc, ValueRange(start).getTypes(), start,
        [&](OpBuilder &inner, Location, ValueRange carried) {
          OpBuilder::InsertionGuard guard(b);
          b.restoreInsertionPoint(inner.saveInsertionPoint());
          Values otherwise = {arith::ConstantIntOp::create(b, loc, 0, 1)};
          llvm::append_range(otherwise, carried);
          Value more = compare(arith::CmpIPredicate::ult, carried[0], limit);
          Values next = runIf(
              more, [&] { return runBlock(size, carried, otherwise); },
              otherwise);
          scf::ConditionOp::create(b, loc, next[0],
                                   ArrayRef(next).drop_front());
        },
        [&](OpBuilder &inner, Location, ValueRange carried) {
          scf::YieldOp::create(inner, loc, carried);
        });
    mark(blocks);
    return Values(blocks.getResults());
  }

  Values runBlock(size_t size, ValueRange carried, ValueRange otherwise) {
    Value first = getVariable(loop.getLowerBound(), carried[0]);
    SmallVector<IRMapping> mappings(size, once);
    for (auto [number, mapping] : llvm::enumerate(mappings))
      mapping.map(loop.getInductionVar(),
                  getVariable(first, getNumber(number)));
    return runFrom(0, mappings, carried, otherwise);
  }

  /// Runs what is ahead of a block's iterations from this one on, and then the
  /// rest of all of them: whether the block has run, and what it carries.
  Values runFrom(size_t number, MutableArrayRef<IRMapping> mappings,
                 ValueRange carried, ValueRange otherwise) {
    if (number < mappings.size())
      return runAhead(
          work.each, mappings[number],
          [&] { return runFrom(number + 1, mappings, carried, otherwise); },
          otherwise);
    Values values(carried.drop_front());
    for (IRMapping &mapping : mappings)
      values = runIteration(mapping, values);
    Values next = {arith::ConstantIntOp::create(b, loc, 1, 1),
                   make<arith::AddIOp>(carried[0], getNumber(number))};
    llvm::append_range(next, values);
    return next;
  }

  /// Runs an iteration without checks, but for what is computed of it already.
  /// Returns what it carries on.
  Values runIteration(IRMapping &mapping, ArrayRef<Value> carried) {
    mapping.map(loop.getRegionIterArgs(), carried);
    for (Operation &op : loop.getBody()->without_terminator())
      if (!isa<loom::RequireOp>(op) &&
          (op.getNumResults() == 0 || !mapping.contains(op.getResult(0))))
        b.clone(op, mapping);
    return llvm::map_to_vector(loop.getYieldedValues(), [&](Value value) {
      return mapping.lookupOrDefault(value);
    });
  }

  void mark(Operation *made) {
    made->setAttr(kHasVersions, b.getUnitAttr());
    if (work.memory.size() > 1)
      markApart(made, work.memory, getBase);
  }

  /// The loop's variable so many iterations behind the one with `first`.
  Value getVariable(Value first, Value number) {
    return make<arith::AddIOp>(first,
                               make<arith::MulIOp>(number, getNumber(step)));
  }

  Value getNumber(int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value compare(arith::CmpIPredicate predicate, Value x, Value y) {
    return arith::CmpIOp::create(b, loc, predicate, x, y);
  }
  template <typename Op> Value make(Value x, Value y) {
    return b.createOrFold<Op>(loc, x, y);
  }

  scf::ForOp loop;
  const WorkAhead &work;
  OpBuilder b;
  Location loc;
  int64_t step;
  Value trips;
  /// What is carried in front of the first iteration.
  Values start;
  /// Values that are the same in all iterations.
  IRMapping once;
};

} // namespace

void codegen::checkAhead(func::FuncOp func) {
  joinLimits(func);
  SmallVector<scf::ForOp> loops;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->hasAttr(loom::kFindsFailure))
      return WalkResult::skip();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      loops.push_back(loop);
    return WalkResult::advance();
  });
  size_t numOperations = 0;
  for (scf::ForOp loop : loops) {
    std::optional<int64_t> step = getConstantIntValue(loop.getStep());
    if (!step || *step <= 0 || loop.getUnsignedCmp() ||
        !loop.getInductionVar().getType().isIndex())
      continue;
    std::optional<WorkAhead> work = WorkAhead::get(loop);
    size_t added = work ? work->getBlock() * work->numOperations : 0;
    if (!work || numOperations + added > kMostOperationsTogether)
      continue;
    numOperations += added;
    LoopInBlocks(loop, *work).insert();
  }
}
