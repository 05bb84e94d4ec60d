//===- StagePartition.cpp - cutting a map's body into stages --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/StagePartition.h"
#include "dialect/ScalarBody.h"
#include "scalar/IntegerDivision.h"
#include "scalar/MathFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// The cost from which it pays to store a value in L1 instead of recomputing
/// it: a store and a load cost about as much.
static constexpr unsigned kWorthKeeping = 12;

/// What a division costs.
static constexpr unsigned kDivision = 8;

/// Mathematical functions are inline code of twenty or more instructions. If
/// those of a body cost more than this in total, each call is a stage of its
/// own, and all calls of a function share one kernel.
static constexpr unsigned kMaxFunctionCost = 32 * scalar::kFunctionCost;

/// Dependence sets are bit masks; operands past the last bit share it, which
/// makes their users look alike and so keeps them in one stage.
static constexpr unsigned kMaxTracked = 61;

unsigned broadloom::codegen::getScalarCost(Operation *op) {
  if (op->getNumRegions() != 0) {
    unsigned cost = 1;
    for (Region &region : op->getRegions())
      region.walk<WalkOrder::PreOrder>([&](Operation *inner) {
        if (inner->getNumRegions() == 0)
          cost = std::min(cost + getScalarCost(inner), 1u << 16);
      });
    return cost;
  }
  if (op->hasTrait<OpTrait::ConstantLike>())
    return 0;
  if (isa_and_nonnull<math::MathDialect>(op->getDialect()))
    return scalar::getMathCost(op);
  if (isa<arith::DivFOp>(op) ||
      scalar::getDivisionKind(op) != scalar::DivisionKind::None)
    return kDivision;
  return 1;
}

namespace {

class Partitioner {
public:
  Partitioner(Block &body, ArrayRef<OperandReach> reach)
      : body(body), reach(reach) {}

  SmallVector<Stage> run() {
    for (Operation &op : body.without_terminator())
      if (!op.hasTrait<OpTrait::ConstantLike>())
        operations.push_back(&op);
    unsigned functionCost = 0;
    for (Operation *op : operations)
      if (isFunction(op))
        functionCost += getScalarCost(op);
    separateFunctions = functionCost > kMaxFunctionCost;
    classify();
    group();
    return build();
  }

private:
  using Class = uint64_t;
  static constexpr Class kFull = (Class(1) << (kMaxTracked + 1)) - 1;

  /// The set of operands on which a value depends and that can change its
  /// extents.
  Class classOf(Value value) const {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      switch (reach[argument.getArgNumber()]) {
      case OperandReach::Scalar:
        return 0;
      case OperandReach::Full:
        return kFull;
      case OperandReach::Open:
        return Class(1) << std::min(argument.getArgNumber(), kMaxTracked);
      }
    }
    auto it = facts.find(value.getDefiningOp());
    return it == facts.end() ? 0 : it->second.dependence;
  }

  static bool isFunction(Operation *op) {
    return getScalarCost(op) >= scalar::kFunctionCost;
  }

  void classify() {
    for (Operation *op : operations) {
      Fact fact;
      fact.cost = getScalarCost(op);
      for (Value operand : loom::getReads(op))
        fact.dependence |= classOf(operand);
      for (Value operand : loom::getReads(op)) {
        auto it = facts.find(operand.getDefiningOp());
        if (it == facts.end())
          continue;
        if (it->second.dependence == fact.dependence)
          fact.cost = std::min(fact.cost + it->second.cost, 1u << 16);
        else if (it->second.cost >= kWorthKeeping)
          kept.insert(it->second.dependence);
      }
      facts[op] = fact;
    }
    // Results are stages of their own class too: a result that depends on fewer
    // operands is repeated, not recomputed.
    for (Value value : body.getTerminator()->getOperands())
      kept.insert(classOf(value));
  }

  /// Assigns each operation the class whose stage computes it: its own if its
  /// value is stored, else that of its users.
  void group() {
    for (Operation *op : llvm::reverse(operations)) {
      Class own = facts[op].dependence;
      if (kept.contains(own)) {
        home[op] = own;
        continue;
      }
      std::optional<Class> users;
      bool agree = true;
      for (Operation *user : loom::getReaders(body, op->getResults())) {
        Class theirs = user == body.getTerminator() ? own : home.lookup(user);
        agree &= !users || *users == theirs;
        users = theirs;
      }
      if (!agree)
        kept.insert(own);
      home[op] = users && agree ? *users : own;
    }
  }

