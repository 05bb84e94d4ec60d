//===- ShapeWalk.cpp - a function, in the order of its facts --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/analysis/ShapeWalk.h"

#include "infer/analysis/ConstraintAnswers.h"
#include "infer/analysis/RegionFacts.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// How often a loop is simulated at most; and the limit for all loops together,
/// as a multiple of the function's operations.
static constexpr unsigned kMaxRounds = 4;
static constexpr size_t kSimulationsPerOperation = 8;

ShapeWalk::Visitor::~Visitor() = default;

void ShapeWalk::Visitor::simulate(Operation *op) {
  auto origin = [&] { return namesFacts ? getFactOrigin(op) : std::string(); };
  if (isShapeConstraint(op)) {
    ConstraintAnswer answered = answerConstraint(analysis, op);
    for (const ShapeConstraint &constraint : answered.open)
      establish(analysis, answered, constraint, origin());
    return;
  }
  if (auto constrain = dyn_cast<loom::ConstrainOp>(op))
    analysis.learn(constrain.getCondition(), origin());
  else if (auto require = dyn_cast<loom::RequireOp>(op))
    analysis.learn(require.getCondition(), {});
  else if (auto assumed = dyn_cast<loom::AssumeOp>(op))
    analysis.learn(assumed.getCondition(), assumed.getOrigin());
  else if (auto assertion = dyn_cast<cf::AssertOp>(op))
    analysis.learn(assertion.getArg(), {});
  else
    analysis.visit(op);
}

void ShapeWalk::run(FunctionOpInterface func, bool certain) {
  size_t count = 0;
  func->walk([&](Operation *) { ++count; });
  budget = kSimulationsPerOperation * count;
  walk(func.getFunctionBody(), certain);
}

void ShapeWalk::simulate(FunctionOpInterface func) {
  isSimulation = true;
  size_t count = 0;
  func->walk([&](Operation *) { ++count; });
  budget = (kSimulationsPerOperation + 1) * count;
  walk(func.getFunctionBody(), /*certain=*/false);
  isSimulation = false;
}

void ShapeWalk::settle(bool repeats, ArrayRef<Value> inputs,
                       llvm::function_ref<void()> walkAll) {
  // A simulation finds the carried values of which less is known later.
  bool isSettled = !repeats || inputs.empty();
  if (!isSettled)
    analysis.setRevisits();
  bool wasSimulation = isSimulation;
  isSimulation = true;
  for (unsigned round = 0; round < kMaxRounds && !isSettled && !isExhausted;
       ++round) {
    size_t before = givenUp.size();
    ShapeAnalysis::Scope scope(analysis);
    walkAll();
    isSettled = givenUp.size() == before && !isExhausted;
    // The walk is itself a simulation, and the last round had no effect but
    // learning.
    if (isSettled && wasSimulation)
      return scope.keep();
  }
  isSimulation = wasSimulation;
  if (!isSettled)
    for (Value input : inputs)
      giveUpAll(input);
  walkAll();
}

//===----------------------------------------------------------------------===//
// Operations and blocks
//===----------------------------------------------------------------------===//

void ShapeWalk::walk(Region &region, bool certain) {
  if (region.empty())
    return;
  if (llvm::hasSingleElement(region))
    return walkBlock(region.front(), certain);
  SmallVector<Value> inputs;
  for (Block &block : llvm::drop_begin(region))
    llvm::append_range(inputs, block.getArguments());
  llvm::DenseSet<Block *> seen;
  bool repeats = false;
  for (Block *block : llvm::ReversePostOrderTraversal<Region *>(&region)) {
    seen.insert(block);
    for (Block *successor : block->getSuccessors())
      repeats |= seen.contains(successor);
  }
  settle(repeats, inputs, [&] { walkBlocks(region, certain); });
}

/// Walks down the dominance tree: facts of a block hold in the blocks that it
/// dominates.
void ShapeWalk::walkBlocks(Region &region, bool certain) {
  llvm::DenseMap<Block *, unsigned> order;
  for (Block *block : llvm::ReversePostOrderTraversal<Region *>(&region))
    order.try_emplace(block, order.size());
  for (Block &block : region)
    blocks[&block] = {};
  if (isa<FunctionOpInterface>(region.getParentOp()))
    returned.clear();

  struct Frame {
    std::unique_ptr<ShapeAnalysis::Scope> scope;
    SmallVector<Block *> children;
  };
  auto &tree = dominance.getDomTree(&region);
  std::vector<Frame> stack;
  auto enter = [&](Block *block) {
    Frame frame;
    // Facts of the entry block also hold after the region.
    if (!block->isEntryBlock()) {
      frame.scope = std::make_unique<ShapeAnalysis::Scope>(analysis);
      enterBlock(*block);
    }
    blocks[block].isEntered = true;
    walkBlock(*block, certain && block->isEntryBlock());
    for (auto *child : *tree.getNode(block))
      frame.children.push_back(child->getBlock());
    // In reverse order, because children are taken from the end.
    llvm::sort(frame.children, [&](Block *a, Block *b) {
      return order.lookup(a) > order.lookup(b);
    });
    stack.push_back(std::move(frame));
  };
  enter(&region.front());
  while (!stack.empty()) {
    if (stack.back().children.empty())
      stack.pop_back();
    else
      enter(stack.back().children.pop_back_val());
  }
  // Unreachable blocks must be valid as well.
  for (Block &block : region)
    if (!order.count(&block)) {
      ShapeAnalysis::Scope scope(analysis);
      for (Value argument : block.getArguments())
        analysis.setUnknown(argument);
      walkBlock(block, /*certain=*/false);
    }
  for (Block &block : region)
    blocks.erase(&block);
}

