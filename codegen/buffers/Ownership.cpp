//===- Ownership.cpp - which values own their memory ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/buffers/Ownership.h"

#include "codegen/buffers/StructuredControl.h"
#include "dialect/LoomDialect.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// A value with more uses is copied without analysis.
static constexpr unsigned kMostUses = 256;

bool codegen::writesTo(OpOperand &operand) {
  if (!isa<TensorType>(operand.get().getType()))
    return false;
  auto op = dyn_cast<DestinationStyleOpInterface>(operand.getOwner());
  // A tensor into which several threads write belongs to the enclosing
  // operation.
  return op && op.isDpsInit(&operand) &&
         !isa<tensor::ParallelInsertSliceOp>(op);
}

/// The result of an operation that gives its operand's memory another type or
/// only a part of it.
static Value getView(OpOperand &use) {
  Operation *op = use.getOwner();
  if (isa<tensor::CastOp, tensor::CollapseShapeOp, tensor::ExpandShapeOp,
          tensor::ExtractSliceOp, tensor::ReshapeOp, loom::TransposedOp>(op) &&
      use.getOperandNumber() == 0)
    return op->getResult(0);
  return {};
}

SmallVector<Value, 2> codegen::getTargets(OpOperand &use) {
  Operation *op = use.getOwner();
  // The terminator of a forall passes no values.
  if (auto loop = dyn_cast<scf::ForallOp>(op)) {
    if (!loop.isDpsInit(&use))
      return {};
    return {loop.getTiedBlockArgument(&use), loop.getTiedOpResult(&use)};
  }
  SmallVector<Value, 2> targets;
  auto add = [&](OperandRange passed, RegionSuccessor successor) {
    if (passed.empty())
      return;
    unsigned index = use.getOperandNumber() - passed.getBeginOperandIndex();
    if (index < passed.size())
      targets.push_back(successor.getSuccessorInputs()[index]);
  };
  SmallVector<RegionSuccessor, 2> successors;
  if (auto entered = dyn_cast<RegionBranchOpInterface>(op)) {
    entered.getSuccessorRegions(RegionBranchPoint::parent(), successors);
    for (RegionSuccessor successor : successors)
      add(entered.getEntrySuccessorOperands(successor), successor);
  }
  successors.clear();
  auto end = dyn_cast<RegionBranchTerminatorOpInterface>(op);
  auto around = dyn_cast<RegionBranchOpInterface>(op->getParentOp());
  if (end && around) {
    around.getSuccessorRegions(end, successors);
    for (RegionSuccessor successor : successors)
      add(end.getSuccessorOperands(successor), successor);
  }
  return targets;
}

//===----------------------------------------------------------------------===//
// The last use
//===----------------------------------------------------------------------===//

/// Whether the operation of `use` only reads the memory, and returns no alias
/// of it.
static bool onlyReads(OpOperand &use) {
  Operation *op = use.getOwner();
  if (op->hasTrait<loom::ScalarBody>() ||
      isa<tensor::PadOp, tensor::ConcatOp>(op))
    return true;
  if (isa<func::CallOp>(op) || op->hasTrait<OpTrait::IsTerminator>())
    return false;
  auto isShaped = [](Type type) { return isa<ShapedType>(type); };
  if (op->getNumRegions() == 0 && llvm::none_of(op->getResultTypes(), isShaped))
    return true;
  auto destination = dyn_cast<DestinationStyleOpInterface>(op);
  return destination && !destination.isDpsInit(&use);
}

static bool isAboutExtents(OpOperand &use) {
  return isa<tensor::DimOp, tensor::RankOp, loom::ShapeOfOp>(use.getOwner());
}

/// The operations of `block` and of those inside it that lead to `op`,
/// outermost first; false where one of them may run `op` several times.
static bool findPath(Block *block, Operation *op,
                     SmallVectorImpl<Operation *> &path) {
  for (; op->getBlock() != block; op = op->getParentOp()) {
    path.push_back(op);
    if (!runsOnce(op->getParentOp()))
      return false;
  }
  path.push_back(op);
  std::reverse(path.begin(), path.end());
  return true;
}

