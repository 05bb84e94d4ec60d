//===- RowPartition.cpp - cutting reductions into stages ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/RowPartition.h"
#include "codegen/kernels/StagePartition.h"
#include "dialect/ScalarBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;
using loom::ReduceOp;

/// A value that costs more than this is stored from one sweep to the next. A
/// store and a load of all elements cost as much, and take space in the first
/// cache.
static constexpr unsigned kWorthKeepingOfRow = 3;

namespace {

class RowPartitioner {
public:
  RowPartitioner(Block &body, ArrayRef<bool> perRow) : body(body) {
    result.dependences = loom::getRowDependences(body);
    for (BlockArgument argument : body.getArguments())
      if (perRow[argument.getArgNumber()])
        result.perRow.insert(argument);
  }

  RowPartition run() {
    for (Operation &op : body.without_terminator())
      if (!op.hasTrait<OpTrait::ConstantLike>() && !isa<loom::IndexOp>(op))
        operations.push_back(&op);
    for (Operation *op : operations)
      classify(op);
    for (Operation *op : llvm::reverse(operations))
      delay(op);
    group();
    connect();
    return std::move(result);
  }

private:
  /// The sweep over a row in which an operation is computed. An operation that
  /// is computed once per row runs before that sweep.
  struct Fact {
    unsigned sweep = 0;
    bool perRow = false;
  };

  void classify(Operation *op) {
    Fact fact;
    fact.perRow = !isa<ReduceOp>(op);
    for (Value operand : loom::getReads(op)) {
      // Constants belong to no sweep.
      if (result.dependences.contains(operand))
        fact.perRow &= result.perRow.contains(operand);
      Operation *def = operand.getDefiningOp();
      fact.perRow &= !isa_and_nonnull<loom::IndexOp>(def);
      if (auto it = facts.find(def); it != facts.end())
        fact.sweep =
            std::max(fact.sweep, it->second.sweep + isa<ReduceOp>(def));
    }
    facts[op] = fact;
    if (fact.perRow || isa<ReduceOp>(op))
      result.perRow.insert(op->result_begin(), op->result_end());
  }

  /// Moves an operation to the first sweep that needs its result, so that the
  /// result need not be stored between sweeps.
  void delay(Operation *op) {
    Fact &fact = facts[op];
    if (isa<ReduceOp>(op) || fact.perRow)
      return;
    unsigned first = UINT_MAX;
    for (Operation *user : loom::getReaders(body, op->getResults())) {
      if (user == body.getTerminator())
        return;
      first = std::min(first, facts.lookup(user).sweep);
    }
    if (first != UINT_MAX)
      fact.sweep = first;
  }

  void group() {
    unsigned last = 0;
    for (Operation *op : operations)
      last = std::max(last, facts[op].sweep);
    std::vector<SmallVector<Operation *>> rows(last + 1), sweeps(last + 1);
    for (Operation *op : operations) {
      Fact fact = facts[op];
      (fact.perRow ? rows : sweeps)[fact.sweep].push_back(op);
    }
    for (unsigned i = 0; i <= last; ++i) {
      cut(rows[i], /*perRow=*/true);
      cut(sweeps[i], /*perRow=*/false);
    }
  }

  /// Cuts operations into stages of bounded size.
  void cut(ArrayRef<Operation *> members, bool perRow) {
    llvm::SmallPtrSet<void *, 32> pointers;
    size_t count = 0;
    for (Operation *op : members) {
      SmallVector<void *> touched;
      for (Value operand : loom::getReads(op))
        if (isa<BlockArgument>(operand) || operand.getDefiningOp<ReduceOp>())
          touched.push_back(operand.getAsOpaquePointer());
      if (isa<ReduceOp>(op) ||
          llvm::is_contained(op->getUsers(), body.getTerminator()))
        touched.push_back(op);
      size_t more = llvm::count_if(
          touched, [&](void *pointer) { return !pointers.contains(pointer); });
      if (count == 0 || count == kMaxStageOperations ||
          pointers.size() + more > kMaxStagePointers) {
        result.stages.emplace_back().perRow = perRow;
        pointers.clear();
        count = 0;
      }
      ++count;
      pointers.insert_range(touched);
      RowStage &stage = result.stages.back();
      if (auto reduce = dyn_cast<ReduceOp>(op))
        stage.reductions.push_back(reduce);
      else
        stage.operations.push_back(op);
    }
  }

