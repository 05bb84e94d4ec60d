//===- RowPartition.cpp - cutting reductions into stages ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/RowPartition.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;
using loom::FoldOp;

/// Beyond these a kernel spills more than it saves, and takes long to compile
/// (see StagePartition.cpp).
static constexpr size_t kMaxStageOperations = 96;
static constexpr size_t kMaxStagePointers = 24;

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
      if (!op.hasTrait<OpTrait::ConstantLike>() && !isa<loom::PositionOp>(op))
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
  /// Which time over a row an operation is computed in; what is computed once
  /// for each row comes before that.
  struct Fact {
    unsigned sweep = 0;
    bool perRow = false;
  };

  void classify(Operation *op) {
    Fact fact;
    fact.perRow = !isa<FoldOp>(op);
    for (Value operand : op->getOperands()) {
      // Constants are whatever they are needed for.
      if (result.dependences.contains(operand))
        fact.perRow &= result.perRow.contains(operand);
      Operation *def = operand.getDefiningOp();
      fact.perRow &= !isa_and_nonnull<loom::PositionOp>(def);
      if (auto it = facts.find(def); it != facts.end())
        fact.sweep = std::max(fact.sweep, it->second.sweep + isa<FoldOp>(def));
    }
    facts[op] = fact;
    if (fact.perRow || isa<FoldOp>(op))
      result.perRow.insert(op->result_begin(), op->result_end());
  }

  /// What is not needed before a later time over the row is computed then,
  /// instead of kept from one to the other.
  void delay(Operation *op) {
    Fact &fact = facts[op];
    if (isa<FoldOp>(op) || fact.perRow)
      return;
    unsigned first = UINT_MAX;
    for (Operation *user : op->getUsers()) {
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
      for (Value operand : op->getOperands())
        if (isa<BlockArgument>(operand) || operand.getDefiningOp<FoldOp>())
          touched.push_back(operand.getAsOpaquePointer());
      if (isa<FoldOp>(op) ||
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
      if (auto fold = dyn_cast<FoldOp>(op))
        stage.folds.push_back(fold);
      else
        stage.operations.push_back(op);
    }
  }

  void connect() {
    DenseMap<Operation *, unsigned> stageOf;
    for (auto [index, stage] : llvm::enumerate(result.stages)) {
      for (Operation *op : stage.operations)
        stageOf[op] = index;
      for (FoldOp fold : stage.folds)
        stageOf[fold] = index;
    }
    for (unsigned index = 0; index < result.stages.size(); ++index) {
      RowStage &stage = result.stages[index];
      llvm::SetVector<Value> inputs, positions;
      auto read = [&](Value operand) {
        Operation *def = operand.getDefiningOp();
        if (isa_and_nonnull<loom::PositionOp>(def))
          positions.insert(operand);
        if (!def || (stageOf.count(def) && stageOf[def] != index))
          inputs.insert(operand);
      };
      for (Operation *op : stage.operations) {
        for (Value operand : op->getOperands())
          read(operand);
        for (Value value : op->getResults())
          if (llvm::any_of(value.getUsers(), [&](Operation *user) {
                return user == body.getTerminator() || stageOf[user] != index;
              }))
            stage.outputs.push_back(value);
      }
      for (FoldOp fold : stage.folds)
        read(fold.getValue());
      stage.inputs = inputs.takeVector();
      stage.positions = positions.takeVector();
    }
  }

  Block &body;
  RowPartition result;
  SmallVector<Operation *> operations;
  DenseMap<Operation *, Fact> facts;
};

} // namespace

RowPartition codegen::partitionRows(Block &body, ArrayRef<bool> perRow) {
  return RowPartitioner(body, perRow).run();
}
