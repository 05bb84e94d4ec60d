//===- CheckStructure.cpp - blocks, invariants, dominance -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/structure/CheckStructure.h"
#include "read/structure/OperationInvariants.h"

#include "mlir/IR/Dominance.h"
#include "mlir/IR/RegionKindInterface.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::read;

static LogicalResult checkBlock(Operation *parent, Block &block) {
  // As in upstream's verifier: an unregistered operation, or one with the trait
  // NoTerminator, needs no terminator.
  bool needsNone = parent->mightHaveTrait<OpTrait::NoTerminator>() &&
                   llvm::hasSingleElement(*block.getParent());
  if (block.empty()) {
    if (needsNone)
      return success();
    return parent->emitOpError("has an empty block, expected at least a "
                               "terminator");
  }
  for (Operation &op : block)
    if (op.getNumSuccessors() != 0 && &op != &block.back())
      return op.emitOpError("has successors but does not end its block");
  Operation &last = block.back();
  if (!needsNone && !last.mightHaveTrait<OpTrait::IsTerminator>())
    return last.emitOpError("ends its block but is no terminator");
  for (Block *successor : last.getSuccessors())
    if (successor->getParent() != block.getParent())
      return last.emitOpError("branches to a block of another region");
  return success();
}

static LogicalResult checkRegion(Operation *op, unsigned index) {
  Region &region = op->getRegion(index);
  if (region.empty())
    return success();
  auto kinds = dyn_cast<RegionKindInterface>(op);
  if (kinds && kinds.getRegionKind(index) == RegionKind::Graph &&
      !llvm::hasSingleElement(region))
    return op->emitOpError("region ")
           << index << " is a graph and may have one block only";
  if (!region.front().hasNoPredecessors())
    return op->emitOpError("region ")
           << index << " branches to its entry block";
  LogicalResult result = success();
  for (Block &block : region)
    if (failed(checkBlock(op, block)))
      result = failure();
  return result;
}

/// Whether every operand of `op` comes before it.
static LogicalResult checkOperands(Operation *op, DominanceInfo &dominance) {
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    if (dominance.properlyDominates(operand, op))
      continue;
    InFlightDiagnostic error = op->emitOpError("operand ")
                               << i << " is not defined on every path to it";
    error.attachNote(operand.getLoc()) << "it is defined here";
    return error;
  }
  return success();
}

/// Checks the dominance of all operands of a module with valid blocks.
static LogicalResult checkDominance(Region &region, DominanceInfo &dominance) {
  if (region.empty())
    return success();
  LogicalResult result = success();
  for (Block &block : region) {
    // As in upstream's verifier: unreachable code may have cycles.
    bool isReached = dominance.isReachableFromEntry(&block);
    for (Operation &op : block) {
      if (isReached && failed(checkOperands(&op, dominance)))
        result = failure();
      for (Region &inner : op.getRegions())
        if (failed(checkDominance(inner, dominance)))
          result = failure();
    }
  }
  return result;
}

/// Constants in bytecode have the bytes of the file, which may be more or fewer
/// than their type needs.
static LogicalResult checkConstant(Operation *op, DenseElementsAttr constant) {
  auto numbers = dyn_cast<DenseIntOrFPElementsAttr>(constant);
  bool isSplat = false;
  if (!numbers || DenseElementsAttr::isValidRawBuffer(
                      numbers.getType(), numbers.getRawData(), isSplat))
    return success();
  return op->emitOpError("has a constant of ")
         << numbers.getRawData().size() << " bytes, which are not all of "
         << numbers.getType() << "; the file is damaged or was written wrongly";
}

/// The constants among the attributes of `op`.
static LogicalResult checkConstants(Operation *op) {
  LogicalResult result = success();
  auto check = [&](DenseElementsAttr constant) {
    if (succeeded(result))
      result = checkConstant(op, constant);
  };
  for (NamedAttribute attribute : op->getAttrDictionary())
    if (auto constant = dyn_cast<DenseElementsAttr>(attribute.getValue()))
      check(constant);
    else if (isa<ArrayAttr, DictionaryAttr>(attribute.getValue()))
      attribute.getValue().walk(check);
  return result;
}

/// Checks `op` and its blocks. Uses only generic accessors until the invariants
/// of `op` hold.
static LogicalResult checkParts(Operation *op) {
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    if (!operand)
      return op->emitOpError("operand ") << i << " is missing";
  for (unsigned i : llvm::seq<unsigned>(0, op->getNumRegions()))
    if (failed(checkRegion(op, i)))
      return failure();
  if (failed(checkConstants(op)))
    return failure();
  return read::checkInvariants(op);
}

llvm::LogicalResult read::checkStructure(ModuleOp module) {
  LogicalResult result = success();
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (failed(checkParts(op)))
      result = failure();
  });
  if (failed(result))
    return failure();
  DominanceInfo dominance;
  return checkDominance(module.getBodyRegion(), dominance);
}