/// Whether `other` always runs before the last operation of `path`, or cannot
/// run in the same iteration. Both are inside `block`.
static bool isOver(Block *block, ArrayRef<Operation *> path, OpOperand &other) {
  for (Operation *step : path) {
    Operation *before = block->findAncestorOpInBlock(*other.getOwner());
    if (!before)
      return false;
    if (before != step)
      return before->isBeforeInBlock(step) && onlyReads(other);
    if (step == path.back())
      return false;
    Operation *next = path[llvm::find(path, step) - path.begin() + 1];
    Region *here = next->getParentRegion();
    Operation *inside = other.getOwner();
    while (inside->getParentOp() != step)
      inside = inside->getParentOp();
    if (inside->getParentRegion() != here)
      return true;
    block = next->getBlock();
  }
  return false;
}

/// The same, of all uses of a view that `other` makes. `count` is the number of
/// uses that were looked at.
static bool isOverWithViews(Block *block, ArrayRef<Operation *> path,
                            OpOperand &other, unsigned &count) {
  if (isAboutExtents(other))
    return true;
  if (++count > kMostUses)
    return false;
  if (Value view = getView(other))
    return llvm::all_of(view.getUses(), [&](OpOperand &use) {
      return isOverWithViews(block, path, use, count);
    });
  return isOver(block, path, other);
}

bool Ownership::canTakeOver(OpOperand &use) {
  Value value = use.get();
  if (!owns(value))
    return false;
  Block *block = value.getParentBlock();
  SmallVector<Operation *, 4> path;
  if (!findPath(block, use.getOwner(), path))
    return false;
  unsigned count = 0;
  for (OpOperand &other : value.getUses())
    if (&other != &use && !isOverWithViews(block, path, other, count))
      return false;
  return true;
}

//===----------------------------------------------------------------------===//
// Owners
//===----------------------------------------------------------------------===//

bool Ownership::owns(Value value) {
  auto [it, isNew] = owners.try_emplace(value, false);
  if (!isNew)
    return it->second;
  bool result = computeOwns(value);
  return owners[value] = result;
}

bool Ownership::computeOwns(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op) {
    Operation *parent = value.getParentBlock()->getParentOp();
    return isSequentialLoop(parent) && wantsOwnership(value);
  }
  auto buffers = dyn_cast<bufferization::BufferizableOpInterface>(op);
  if ((buffers && buffers.bufferizesToAllocation(value)) ||
      isa<DestinationStyleOpInterface>(op))
    return true;
  if (auto tensor = dyn_cast<bufferization::ToTensorOp>(op))
    return tensor.getWritable();
  if (op->getNumOperands() != 0 && getView(op->getOpOperand(0)))
    return canTakeOver(op->getOpOperand(0));
  if (passesValuesOn(op))
    return wantsOwnership(value);
  return false;
}

//===----------------------------------------------------------------------===//
// Wishes
//===----------------------------------------------------------------------===//

bool Ownership::wantsOwnership(Value value) {
  // The entry `false` ends the recursion where uses form a cycle.
  auto [it, isNew] = wanted.try_emplace(value, false);
  if (!isNew)
    return it->second;
  bool result = computeWants(value);
  return wanted[value] = result;
}

bool Ownership::computeWants(Value value) {
  if (!isa<RankedTensorType>(value.getType()))
    return false;
  return llvm::any_of(value.getUses(),
                      [&](OpOperand &use) { return wants(use); });
}

bool Ownership::wants(OpOperand &use) {
  if (writesTo(use))
    return true;
  if (Value view = getView(use))
    return wantsOwnership(view);
  return llvm::any_of(getTargets(use),
                      [&](Value target) { return wantsOwnership(target); });
}
