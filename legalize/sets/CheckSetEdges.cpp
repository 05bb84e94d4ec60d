//===- CheckSetEdges.cpp - where tensors of sets are passed on ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensors of one axis have one type, whatever their sets were. So no verifier
// behind this pass sees where one is taken for another.
//
//===----------------------------------------------------------------------===//

#include "legalize/sets/CheckSetTensors.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;
using loom::getSetEncoding;

/// Checks an edge. Numbers of values that differ are an error of a later check.
static LogicalResult checkEdge(Operation *op, TypeRange from, TypeRange to) {
  for (auto [given, taken] : llvm::zip(from, to))
    if (getSetEncoding(given) != getSetEncoding(taken))
      return op->emitOpError("has tensors of types ")
             << given << " and " << taken
             << ", of which elements are elsewhere; use 'loom.to_set' or "
                "'loom.from_set'";
  return success();
}

/// The same of blocks and regions, which take what has their type. Later checks
/// would report the types of the elements.
static LogicalResult checkBlockEdge(Operation *op, TypeRange from,
                                    TypeRange to) {
  if (failed(checkEdge(op, from, to)))
    return failure();
  for (auto [given, taken] : llvm::zip(from, to))
    if (given != taken && isSetTensor(given))
      return op->emitOpError("has tensors of types ")
             << given << " and " << taken
             << "; blocks and regions take what has their type; use "
                "'tensor.cast' where an extent is open";
  return success();
}

static LogicalResult checkBranch(BranchOpInterface branch) {
  for (auto [i, block] : llvm::enumerate(branch->getSuccessors())) {
    SuccessorOperands operands = branch.getSuccessorOperands(i);
    if (operands.getProducedOperandCount() != 0)
      continue;
    if (failed(checkBlockEdge(branch,
                              operands.getForwardedOperands().getTypes(),
                              block->getArgumentTypes())))
      return failure();
  }
  return success();
}

/// Whether a value that goes into the operation, out of it or through its
/// regions is such a tensor.
static bool passesSets(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isSetTensor) ||
         llvm::any_of(op->getResultTypes(), isSetTensor) ||
         llvm::any_of(op->getRegions(), [](Region &region) {
           return llvm::any_of(region, [](Block &block) {
             return llvm::any_of(block.getArgumentTypes(), isSetTensor) ||
                    (!block.empty() &&
                     llvm::any_of(block.back().getOperandTypes(), isSetTensor));
           });
         });
}

static LogicalResult checkRegions(RegionBranchOpInterface op) {
  SmallVector<RegionSuccessor> successors;
  op.getSuccessorRegions(RegionBranchPoint::parent(), successors);
  for (const RegionSuccessor &successor : successors)
    if (failed(checkBlockEdge(
            op, op.getEntrySuccessorOperands(successor).getTypes(),
            successor.getSuccessorInputs().getTypes())))
      return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      auto end =
          block.empty()
              ? RegionBranchTerminatorOpInterface()
              : dyn_cast<RegionBranchTerminatorOpInterface>(block.back());
      if (!end)
        continue;
      successors.clear();
      op.getSuccessorRegions(RegionBranchPoint(end), successors);
      for (const RegionSuccessor &successor : successors)
        if (failed(checkBlockEdge(
                end, end.getSuccessorOperands(successor).getTypes(),
                successor.getSuccessorInputs().getTypes())))
          return failure();
    }
  return success();
}

/// The operations with regions that tell nothing of their edges: each region
/// takes the operands, or what one before has given.
static LogicalResult checkTosaRegions(Operation *op, TypeRange inputs) {
  for (Region &region : op->getRegions()) {
    if (region.empty())
      continue;
    Block &block = region.front();
    if (failed(checkEdge(op, inputs, block.getArgumentTypes())))
      return failure();
    // The condition of a loop gives no tensor of the loop.
    bool isCondition = isa<tosa::WhileOp>(op) && region.getRegionNumber() == 0;
    if (!isCondition && !block.empty() &&
        failed(checkEdge(&block.back(), block.back().getOperandTypes(),
                         op->getResultTypes())))
      return failure();
  }
  return success();
}

/// Destinations that are tensors are the results.
static LogicalResult checkDestinations(DestinationStyleOpInterface op) {
  for (OpOperand &destination : op.getDpsInitsMutable())
    if (isa<RankedTensorType>(destination.get().getType()) &&
        destination.getOperandNumber() -
                op.getDpsInits().getBeginOperandIndex() <
            op->getNumResults() &&
        failed(checkEdge(op, destination.get().getType(),
                         op.getTiedOpResult(&destination).getType())))
      return failure();
  return success();
}

LogicalResult
legalize::checkSetEdges(Operation *op,
                        const llvm::StringMap<func::FuncOp> &functions) {
  if (isa<tensor::CastOp, tosa::IdentityOp>(op))
    return checkEdge(op, op->getOperandTypes(), op->getResultTypes());
  if (auto call = dyn_cast<func::CallOp>(op)) {
    func::FuncOp callee = functions.lookup(call.getCallee());
    if (!callee)
      return success();
    if (failed(checkEdge(op, op->getOperandTypes(), callee.getArgumentTypes())))
      return failure();
    return checkEdge(op, callee.getResultTypes(), op->getResultTypes());
  }
  if (isa<func::ReturnOp>(op)) {
    auto func = dyn_cast<func::FuncOp>(op->getParentOp());
    return func ? checkEdge(op, op->getOperandTypes(), func.getResultTypes())
                : success();
  }
  if (auto branch = dyn_cast<BranchOpInterface>(op))
    return checkBranch(branch);
  if (!passesSets(op))
    return success();
  if (auto choice = dyn_cast<tosa::IfOp>(op))
    return checkTosaRegions(op, choice.getInputList().getTypes());
  if (auto loop = dyn_cast<tosa::WhileOp>(op)) {
    if (failed(checkEdge(op, loop.getInputList().getTypes(),
                         op->getResultTypes())))
      return failure();
    return checkTosaRegions(op, loop.getInputList().getTypes());
  }
  if (auto regions = dyn_cast<RegionBranchOpInterface>(op))
    return checkRegions(regions);
  if (auto destinations = dyn_cast<DestinationStyleOpInterface>(op))
    return checkDestinations(destinations);
  return success();
}
