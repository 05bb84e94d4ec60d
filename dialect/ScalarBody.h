//===- ScalarBody.h - what operations of a scalar body read -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The body of a map, a fused reduction or a contraction may have branches and
// loops, which also read the values that their regions capture.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_SCALARBODY_H
#define BROADLOOM_DIALECT_SCALARBODY_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"

namespace broadloom::loom {

/// The values of the block of `op` that it reads: its operands, and those that
/// its regions read, in the order of the text.
llvm::SmallVector<mlir::Value, 4> getReads(mlir::Operation *op);

/// The operations of `body` that read one of `values`, which belong to that
/// block, directly or in a region. May have repeats.
llvm::SmallVector<mlir::Operation *, 4> getReaders(mlir::Block &body,
                                                   mlir::ValueRange values);

} // namespace broadloom::loom

#endif // BROADLOOM_DIALECT_SCALARBODY_H
