//===- MemoryTransfer.cpp - extents of memory -----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/analysis/ShapeAnalysis.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

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
    if (std::optional<int64_t> axis = dim.getConstantIndex())
      scalars.setNumber(dim, getExtentNumber(dim.getSource(), *axis));
    return true;
  }
  if (auto made = dyn_cast<memref::AllocOp>(op))
    return setSizes(made.getMixedSizes());
  if (auto made = dyn_cast<memref::AllocaOp>(op))
    return setSizes(made.getMixedSizes());
  if (auto view = dyn_cast<memref::SubViewOp>(op)) {
    llvm::SmallBitVector dropped = view.getDroppedDims();
    SmallVector<OpFoldResult> sizes;
    for (auto [axis, size] : llvm::enumerate(view.getMixedSizes()))
      if (!dropped.test(axis))
        sizes.push_back(size);
    return setSizes(sizes);
  }
  if (auto cast = dyn_cast<memref::CastOp>(op)) {
    visitCast(cast.getSource(), cast.getResult());
    return true;
  }
  return false;
}
