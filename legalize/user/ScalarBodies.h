//===- ScalarBodies.h - references that compute one element -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_USER_SCALARBODIES_H
#define BROADLOOM_LEGALIZE_USER_SCALARBODIES_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"

namespace broadloom::legalize {

/// Replaces the elements that `body`, the expansion of the reference at
/// `reference` of `op`, reads of constant tensors (attributes) by constants,
/// because scalar code has no tensors. An error at `op` for a tensor that is
/// read by an index that is not a constant, or is outside of it.
llvm::LogicalResult readConstantTensors(mlir::Block &body, mlir::Operation *op,
                                        mlir::Location reference);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_USER_SCALARBODIES_H