  bool isResult(Value value) const {
    return llvm::is_contained(value.getUsers(), body.getTerminator());
  }

  /// The operations that recompute a value from values in memory, in order.
  /// follow() returns false if that costs more than storing the value.
  struct Chain {
    SmallVector<Operation *> operations;
    llvm::SmallPtrSet<void *, 4> loaded;
    unsigned cost = 0;
  };
  bool follow(Operation *op, Chain &chain) const {
    if (llvm::is_contained(chain.operations, op))
      return true;
    chain.cost += getScalarCost(op);
    if (chain.cost > kWorthKeepingOfRow)
      return false;
    for (Value operand : loom::getReads(op)) {
      Operation *def = operand.getDefiningOp();
      if (result.perRow.contains(operand) || (def && !facts.contains(def)))
        continue;
      if (!def || isResult(operand)) {
        chain.loaded.insert(operand.getAsOpaquePointer());
        if (chain.loaded.size() > 1)
          return false;
      } else if (!follow(def, chain)) {
        return false;
      }
    }
    chain.operations.push_back(op);
    return true;
  }

  /// Adds cheap operations that compute an input of `stage` to the stage
  /// itself.
  void recompute(RowStage &stage) {
    llvm::SetVector<Operation *> own(stage.operations.begin(),
                                     stage.operations.end());
    SmallVector<Value> read;
    for (Operation *op : stage.operations)
      llvm::append_range(read, loom::getReads(op));
    for (ReduceOp reduce : stage.reductions)
      read.push_back(reduce.getValue());
    for (Value value : read) {
      Operation *def = value.getDefiningOp();
      Chain chain;
      if (!def || !facts.contains(def) || own.contains(def) ||
          result.perRow.contains(value) || isResult(value) ||
          !follow(def, chain) ||
          own.size() + chain.operations.size() > kMaxStageOperations)
        continue;
      own.insert(chain.operations.begin(), chain.operations.end());
    }
    stage.operations.assign(own.begin(), own.end());
    llvm::sort(stage.operations, [](Operation *one, Operation *other) {
      return one->isBeforeInBlock(other);
    });
  }

  /// The inputs of a stage, and its indices.
  void connectInputs(RowStage &stage) {
    llvm::SmallPtrSet<Operation *, 32> own(stage.operations.begin(),
                                           stage.operations.end());
    llvm::SetVector<Value> inputs, indices;
    auto read = [&](Value operand) {
      Operation *def = operand.getDefiningOp();
      if (isa_and_nonnull<loom::IndexOp>(def))
        indices.insert(operand);
      if (!def || (facts.contains(def) && !own.contains(def)))
        inputs.insert(operand);
    };
    for (Operation *op : stage.operations)
      for (Value operand : loom::getReads(op))
        read(operand);
    for (ReduceOp reduce : stage.reductions)
      read(reduce.getValue());
    stage.inputs = inputs.takeVector();
    for (Value input : stage.inputs)
      stage.inputsPerRow.push_back(result.perRow.contains(input));
    stage.indices = indices.takeVector();
  }

  /// The condition without which the value of `reduce` is neutral, or null.
  Value getCondition(ReduceOp reduce) const {
    auto select = reduce.getValue().getDefiningOp<arith::SelectOp>();
    TypedAttr otherwise;
    if (!select || !result.perRow.contains(select.getCondition()) ||
        !matchPattern(select.getFalseValue(), m_Constant(&otherwise)) ||
        otherwise != reduce.getNeutral())
      return nullptr;
    return select.getCondition();
  }

  /// Finds the condition that all reductions of a stage have, if it computes
  /// nothing else.
  void findCondition(RowStage &stage) {
    if (stage.reductions.empty() || !stage.outputs.empty())
      return;
    Value condition = getCondition(stage.reductions.front());
    // The stage may read what is chosen and not the condition, where that is
    // one value per row too.
    if (!llvm::is_contained(stage.inputs, condition))
      return;
    if (llvm::all_of(stage.reductions, [&](ReduceOp reduce) {
          return getCondition(reduce) == condition;
        }))
      stage.condition = condition;
  }

