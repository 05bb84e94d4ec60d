//===- RegionFlow.cpp - where values go in structured control flow --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/analysis/RegionFlow.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace broadloom::infer;

using Edges = SmallVector<FlowEdge>;

static void addEdge(Edges &edges, Operation *from, Region *to,
                    ValueRange values, ValueRange inputs) {
  FlowEdge edge{from, to, llvm::to_vector(values), llvm::to_vector(inputs)};
  edge.isBack =
      from && to &&
      from->getParentRegion()->getRegionNumber() >= to->getRegionNumber();
  edges.push_back(std::move(edge));
}

static Operation *getTerminator(Region &region) {
  return region.empty() || region.front().empty() ? nullptr
                                                  : &region.front().back();
}

static Edges getFlowOfIf(tosa::IfOp op) {
  Edges edges;
  for (Region &region : op->getRegions())
    addEdge(edges, nullptr, &region, op.getInputList(), region.getArguments());
  for (Region &region : op->getRegions())
    if (Operation *end = getTerminator(region))
      addEdge(edges, end, nullptr, end->getOperands(), op->getResults());
  return edges;
}

/// The condition region gets the values first. If it is true, the body gets
/// them and yields new ones to the condition; if not, they are the results.
static Edges getFlowOfWhile(tosa::WhileOp op) {
  Edges edges;
  Region &condition = op.getCondGraph(), &body = op.getBodyGraph();
  addEdge(edges, nullptr, &condition, op.getInputList(),
          condition.getArguments());
  if (Operation *end = getTerminator(condition)) {
    addEdge(edges, end, &body, condition.getArguments(), body.getArguments());
    addEdge(edges, end, nullptr, condition.getArguments(), op->getResults());
  }
  if (Operation *end = getTerminator(body))
    addEdge(edges, end, &condition, end->getOperands(),
            condition.getArguments());
  return edges;
}

/// The body gets the outputs, and the results are the outputs as written. The
/// terminator yields nothing.
static Edges getFlowOfForall(scf::ForallOp op) {
  Edges edges;
  addEdge(edges, nullptr, &op.getRegion(), op.getOutputs(),
          op.getRegionIterArgs());
  addEdge(edges, nullptr, nullptr, op.getOutputs(), op.getResults());
  return edges;
}

static Edges getFlowByInterface(RegionBranchOpInterface op) {
  Edges edges;
  SmallVector<RegionSuccessor> successors;
  op.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  for (RegionSuccessor successor : successors)
    addEdge(edges, nullptr, successor.getSuccessor(),
            op.getEntrySuccessorOperands(successor),
            successor.getSuccessorInputs());
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      auto end =
          block.empty()
              ? RegionBranchTerminatorOpInterface()
              : dyn_cast<RegionBranchTerminatorOpInterface>(&block.back());
      if (!end)
        continue;
      successors.clear();
      op.getSuccessorRegions(RegionBranchPoint(end), successors);
      for (RegionSuccessor successor : successors)
        addEdge(edges, end, successor.getSuccessor(),
                end.getSuccessorOperands(successor),
                successor.getSuccessorInputs());
    }
  return edges;
}

std::optional<Edges> broadloom::infer::getFlow(Operation *op) {
  Edges edges;
  if (auto conditional = dyn_cast<tosa::IfOp>(op))
    edges = getFlowOfIf(conditional);
  else if (auto loop = dyn_cast<tosa::WhileOp>(op))
    edges = getFlowOfWhile(loop);
  else if (auto threads = dyn_cast<scf::ForallOp>(op))
    edges = getFlowOfForall(threads);
  else if (auto branch = dyn_cast<RegionBranchOpInterface>(op))
    edges = getFlowByInterface(branch);
  else
    return std::nullopt;
  // The program may not be verified yet.
  for (const FlowEdge &edge : edges)
    if (edge.values.size() != edge.inputs.size())
      return std::nullopt;
  return edges;
}
