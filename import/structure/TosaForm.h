//===- TosaForm.h - operands, results and ranks of TOSA ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many operands and results an operation of TOSA has, and of which rank.
// Upstream's verifier has the same rules and says less.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_IMPORT_STRUCTURE_TOSAFORM_H
#define BROADLOOM_IMPORT_STRUCTURE_TOSAFORM_H

#include "mlir/IR/Operation.h"

namespace broadloom {

/// Checks the numbers and ranks of operands and results of an operation of TOSA
/// that is not element-wise.
llvm::LogicalResult checkTosaForm(mlir::Operation *op);

} // namespace broadloom

#endif // BROADLOOM_IMPORT_STRUCTURE_TOSAFORM_H