  void connect() {
    // A recomputed value is an output of the first stage that computes it.
    DenseMap<Operation *, unsigned> firstStage;
    for (auto [index, stage] : llvm::enumerate(result.stages)) {
      for (Operation *op : stage.operations)
        firstStage.try_emplace(op, index);
      if (!stage.perRow)
        recompute(stage);
      connectInputs(stage);
    }
    DenseSet<Value> read;
    for (const RowStage &stage : result.stages)
      read.insert_range(stage.inputs);
    for (auto [index, stage] : llvm::enumerate(result.stages))
      for (Operation *op : stage.operations)
        for (Value value : op->getResults())
          if (firstStage.lookup(op) == index &&
              (read.contains(value) || isResult(value)))
            stage.outputs.push_back(value);
    for (RowStage &stage : result.stages)
      findCondition(stage);
  }

  Block &body;
  RowPartition result;
  SmallVector<Operation *> operations;
  DenseMap<Operation *, Fact> facts;
};

} // namespace

/// Whether the invariant of RowPartition.h holds.
[[maybe_unused]] static bool isOrdered(Block &body,
                                       const RowPartition &partition) {
  DenseSet<Value> known(llvm::from_range, body.getArguments());
  DenseSet<Operation *> done;
  for (const RowStage &stage : partition.stages) {
    DenseSet<Value> here(llvm::from_range, stage.inputs);
    if (!llvm::all_of(here, [&](Value v) { return known.contains(v); }))
      return false;
    here.insert_range(stage.indices);
    auto isThere = [&](Value operand) {
      return here.contains(operand) || matchPattern(operand, m_Constant());
    };
    for (Operation *op : stage.operations) {
      if (!llvm::all_of(loom::getReads(op), isThere))
        return false;
      done.insert(op);
      here.insert_range(op->getResults());
    }
    for (ReduceOp reduce : stage.reductions) {
      if (!isThere(reduce.getValue()) || !done.insert(reduce).second)
        return false;
      known.insert(reduce.getResult());
    }
    known.insert_range(stage.outputs);
  }
  return llvm::all_of(body.without_terminator(), [&](Operation &op) {
    return done.contains(&op) || isa<loom::IndexOp>(op) ||
           matchPattern(&op, m_Constant());
  });
}

RowPartition codegen::partitionRows(Block &body, ArrayRef<bool> perRow) {
  RowPartition partition = RowPartitioner(body, perRow).run();
  assert(isOrdered(body, partition));
  return partition;
}

uint64_t codegen::findLikelyPerRow(Block &body, ArrayRef<bool> perRow) {
  /// The origins of a value: whether it depends on a value with many elements
  /// per row, or on a reduced value, and the arguments for which that is not
  /// known.
  struct Origin {
    bool isWhole = false, isFolded = false;
    uint64_t open = 0;
  };
  DenseMap<Value, Origin> origins;
  // An argument that is reduced has many elements per row.
  uint64_t whole = 0, likely = 0;
  auto getOrigin = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || perRow[argument.getArgNumber()])
      return origins.lookup(value);
    uint64_t bit = uint64_t(1) << argument.getArgNumber();
    return Origin{(whole & bit) != 0, false, bit};
  };
  auto follow = [&](Operation &op) {
    Origin origin;
    origin.isWhole = isa<loom::IndexOp>(op);
    for (Value operand : loom::getReads(&op)) {
      Origin from = getOrigin(operand);
      origin.isWhole |= from.isWhole;
      origin.isFolded |= from.isFolded;
      origin.open |= from.open;
    }
    if (isa<ReduceOp>(op)) {
      if (!origin.isWhole)
        whole |= origin.open;
      origin = {false, true, 0};
    }
    for (Value result : op.getResults())
      origins[result] = origin;
    return origin;
  };
  // The first pass finds reduced arguments, which may be used before their
  // reduction.
  for (Operation &op : body.without_terminator())
    follow(op);
  for (Operation &op : body.without_terminator()) {
    Origin origin = follow(op);
    bool isResult = llvm::is_contained(op.getUsers(), body.getTerminator());
    if (!origin.isWhole && origin.isFolded &&
        (getScalarCost(&op) > 1 || isResult))
      likely |= origin.open;
  }
  return likely;
}
