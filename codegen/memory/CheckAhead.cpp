//===- CheckAhead.cpp - checks of indices that are data
//--------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A check in an innermost loop, such as that of `x[at[i]]`, is a way out of
// each iteration, so that LLVM neither unrolls the loop nor makes vectors of
// it. Such a loop runs in blocks of iterations. A first loop over a block
// computes whether all checks of the block hold. Then the block runs without
// checks, and else as it was, up to the very failure (decision 127).
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/memory/ApartMemory.h"
#include "codegen/memory/MemoryAttributes.h"
#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"
#include "legalize/memory/NestGuard.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMCHECKAHEAD
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// Iterations of a block: what the checks have read is in the first cache when
/// the block runs. A block of fewer than kLeast iterations is not worth a loop
/// of vectors.
static constexpr int64_t kBlock = 512, kLeast = 32;
/// Operations of a loop that is copied, and of all in a function; memrefs of a
/// loop; loops of checks for a block.
static constexpr size_t kMostOperations = 128, kMostOperationsTogether = 1024;
static constexpr size_t kMostBases = 6, kMostStages = 3;

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

/// The checks of a loop, in stages. The condition of a check is computed of
/// loads and total operations. A load stands in a later stage than the checks
/// in front of it in the loop's body, because it may rely on them; what is read
/// nothing in the loop writes.
struct ChecksAhead {
  struct Stage {
    /// Conditions that are the same in all iterations, and others.
    SmallVector<Value> fixed, varying;
  };

  /// Nothing if the loop has no checks, if it is not made of arithmetic,
  /// loads, stores and checks that can run ahead, or if nothing is gained: a
  /// loop that carries a float waits for its sum, and checks meanwhile.
  static std::optional<ChecksAhead> get(scf::ForOp loop) {
    ChecksAhead checks;
    if (!checks.findMemory(loop) || !checks.findStages(loop) ||
        checks.stages.empty() ||
        (checks.varies() &&
         llvm::any_of(loop.getInitArgs().getTypes(), llvm::IsaPred<FloatType>)))
      return std::nullopt;
    return checks;
  }

  bool varies() const {
    return llvm::any_of(
        stages, [](const Stage &stage) { return !stage.varying.empty(); });
  }

  bool writes() const {
    return llvm::any_of(memory, [](auto &entry) { return entry.second; });
  }

  SmallVector<Stage> stages;
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

  /// When a value is known, and whether iterations differ in it.
  struct Known {
    size_t stage = 0;
    bool varies = false;
  };

  bool findStages(scf::ForOp loop) {
    llvm::DenseMap<Value, Known> all;
    all[loop.getInductionVar()] = {0, true};
    auto find = [&](ValueRange values) -> std::optional<Known> {
      Known known;
      for (Value value : values) {
        if (loop.isDefinedOutsideOfLoop(value))
          continue;
        auto it = all.find(value);
        if (it == all.end())
          return std::nullopt;
        known.stage = std::max(known.stage, it->second.stage);
        known.varies |= it->second.varies;
      }
      return known;
    };
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (auto require = dyn_cast<loom::RequireOp>(op)) {
        std::optional<Known> known = find(require.getCondition());
        if (!known || known->stage == kMostStages)
          return false;
        stages.resize(std::max(stages.size(), known->stage + 1));
        Stage &stage = stages[known->stage];
        (known->varies ? stage.varying : stage.fixed)
            .push_back(require.getCondition());
        continue;
      }
      auto load = dyn_cast<memref::LoadOp>(op);
      bool isRead = load && !memory.lookup(getBase(load.getMemRef()));
      if (!isRead && !isTotal(&op))
        continue;
      std::optional<Known> known = find(op.getOperands());
      if (!known)
        continue;
      if (isRead)
        known->stage = std::max(known->stage, stages.size());
      all[op.getResult(0)] = *known;
    }
    return true;
  }
};

/// Makes one loop a loop over blocks.
class LoopInBlocks {
  /// Fills a region by `b`.
  template <typename Fill> auto at(Fill fill) {
    return [this, fill](OpBuilder &inner, Location, auto... arguments) {
      OpBuilder::InsertionGuard guard(b);
      b.restoreInsertionPoint(inner.saveInsertionPoint());
      fill(arguments...);
    };
  }

public:
  LoopInBlocks(scf::ForOp loop, const ChecksAhead &checks)
      : loop(loop), checks(checks), b(loop), loc(loop.getLoc()) {}

