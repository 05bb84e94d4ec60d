//===- ShiftsBeyond.h - shifts by the width and more ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's shifts by the width of their operand or more are undefined. Here
// they have the result of TOSA's shifts by el-3: 0, or all sign bits for
// `arith.shrsi` (rt-11).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SCALAR_SHIFTSBEYOND_H
#define BROADLOOM_SCALAR_SHIFTSBEYOND_H

#include "mlir/IR/Operation.h"

namespace broadloom::scalar {

/// If `op` shifts a scalar, in arith or index, by an amount that may be out of
/// range, adds operations that give the result of el-3. A second call does
/// nothing. Returns whether `op` was erased.
bool defineShift(mlir::Operation *op);

} // namespace broadloom::scalar

#endif // BROADLOOM_SCALAR_SHIFTSBEYOND_H
