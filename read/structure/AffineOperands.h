//===- AffineOperands.h - operands of affine operations ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_STRUCTURE_AFFINEOPERANDS_H
#define BROADLOOM_READ_STRUCTURE_AFFINEOPERANDS_H

#include "mlir/IR/Operation.h"

namespace broadloom::read {

/// Refuses what upstream's verifier refuses as well, but names the operand and
/// says what to write: a loop's variable as a symbol, as in `affine.for %j = 0
/// to %i`, and a number that is no operand of affine operations.
llvm::LogicalResult checkAffineOperands(mlir::Operation *op);

} // namespace broadloom::read

#endif // BROADLOOM_READ_STRUCTURE_AFFINEOPERANDS_H