  /// The blocks carry the variable of their first iteration, and how many
  /// iterations are left: no sum of bounds and sizes can leave 64 bits.
  void insert() {
    b.setInsertionPoint(findFront());
    Value apart =
        checks.writes() ? computeApart(b, loc, checks.memory) : Value();
    b.setInsertionPoint(loop);
    SmallVector<Value> start = {loop.getLowerBound(), countIterations()};
    llvm::append_range(start, loop.getInitArgs());
    auto blocks = scf::WhileOp::create(
        b, loc, ValueRange(start).getTypes(), start,
        at([&](ValueRange carried) {
          Value goesOn =
              compare(arith::CmpIPredicate::ne, carried[1], getNumber(0));
          scf::ConditionOp::create(b, loc, goesOn, carried);
        }),
        at([&](ValueRange carried) { runBlock(carried, apart); }));
    loop.replaceAllUsesWith(blocks.getResults().drop_front(2));
    loop.erase();
  }

private:
  /// The outermost loop in front of which all memrefs stand.
  Operation *findFront() const {
    scf::ForOp front = loop;
    auto isInFront = [&](scf::ForOp outer) {
      return llvm::all_of(checks.memory, [&](auto &entry) {
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
    if (getStep() != 1)
      span = make<arith::AddIOp>(
          make<arith::DivUIOp>(make<arith::SubIOp>(span, getNumber(1)),
                               loop.getStep()),
          getNumber(1));
    return arith::SelectOp::create(
        b, loc, compare(arith::CmpIPredicate::slt, lower, upper), span, zero);
  }

  void runBlock(ValueRange carried, Value apart) {
    first = carried[0];
    size = arith::MinUIOp::create(b, loc, carried[1], getNumber(kBlock));
    ValueRange arguments = carried.drop_front(2);
    auto branch = scf::IfOp::create(
        b, loc, checkAll(apart), at([&] { run(arguments, /*checks=*/false); }),
        at([&] { run(arguments, /*checks=*/true); }));
    SmallVector<Value> next = {
        make<arith::AddIOp>(first, make<arith::MulIOp>(size, loop.getStep())),
        arith::SubIOp::create(b, loc, carried[1], size)};
    llvm::append_range(next, branch.getResults());
    scf::YieldOp::create(b, loc, next);
  }

  /// Whether all checks of the block hold. Each stage runs where the ones in
  /// front of it hold in all iterations.
  Value checkAll(Value holds) {
    if (checks.varies())
      holds = legalize::both(
          b, loc, holds,
          compare(arith::CmpIPredicate::uge, size, getNumber(kLeast)));
    for (const ChecksAhead::Stage &stage : checks.stages) {
      if (!holds) {
        holds = check(stage);
        continue;
      }
      auto branch = scf::IfOp::create(
          b, loc, holds,
          at([&] { scf::YieldOp::create(b, loc, check(stage)); }), at([&] {
            Value fails = arith::ConstantIntOp::create(b, loc, 0, 1);
            scf::YieldOp::create(b, loc, fails);
          }));
      holds = branch.getResult(0);
    }
    return holds;
  }

  Value check(const ChecksAhead::Stage &stage) {
    Value all;
    if (!stage.varying.empty())
      all = checkVarying(stage.varying);
    IRMapping copies;
    copies.map(loop.getInductionVar(), first);
    for (Value condition : stage.fixed)
      all = legalize::both(b, loc, all, copy(condition, copies));
    return all;
  }

  /// Counts the iterations in which all conditions hold, in words of the size
  /// of indices: LLVM makes vectors of this. It does not of booleans, nor of
  /// masks, of which it makes choices.
  Value checkVarying(ArrayRef<Value> conditions) {
    auto made = scf::ForOp::create(
        b, loc, getNumber(0), size, getNumber(1), getNumber(0),
        [&](OpBuilder &inner, Location, Value number, ValueRange carried) {
          OpBuilder::InsertionGuard guard(b);
          b.restoreInsertionPoint(inner.saveInsertionPoint());
          IRMapping copies;
          copies.map(loop.getInductionVar(), getVariable(number));
          Value holds;
          for (Value condition : conditions)
            holds = legalize::both(b, loc, holds, copy(condition, copies));
          Value one =
              arith::IndexCastUIOp::create(b, loc, b.getIndexType(), holds);
          scf::YieldOp::create(b, loc,
                               make<arith::AddIOp>(carried.front(), one));
        });
    return compare(arith::CmpIPredicate::eq, made.getResult(0), size);
  }

  /// Computes a value of the loop's body here.
  Value copy(Value value, IRMapping &copies) {
    if (loop.isDefinedOutsideOfLoop(value))
      return value;
    if (!copies.contains(value)) {
      Operation *op = value.getDefiningOp();
      for (Value operand : op->getOperands())
        copies.map(operand, copy(operand, copies));
      b.clone(*op, copies);
    }
    return copies.lookup(value);
  }

  /// Runs the iterations of the block, and yields what they carry.
  void run(ValueRange arguments, bool isChecked) {
    auto made =
        scf::ForOp::create(b, loc, getNumber(0), size, getNumber(1), arguments);
    if (arguments.empty())
      made.getBody()->getTerminator()->erase();
    OpBuilder inner = OpBuilder::atBlockEnd(made.getBody());
    std::swap(b, inner);
    IRMapping mapping;
    mapping.map(loop.getInductionVar(), getVariable(made.getInductionVar()));
    mapping.map(loop.getRegionIterArgs(), made.getRegionIterArgs());
    for (Operation &op : *loop.getBody())
      if (isChecked || !isa<loom::RequireOp>(op))
        b.clone(op, mapping);
    std::swap(b, inner);
    made->setAttr(kHasVersions, b.getUnitAttr());
    if (!isChecked && checks.memory.size() > 1)
      markApart(made, checks.memory, getBase);
    scf::YieldOp::create(b, loc, made.getResults());
  }

  /// The loop's variable in the iteration of the block with this number.
  Value getVariable(Value number) {
    return make<arith::AddIOp>(first,
                               make<arith::MulIOp>(number, loop.getStep()));
  }

  int64_t getStep() { return *getConstantIntValue(loop.getStep()); }
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
  const ChecksAhead &checks;
  OpBuilder b;
  Location loc;
  /// Of the block: the loop's variable in its first iteration, and how many
  /// iterations it has.
  Value first, size;
};

struct LoomCheckAheadPass
    : codegen::impl::LoomCheckAheadBase<LoomCheckAheadPass> {
  void runOnOperation() override {
    if (!loom::isOverMemory(getOperation()))
      return;
    SmallVector<scf::ForOp> loops;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
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
      std::optional<ChecksAhead> checks = ChecksAhead::get(loop);
      if (!checks || checks->numOperations > kMostOperations ||
          numOperations + checks->numOperations > kMostOperationsTogether)
        continue;
      numOperations += checks->numOperations;
      LoopInBlocks(loop, *checks).insert();
    }
  }
};

} // namespace
