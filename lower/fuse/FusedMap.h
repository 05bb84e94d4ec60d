//===- FusedMap.h - one map that does the work of several -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the map that replaces a cluster of maps, and its types.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_FUSE_FUSEDMAP_H
#define BROADLOOM_LOWER_FUSE_FUSEDMAP_H

#include "dialect/LoomDialect.h"

#include "llvm/ADT/ArrayRef.h"

namespace broadloom::lower {

/// Replaces `members` by one map at the position of the first, the root. The
/// others come before it in the text, each member after those that follow it in
/// the list, and their operands are defined before the root. All results of the
/// root, and those of others with users outside the members, become its
/// results, with the shape of the type `shape`; uses keep their types.
void buildFusedMap(llvm::ArrayRef<loom::MapOp> members, mlir::Type shape);

/// The merged type of two tensor types of one shape, with `a`'s elements; null
/// if they contradict each other.
mlir::Type mergeShapes(mlir::Type a, mlir::Type b);

/// Whether types refute that a map of `operands` has this result (verify-1 to
/// verify-4). Scalars are ignored.
bool isRefutedByTypes(mlir::ValueRange operands, mlir::Type result);

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_FUSE_FUSEDMAP_H