void ShapeWalk::walkBlock(Block &block, bool certain) {
  for (Operation &op : llvm::make_early_inc_range(block))
    meet(&op, certain);
}

void ShapeWalk::meet(Operation *op, bool certain) {
  if (isSimulation && budget == 0) {
    isExhausted = true;
    return;
  }
  if (isSimulation) {
    --budget;
    visitor.simulate(op);
  } else {
    visitor.visit(op, certain);
  }
  if (op->hasTrait<OpTrait::IsTerminator>()) {
    leaveRegion(op);
    leaveBlock(op);
    leaveFunction(op);
  } else if (op->getNumRegions() != 0 &&
             !op->hasTrait<OpTrait::IsIsolatedFromAbove>()) {
    walkRegions(op);
  }
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

void ShapeWalk::enterBlock(Block &block) {
  BlockState &state = blocks[&block];
  for (auto [i, argument] : llvm::enumerate(block.getArguments())) {
    SmallVector<const Carried *> from;
    bool isKnown = true;
    for (const CarriedList &list : state.incoming) {
      isKnown &= i < list.size();
      if (isKnown)
        from.push_back(&list[i]);
    }
    receive(argument, isKnown ? from : ArrayRef<const Carried *>(), nullptr);
  }
  // A block with one predecessor is reached only if the condition of the branch
  // holds.
  Block *before = block.getSinglePredecessor();
  auto branch = before ? dyn_cast<cf::CondBranchOp>(before->getTerminator())
                       : cf::CondBranchOp();
  if (!branch || branch.getTrueDest() == branch.getFalseDest())
    return;
  ConditionId condition =
      analysis.getScalars().getCondition(branch.getCondition());
  analysis.learn(branch.getTrueDest() == &block
                     ? condition
                     : analysis.getNumbers().negate(condition),
                 getConditionOrigin(branch));
}

void ShapeWalk::leaveBlock(Operation *terminator) {
  auto branch = dyn_cast<BranchOpInterface>(terminator);
  for (auto [i, successor] : llvm::enumerate(terminator->getSuccessors())) {
    CarriedList list;
    if (branch) {
      SuccessorOperands operands = branch.getSuccessorOperands(i);
      for (unsigned j = 0; j < operands.size(); ++j)
        list.push_back(carry(operands[j]));
    }
    BlockState &state = blocks[successor];
    if (!state.isEntered) {
      state.incoming.push_back(std::move(list));
      continue;
    }
    for (auto [j, argument] : llvm::enumerate(successor->getArguments()))
      if (j < list.size() && list[j].value)
        check(argument, list[j]);
      else
        giveUpAll(argument);
  }
}

void ShapeWalk::leaveFunction(Operation *terminator) {
  if (!terminator->hasTrait<OpTrait::ReturnLike>() ||
      !isa<FunctionOpInterface>(terminator->getParentOp()))
    return;
  CarriedList list;
  for (Value value : terminator->getOperands())
    list.push_back(carry(value));
  if (returned.empty() || returned.front().size() == list.size())
    returned.push_back(std::move(list));
}

//===----------------------------------------------------------------------===//
// Operations with regions
//===----------------------------------------------------------------------===//

void ShapeWalk::walkRegions(Operation *op) {
  std::optional<SmallVector<FlowEdge>> edges = getFlow(op);
  if (!edges) {
    for (Region &region : op->getRegions()) {
      ShapeAnalysis::Scope scope(analysis);
      learnInRegion(analysis, region);
      walk(region, /*certain=*/false);
    }
    return;
  }
  SmallVector<Value> inputs;
  bool repeats = false;
  for (const FlowEdge &edge : *edges) {
    repeats |= edge.isBack;
    if (edge.isBack)
      llvm::append_range(inputs, edge.inputs);
  }
  settle(repeats, inputs, [&] { walkFlow(op, *edges); });
}

void ShapeWalk::walkFlow(Operation *op, ArrayRef<FlowEdge> edges) {
  std::vector<Pending> pending(edges.size());
  for (auto [edge, state] : llvm::zip_equal(edges, pending)) {
    state.edge = &edge;
    if (edge.from) {
      leaving[edge.from].push_back(&state);
      continue;
    }
    state.isReached = true;
    for (Value value : edge.values)
      state.carried.push_back(carry(value));
  }
  auto receiveAll = [&](Region *to, ValueRange inputs) {
    for (Value input : inputs) {
      SmallVector<const Carried *> from;
      bool leaves = false;
      for (const Pending &state : pending) {
        if (state.edge->to != to || !state.isReached || state.edge->isBack)
          continue;
        const auto *it = llvm::find(state.edge->inputs, input);
        if (it == state.edge->inputs.end())
          continue;
        from.push_back(&state.carried[it - state.edge->inputs.begin()]);
        leaves |= state.edge->from != nullptr;
      }
      receive(input, from, leaves ? op : nullptr);
    }
  };
  for (Region &region : op->getRegions()) {
    ShapeAnalysis::Scope scope(analysis);
    receiveAll(&region, region.getArguments());
    learnInRegion(analysis, region);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      assumeCounted(loop);
    walk(region, /*certain=*/false);
  }
  receiveAll(nullptr, op->getResults());
  for (const FlowEdge &edge : edges)
    leaving.erase(edge.from);
}

void ShapeWalk::leaveRegion(Operation *terminator) {
  auto it = leaving.find(terminator);
  if (it == leaving.end())
    return;
  for (Pending *state : it->second) {
    state->isReached = true;
    state->carried.clear();
    for (auto [value, input] :
         llvm::zip_equal(state->edge->values, state->edge->inputs)) {
      state->carried.push_back(carry(value));
      if (state->edge->isBack)
        check(input, state->carried.back());
    }
  }
}
