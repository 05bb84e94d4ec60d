//===- ShiftsBeyond.h - shifts by the width and more ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's shifts by the width of their operand and beyond have no result.
// Here they have the one that el-3 gives TOSA's: 0, and all sign bits of
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
