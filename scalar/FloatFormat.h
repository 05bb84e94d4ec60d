//===- FloatFormat.h - between float formats, rounding once -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic is done in f32 and f64; narrower formats are widened exactly and
// rounded once, half to even (el-7, el-11).
//
// Invariant: bf16 and f8 are produced by integer arithmetic alone, since
// hardware conversions to bf16 flush subnormals, and f64 is converted to a
// format narrower than f32 through an f32 that is rounded to odd, because
// rounding to nearest twice may differ from rounding once.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SCALAR_FLOATFORMAT_H
#define BROADLOOM_SCALAR_FLOATFORMAT_H

#include "scalar/Emitter.h"

namespace broadloom::scalar {

/// Converts a narrower float to f32, exactly; f32 and f64 stay.
mlir::Value widen(Emitter &e, mlir::Value x);

/// An f32 or f64 rounded once to any float type, half to even; overflow gives
/// infinity, or NaN if the format has no infinity.
mlir::Value roundTo(Emitter &e, mlir::Value x, mlir::Type type);

/// Converts an f32 whose value is exact in `type` (f16, bf16 or f32).
mlir::Value narrowExact(Emitter &e, mlir::Value x, mlir::Type type);

/// Computes `body` on the widened operands and rounds its value to `type`,
/// the operands' own type. `type` is f16, bf16, f32 or f64.
mlir::Value computeWidened(
    Emitter &e, mlir::Type type, llvm::ArrayRef<mlir::Value> operands,
    llvm::function_ref<mlir::Value(llvm::ArrayRef<mlir::Value>)> body);

} // namespace broadloom::scalar

#endif // BROADLOOM_SCALAR_FLOATFORMAT_H
