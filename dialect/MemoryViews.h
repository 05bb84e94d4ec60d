//===- MemoryViews.h - memrefs that are views of others ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_MEMORYVIEWS_H
#define BROADLOOM_DIALECT_MEMORYVIEWS_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/SmallBitVector.h"

namespace broadloom::loom {

/// The memory of which `op` makes a view, or null. All results that are memrefs
/// are the view.
inline mlir::Value getViewed(mlir::Operation *op) {
  if (auto transpose = llvm::dyn_cast_or_null<mlir::memref::TransposeOp>(op))
    return transpose.getIn();
  auto view = llvm::dyn_cast_or_null<mlir::ViewLikeOpInterface>(op);
  mlir::Value viewed = view ? view.getViewSource() : mlir::Value();
  return viewed && llvm::isa<mlir::BaseMemRefType>(viewed.getType())
             ? viewed
             : mlir::Value();
}

/// The memory of a known rank that `memory` is, or is a cast of; null where
/// that is not seen.
inline mlir::Value getRanked(mlir::Value memory) {
  while (!llvm::isa<mlir::MemRefType>(memory.getType())) {
    auto cast = memory.getDefiningOp<mlir::memref::CastOp>();
    if (!cast)
      return mlir::Value();
    memory = cast.getSource();
  }
  return memory;
}

/// What makes the memory of which `memory` is a view, or a view of one.
inline mlir::Value getRoot(mlir::Value memory) {
  while (mlir::Value viewed = getViewed(memory.getDefiningOp()))
    memory = viewed;
  return memory;
}

/// For each axis of the viewed memory, whether the view leaves it out. Such an
/// axis has one element. Where the sizes leave open which of several axes of
/// one element these are, strides that the types know decide. Upstream's
/// `getDroppedDims` counts open strides like equal ones, and may name axes of
/// more or fewer elements than the view has.
llvm::SmallBitVector getDroppedAxes(mlir::memref::SubViewOp view);

} // namespace broadloom::loom

#endif // BROADLOOM_DIALECT_MEMORYVIEWS_H
