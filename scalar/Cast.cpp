//===- Cast.cpp - casts between all scalar types --------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scalar/Bodies.h"
#include "scalar/FloatFormat.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace broadloom::scalar;
using IntPredicate = arith::CmpIPredicate;
using FloatPredicate = arith::CmpFPredicate;

/// el-7: half to even, saturating, NaN gives 0.
static Value floatToInteger(Emitter &e, Value x, Type type, bool isUnsigned) {
  unsigned width = type.getIntOrFloatBitWidth();
  Value rounded = e.make<math::RoundEvenOp>(widen(e, x));
  Type wide = rounded.getType();
  // Both bounds are powers of two or zero, hence exact.
  Value low = e.real(wide, isUnsigned ? 0 : -std::ldexp(1.0, width - 1));
  Value high = e.real(wide, std::ldexp(1.0, isUnsigned ? width : width - 1));
  Value below = e.compare(FloatPredicate::OLT, rounded, low);
  Value above = e.compare(FloatPredicate::OGE, rounded, high);
  Value inside = e.bitAnd(e.compare(FloatPredicate::OGE, rounded, low),
                          e.compare(FloatPredicate::OLT, rounded, high));
  // The conversion of a number out of range is undefined.
  Value safe = e.select(inside, rounded, e.real(wide, 0));
  Type conversion = e.intType(std::max(32u, width));
  Value converted = isUnsigned && width >= 32
                        ? e.make<arith::FPToUIOp>(conversion, safe)
                        : e.make<arith::FPToSIOp>(conversion, safe);
  converted = e.resize(converted, type, isUnsigned);
  converted = e.select(below, e.minInteger(type, isUnsigned), converted);
  return e.select(above, e.maxInteger(type, isUnsigned), converted);
}

/// A 64-bit integer with at most 53 significant bits: itself, or rounded to
/// odd at bit 11, so that rounding it further rounds once.
static Value roundToOdd(Emitter &e, Value x, bool isUnsigned) {
  Type i64 = x.getType();
  Value low = e.bitAnd(x, e.integer(i64, 0x7FF));
  Value inexact = e.compare(IntPredicate::ne, low, e.integer(i64, 0));
  Value odd = e.shiftLeft(e.resize(inexact, i64, true), 11);
  Value coarse = e.bitOr(e.bitXor(x, low), odd);
  Value limit = e.integer(i64, int64_t(1) << 53);
  Value isSmall = isUnsigned ? e.compare(IntPredicate::ult, x, limit)
                             : e.compare(IntPredicate::ult, e.add(x, limit),
                                         e.integer(i64, int64_t(1) << 54));
  return e.select(isSmall, x, coarse);
}

/// el-7: rounded once from the exact value.
static Value integerToFloat(Emitter &e, Value x, Type type, bool isUnsigned) {
  auto convert = [&](Type to) {
    return isUnsigned ? e.make<arith::UIToFPOp>(to, x)
                      : e.make<arith::SIToFPOp>(to, x);
  };
  if (type.isF32() || type.isF64())
    return convert(type);
  unsigned width = x.getType().getIntOrFloatBitWidth();
  if (width <= 16)
    return roundTo(e, convert(e.f32()), type);
  if (width == 64)
    x = roundToOdd(e, x, isUnsigned);
  return roundTo(e, convert(e.f64()), type);
}

Value broadloom::scalar::castScalar(Emitter &e, Value x, Type type,
                                    bool fromUnsigned, bool toUnsigned) {
  Type from = x.getType();
  if (from == type)
    return x;
  bool fromBool = from.isInteger(1);
  if (isa<FloatType>(from)) {
    if (isa<FloatType>(type))
      return roundTo(e, widen(e, x), type);
    if (!type.isInteger(1))
      return floatToInteger(e, x, type, toUnsigned);
    Value wide = widen(e, x);
    return e.compare(FloatPredicate::UNE, wide, e.real(wide.getType(), 0));
  }
  if (isa<FloatType>(type))
    return integerToFloat(e, x, type, fromUnsigned || fromBool);
  if (type.isInteger(1))
    return e.compare(IntPredicate::ne, x, e.integer(from, 0));
  return e.resize(x, type, fromUnsigned || fromBool);
}
