//===- VerifyLoosely.h - upstream's verifiers, less strict ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some of upstream's verifiers refuse static extents that are valid: TOSA's and
// linalg's an extent of 0, those of slices one of no elements at an axis' end.
// The same program with '?' in their place passes and runs, so these must, too
// (bcast-7).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_IMPORT_STRUCTURE_VERIFYLOOSELY_H
#define BROADLOOM_IMPORT_STRUCTURE_VERIFYLOOSELY_H

#include "mlir/IR/Operation.h"

namespace broadloom::legalize {

/// Checks the invariants of `op`, of which nothing has been checked before, as
/// if the extents above were not known. Where they are wrong, a constraint
/// says so.
llvm::LogicalResult verifyLoosely(mlir::Operation *op);

/// Whether upstream's inference goes wrong on `op` because of what is known of
/// its operands: it divides by 0, or gives an extent that is not the
/// result's. The operation's shape function says what holds.
bool isInferredWrongly(mlir::Operation *op);

/// Whether the verifier of `op`, an operation of `linalg`, takes `?` and a
/// number for extents that differ.
bool comparesExtents(mlir::Operation *op);

/// The same of what upstream verifies once the operations in its regions are
/// verified, which includes that types of results are those that it infers.
llvm::LogicalResult verifyRegionsLoosely(mlir::Operation *op);

/// Checks `root` and all that is in it in this way, and that each operand is
/// computed before the operation.
llvm::LogicalResult verifyAllLoosely(mlir::Operation *root);

/// Whether `op` is a `tosa.pad` whose padding is no constant, which upstream's
/// verifier refuses without a word.
bool hasComputedPadding(mlir::Operation *op);

} // namespace broadloom::legalize

#endif // BROADLOOM_IMPORT_STRUCTURE_VERIFYLOOSELY_H
