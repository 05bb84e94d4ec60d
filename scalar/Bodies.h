//===- Bodies.h - the scalar semantics, family by family --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One function per computation of docs/spec.md, section 5. Each emits a
// straight-line body and returns its value.
//
// Invariant: scalars are signless integers (never `index`, which is computed
// as i64) or floats; where signedness matters it is a parameter. Nothing
// emitted is undefined for any value of the scalars.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SCALAR_BODIES_H
#define BROADLOOM_SCALAR_BODIES_H

#include "scalar/Emitter.h"

namespace broadloom::scalar {

using mlir::Type;
using mlir::Value;

// Integer.cpp

/// el-2: |x|; that of the smallest integer is itself.
Value absInteger(Emitter &e, Value x, bool isUnsigned);
/// el-2: the quotient toward zero; x/0 = 0, and the smallest integer divided
/// by -1 is itself.
Value divideInteger(Emitter &e, Value x, Value y, bool isUnsigned);
/// el-1 without a shift: the low bits of the product in `resultType`.
Value multiplyInteger(Emitter &e, Value x, Value y, Type resultType,
                      bool isUnsigned);
/// el-1 for i32: the product shifted right by `shift` (an i8) with rounding.
Value multiplyShifted(Emitter &e, Value x, Value y, Value shift);
/// el-4 without zero-points, saturating.
Value negateInteger(Emitter &e, Value x, bool isUnsigned);
/// el-4 for 8 bits, saturating.
Value negateQuantized(Emitter &e, Value x, Value inputZero, Value outputZero,
                      bool isUnsigned);
/// The number of leading zero bits; the width for 0.
Value countLeadingZeros(Emitter &e, Value x);
Value invertBits(Emitter &e, Value x);

// Shift.cpp (el-3); all bits of the amount count, as an unsigned number

Value shiftLeftLogical(Emitter &e, Value x, Value amount);
Value shiftRightLogical(Emitter &e, Value x, Value amount);
Value shiftRightArithmetic(Emitter &e, Value x, Value amount, bool round,
                           bool isUnsigned);

// FloatArithmetic.cpp; f16, bf16, f32 and f64

enum class Arithmetic { Add, Sub, Mul };
Value arithmeticFloat(Emitter &e, Arithmetic kind, Value x, Value y);
Value negateFloat(Emitter &e, Value x);
Value absFloat(Emitter &e, Value x);
Value ceilFloat(Emitter &e, Value x);
Value floorFloat(Emitter &e, Value x);
Value reciprocal(Emitter &e, Value x);
Value reciprocalSqrt(Emitter &e, Value x);

// MinMaxClamp.cpp (el-5, el-6)

enum class NaNMode { Propagate, Ignore };
enum class Order { Equal, Greater, GreaterEqual };
Value maximum(Emitter &e, Value x, Value y, NaNMode mode, bool isUnsigned);
Value minimum(Emitter &e, Value x, Value y, NaNMode mode, bool isUnsigned);
/// `ofBoth`, or the other one of two floats where one is NaN; also of vectors.
Value ignoreNaN(Emitter &e, Value x, Value y, Value ofBoth);
/// The bounds are constants of x's type, the first at most the second, neither
/// NaN.
Value clamp(Emitter &e, Value x, mlir::TypedAttr lower, mlir::TypedAttr upper,
            NaNMode mode, bool isUnsigned);
Value compare(Emitter &e, Order order, Value x, Value y, bool isUnsigned);

// Cast.cpp (el-7)

/// Between any two scalar types; the flags say whether an integer on that side
/// is unsigned.
Value castScalar(Emitter &e, Value x, Type type, bool fromUnsigned,
                 bool toUnsigned);

// Transcendental.cpp (el-8, el-9); f16, bf16, f32 and f64

enum class Function { Cos, Erf, Exp, Log, Sigmoid, Sin, Tanh };
Value applyFunction(Emitter &e, Function function, Value x);
Value power(Emitter &e, Value x, Value y);

} // namespace broadloom::scalar

#endif // BROADLOOM_SCALAR_BODIES_H
