//===- VerifyLoosely.h - upstream's verifiers, less strict ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some of upstream's verifiers reject valid static extents: those of TOSA and
// linalg reject 0, those of slices reject an empty slice at the end of an axis.
// The same program with `?` instead passes and runs, so that these must pass
// too (bcast-7).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_STRUCTURE_VERIFYLOOSELY_H
#define BROADLOOM_READ_STRUCTURE_VERIFYLOOSELY_H

#include "mlir/IR/Operation.h"

namespace broadloom::read {

/// Checks the invariants of `op`, which have not been checked before, as if
/// these extents were dynamic. A constraint checks the extents.
llvm::LogicalResult verifyLoosely(mlir::Operation *op);

/// Whether upstream's inference fails on `op` because of its operands' static
/// extents: it divides by 0, or infers a wrong extent. The operation's shape
/// function has the right rule.
bool isInferredWrongly(mlir::Operation *op);

/// Whether the verifier of `op`, an operation of `linalg`, treats `?` and a
/// number as different extents.
bool comparesExtents(mlir::Operation *op);

/// The same for upstream's checks after those of nested operations, which
/// compare result types with inferred ones.
llvm::LogicalResult verifyRegionsLoosely(mlir::Operation *op);

/// Checks `root` and all nested operations in this way, and dominance.
llvm::LogicalResult verifyAllLoosely(mlir::Operation *root);

/// Whether `op` is a `tosa.pad` whose padding is not a constant, which
/// upstream's verifier rejects without a message.
bool hasComputedPadding(mlir::Operation *op);

} // namespace broadloom::read

#endif // BROADLOOM_READ_STRUCTURE_VERIFYLOOSELY_H
