//===- LoomMemory.cpp - verifying operations on memory --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomAccess.h"
#include "dialect/LoomFusedReduction.h"
#include "runtime/abi/Slots.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::loom;

LogicalResult TransposedOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType()),
       result = cast<RankedTensorType>(getResult().getType());
  int64_t rank = source.getRank();
  if (int64_t(getOrder().size()) != rank || result.getRank() != rank)
    return emitOpError("has an order of ")
           << getOrder().size() << " axes for " << source << " and " << result
           << "; all must have the same number of axes";
  SmallVector<bool> isRead(rank, false);
  for (int64_t axis : getOrder()) {
    if (axis < 0 || axis >= rank || isRead[axis])
      return emitOpError("has the order ")
             << getOrderAttr() << ", which is not each axis from 0 to "
             << rank - 1 << " once";
    isRead[axis] = true;
  }
  if (source.getElementType() != result.getElementType())
    return emitOpError("reads elements of ")
           << source.getElementType() << " but gives "
           << result.getElementType();
  for (auto [i, axis] : llvm::enumerate(getOrder()))
    if (failed(verifyCompatibleDims(
            {source.getDimSize(axis), result.getDimSize(i)})))
      return emitOpError("axis ")
             << i << " of the result has extent " << result.getDimSize(i)
             << ", but axis " << axis << " of the source has "
             << source.getDimSize(axis);
  return success();
}

/// Checks that each result has a slot.
static LogicalResult verifySlots(Operation *op, ArrayRef<int32_t> slots) {
  if (slots.size() == op->getNumResults())
    return success();
  return op->emitOpError("has ")
         << op->getNumResults() << " results but " << slots.size() << " slots";
}

/// Checks the attributes of a launch that was a loom.contract, which its
/// verifier has seen before; a text may have others.
static LogicalResult verifyContraction(LaunchOp op) {
  std::optional<ContractionAttr> contraction = op.getContraction();
  if (!contraction)
    return success();
  int64_t axes = contraction->getStrides().size();
  if (contraction->getDilations().size() != axes ||
      contraction->getPads().size() != 2 * axes)
    return op.emitOpError("has a contraction with ")
           << axes << " strides, " << contraction->getDilations().size()
           << " dilations and " << contraction->getPads().size()
           << " pads; it needs as many dilations as strides and twice as many "
              "pads";
  if (contraction->getGroups() < 1)
    return op.emitOpError("has a contraction with ")
           << contraction->getGroups() << " groups; it needs 1 or more";
  return success();
}

LogicalResult LaunchOp::verify() {
  if (failed(verifySlots(*this, getSlots())) ||
      failed(verifyContraction(*this)))
    return failure();
  if (getAxes()) {
    auto result = getNumResults() == 0
                      ? MemRefType()
                      : dyn_cast<MemRefType>(getResult(0).getType());
    if (!result)
      return emitOpError("reduces axes and needs results of known rank");
    if (failed(verifyAxes(*this, *getAxes(), result.getRank())))
      return failure();
  }
  return verifyKinds(*this, getKinds(), getInputs());
}

LogicalResult RunOp::verify() {
  if (failed(verifySlots(*this, getSlots())))
    return failure();
  int64_t numResults = getNumResults();
  if (bool(getMemory()) != bool(getOffsets()) ||
      (getOffsets() && int64_t(getOffsets()->size()) != numResults))
    return emitOpError("has ")
           << numResults << " results but "
           << (getOffsets() ? getOffsets()->size() : 0) << " offsets in memory";
  int32_t count = getInputs().size() + getDestinations().size();
  for (int32_t slot : getSlots())
    if (operandAbout(slot) >= count)
      return emitOpError("has the slot ")
             << slot << ", which is about operand " << operandAbout(slot)
             << "; there are " << count;
  return success();
}

LogicalResult ContiguousOp::verify() {
  auto source = dyn_cast<ShapedType>(getSource().getType()),
       result = dyn_cast<ShapedType>(getResult().getType());
  if (!source || !result)
    return emitOpError("takes ")
           << getSource().getType() << " and gives " << getResult().getType()
           << "; both must have a shape";
  if (source.getElementType() == result.getElementType() &&
      succeeded(verifyCompatibleShape(source, result)))
    return success();
  return emitOpError("makes ")
         << result << " of " << source << "; it changes strides alone";
}

LogicalResult AllocOp::verify() {
  MemRefType type = getMemref().getType();
  if (size_t(type.getNumDynamicDims()) == getDynamicExtents().size())
    return success();
  return emitOpError("has ")
         << getDynamicExtents().size() << " extents for the "
         << type.getNumDynamicDims() << " open ones of " << type;
}

LogicalResult ExternalCallOp::verify() {
  if (!getCopies() || getCopies()->size() == getInputs().size())
    return success();
  return emitOpError("has ") << getCopies()->size() << " names for its "
                             << getInputs().size() << " inputs";
}

void ExternalCallOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  // A library may have state of its own.
  if (!getDeterministic())
    effects.emplace_back(MemoryEffects::Write::get());
  for (OpOperand &operand : getInputsMutable())
    if (isa<BaseMemRefType>(operand.get().getType()))
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  for (int64_t i : getWrites())
    effects.emplace_back(MemoryEffects::Write::get(), &getInputsMutable()[i]);
}
