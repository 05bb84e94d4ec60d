//===- SplitMap.h - a map of slices of boundaries in parts ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One map is computed in parts: an inner one, and one for each end of each
// axis.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_BOUNDARY_SPLITMAP_H
#define BROADLOOM_LOWER_BOUNDARY_SPLITMAP_H

#include "dialect/LoomDialect.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/DenseSet.h"

namespace broadloom::lower {

/// Whether `slice` takes elements next to each other and keeps all axes.
bool isPlain(mlir::tensor::ExtractSliceOp slice);

/// Whether operand `number` of a map has the extents of its result.
bool hasAllExtents(loom::MapOp map, unsigned number);

/// Replaces a map by parts, of which the inner one reads the sources of
/// `boundaries` where the map reads slices of these.
void splitMap(loom::MapOp map,
              const llvm::DenseSet<mlir::Operation *> &boundaries);

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_BOUNDARY_SPLITMAP_H
