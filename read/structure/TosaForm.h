//===- TosaForm.h - operands, results and ranks of TOSA ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The numbers and ranks of operands and results of TOSA's operations.
// Upstream's verifier has the same rules with less precise messages.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_STRUCTURE_TOSAFORM_H
#define BROADLOOM_READ_STRUCTURE_TOSAFORM_H

#include "mlir/IR/Operation.h"

namespace broadloom::read {

/// Checks the numbers and ranks of operands and results of an operation of TOSA
/// that is not element-wise.
llvm::LogicalResult checkTosaForm(mlir::Operation *op);

} // namespace broadloom::read

#endif // BROADLOOM_READ_STRUCTURE_TOSAFORM_H