  SmallVector<Stage> build() {
    // A value flows only into classes that include its own, so that inclusion
    // (by size, then by mask for a fixed order) orders the stages.
    llvm::MapVector<Class, SmallVector<Operation *>> groups;
    for (Operation *op : operations)
      groups[home.lookup(op)].push_back(op);
    SmallVector<Class> order;
    for (auto &[key, members] : groups)
      order.push_back(key);
    llvm::sort(order, [](Class a, Class b) {
      int sizeA = llvm::popcount(a), sizeB = llvm::popcount(b);
      return sizeA != sizeB ? sizeA < sizeB : a < b;
    });

    SmallVector<Stage> stages;
    for (Class key : order)
      cut(groups[key], stages);
    connect(stages);
    return stages;
  }

  /// Splits the operations of one class into stages of bounded size.
  void cut(ArrayRef<Operation *> members, SmallVector<Stage> &stages) {
    // The operands and results of the map that the stage reads or writes.
    llvm::SmallPtrSet<void *, 32> pointers;
    bool open = false;
    for (Operation *op : members) {
      SmallVector<void *> touched;
      for (Value operand : loom::getReads(op))
        if (isa<BlockArgument>(operand))
          touched.push_back(operand.getAsOpaquePointer());
      if (llvm::is_contained(op->getUsers(), body.getTerminator()))
        touched.push_back(op);
      size_t more = llvm::count_if(
          touched, [&](void *pointer) { return !pointers.contains(pointer); });
      bool isAlone = separateFunctions && isFunction(op);
      if (!open || isAlone ||
          stages.back().operations.size() == kMaxStageOperations ||
          pointers.size() + more > kMaxStagePointers) {
        stages.emplace_back();
        pointers.clear();
      }
      open = !isAlone;
      pointers.insert_range(touched);
      stages.back().operations.push_back(op);
    }
  }

  void connect(SmallVector<Stage> &stages) {
    DenseMap<Operation *, unsigned> stageOf;
    for (auto [index, stage] : llvm::enumerate(stages))
      for (Operation *op : stage.operations)
        stageOf[op] = index;
    for (unsigned index = 0; index < stages.size(); ++index) {
      Stage &stage = stages[index];
      llvm::SetVector<Value> inputs;
      for (Operation *op : stage.operations) {
        for (Value operand : loom::getReads(op)) {
          Operation *def = operand.getDefiningOp();
          if (!def || (stageOf.count(def) && stageOf[def] != index))
            inputs.insert(operand);
        }
        for (Value result : op->getResults())
          if (llvm::any_of(loom::getReaders(body, result),
                           [&](Operation *user) {
                             return user == body.getTerminator() ||
                                    stageOf[user] != index;
                           }))
            stage.outputs.push_back(result);
      }
      stage.inputs = inputs.takeVector();
    }
  }

  struct Fact {
    Class dependence = 0;
    unsigned cost = 0;
  };

  Block &body;
  ArrayRef<OperandReach> reach;
  SmallVector<Operation *> operations;
  bool separateFunctions = false;
  DenseMap<Operation *, Fact> facts;
  DenseMap<Operation *, Class> home;
  llvm::SmallSet<Class, 8> kept;
};

} // namespace

/// Whether the invariant of StagePartition.h holds.
[[maybe_unused]] static bool isOrdered(Block &body, ArrayRef<Stage> stages) {
  DenseSet<Value> known(llvm::from_range, body.getArguments());
  DenseSet<Operation *> done;
  for (const Stage &stage : stages) {
    DenseSet<Value> here;
    for (Value input : stage.inputs)
      if (!known.contains(input) || !here.insert(input).second)
        return false;
    for (Operation *op : stage.operations) {
      auto isThere = [&](Value operand) {
        return here.contains(operand) || matchPattern(operand, m_Constant());
      };
      if (!done.insert(op).second || !llvm::all_of(loom::getReads(op), isThere))
        return false;
      here.insert_range(op->getResults());
    }
    known.insert_range(stage.outputs);
  }
  return llvm::all_of(body.without_terminator(), [&](Operation &op) {
    return done.contains(&op) || matchPattern(&op, m_Constant());
  });
}

SmallVector<Stage>
broadloom::codegen::partitionIntoStages(Block &body,
                                        ArrayRef<OperandReach> reach) {
  SmallVector<Stage> stages = Partitioner(body, reach).run();
  assert(isOrdered(body, stages));
  return stages;
}
