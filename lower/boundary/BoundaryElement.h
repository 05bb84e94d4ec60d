//===- BoundaryElement.h - one element of what goes on ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which element of a tensor or of memory is read beyond its ends (bnd-1).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_BOUNDARY_BOUNDARYELEMENT_H
#define BROADLOOM_LOWER_BOUNDARY_BOUNDARYELEMENT_H

#include "dialect/LoomBoundary.h"
#include "runtime/abi/BoundaryPlace.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallBitVector.h"

namespace broadloom::lower {

/// What the runtime calls the mode.
BoundaryKind getKind(loom::BoundaryMode mode);

/// The index inside an axis that is read for any index. Most indices are
/// inside, and divisions are slow: they are behind a branch, or with `selects`
/// computed for all.
mlir::Value emitPlace(mlir::OpBuilder &b, mlir::Location loc,
                      loom::BoundaryMode mode, mlir::Value index,
                      mlir::Value extent, bool selects = false);

/// Whether an index is inside an axis.
mlir::Value emitIsInside(mlir::OpBuilder &b, mlir::Location loc,
                         mlir::Value index, mlir::Value extent);

/// One element of a boundary.
struct BoundaryElement {
  loom::BoundaryMode mode;
  /// They count from the first element of the source.
  llvm::SmallVector<mlir::Value> indices;
  /// Those of the source, with what stands between its elements.
  mlir::ValueRange extents;
  /// The axes whose indices are known to be inside the source.
  llvm::SmallBitVector isInside;
  /// How many elements of mode `constant` stand between each two along an axis;
  /// none where it is empty.
  llvm::ArrayRef<int64_t> interior = {};

  /// Emits it. `read` emits an element of the source, and `fill` what mode
  /// `constant` reads beyond the ends.
  mlir::Value emit(
      mlir::OpBuilder &b, mlir::Location loc,
      llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange)> read,
      llvm::function_ref<mlir::Value(mlir::OpBuilder &)> fill) const;
};

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_BOUNDARY_BOUNDARYELEMENT_H
