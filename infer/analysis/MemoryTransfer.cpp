//===- MemoryTransfer.cpp - extents of memory -----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/analysis/ShapeAnalysis.h"
#include "infer/numbers/NumberArithmetic.h"

#include "dialect/MemoryViews.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// Sets nothing where a product is too large for a number.
bool ShapeAnalysis::visitCollapse(Value source, Value result,
                                  ArrayRef<ReassociationIndices> groups) {
  SmallVector<Number> extents;
  for (const ReassociationIndices &group : groups) {
    std::optional<Number> product(1);
    for (int64_t axis : group)
      product = multiply(numbers, product, getExtentNumber(source, axis));
    if (!product)
      return false;
    extents.push_back(*product);
  }
  setNumbers(result, extents);
  return true;
}

/// Of memory that a function makes and views, the extents follow from operands;
/// what memory holds is not known.
bool ShapeAnalysis::visitMemory(Operation *op) {
  // A tensor in memory, or what is in memory as a tensor.
  if (isa<bufferization::ToTensorOp, bufferization::ToBufferOp>(op)) {
    visitCast(op->getOperand(0), op->getResult(0));
    return true;
  }
  if (!isa_and_nonnull<memref::MemRefDialect>(op->getDialect()))
    return false;
  auto setSizes = [&](ArrayRef<OpFoldResult> sizes) {
    SmallVector<Number> extents;
    for (OpFoldResult size : sizes)
      extents.push_back(scalars.getNumber(size));
    setNumbers(op->getResult(0), extents);
    return true;
  };
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    std::optional<int64_t> axis = dim.getConstantIndex();
    if (axis && isa<MemRefType>(dim.getSource().getType()))
      scalars.setNumber(dim, getExtentNumber(dim.getSource(), *axis));
    return true;
  }
  if (auto made = dyn_cast<memref::AllocOp>(op))
    return setSizes(made.getMixedSizes());
  if (auto made = dyn_cast<memref::AllocaOp>(op))
    return setSizes(made.getMixedSizes());
  if (auto view = dyn_cast<memref::SubViewOp>(op)) {
    llvm::SmallBitVector dropped = loom::getDroppedAxes(view);
    SmallVector<OpFoldResult> sizes;
    for (auto [axis, size] : llvm::enumerate(view.getMixedSizes()))
      if (!dropped.test(axis))
        sizes.push_back(size);
    return setSizes(sizes);
  }
  // Of memory without a rank, extents are read from the results of casts.
  if (auto cast = dyn_cast<memref::CastOp>(op);
      cast && !(isa<MemRefType>(cast.getType()) &&
                isa<MemRefType>(cast.getSource().getType()))) {
    setUnknown(cast);
    return true;
  }
  if (isa<memref::CastOp, memref::AssumeAlignmentOp>(op)) {
    visitCast(op->getOperand(0), op->getResult(0));
    return true;
  }
  if (auto view = dyn_cast<memref::ReinterpretCastOp>(op))
    return setSizes(view.getMixedSizes());
  if (auto view = dyn_cast<memref::ExpandShapeOp>(op))
    return setSizes(view.getMixedOutputShape());
  if (auto view = dyn_cast<memref::ViewOp>(op)) {
    Builder builder(op->getContext());
    return setSizes(
        getMixedValues(view.getType().getShape(), view.getSizes(), builder));
  }
  if (auto view = dyn_cast<memref::TransposeOp>(op)) {
    SmallVector<Number> extents;
    for (AffineExpr axis : view.getPermutation().getResults())
      extents.push_back(getExtentNumber(
          view.getIn(), cast<AffineDimExpr>(axis).getPosition()));
    setNumbers(view, extents);
    return true;
  }
  if (auto view = dyn_cast<memref::CollapseShapeOp>(op))
    return visitCollapse(view.getSrc(), view, view.getReassociationIndices());
  if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(op)) {
    for (auto [axis, size] : llvm::enumerate(metadata.getSizes()))
      scalars.setNumber(size, getExtentNumber(metadata.getSource(), axis));
    return true;
  }
  return false;
}
