//===- FloatFormat.cpp - between float formats, rounding once -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scalar/FloatFormat.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace broadloom::scalar;
using Predicate = arith::CmpIPredicate;

namespace {

/// A format of at most 16 bits, in the terms of IEEE 754.
struct Format {
  unsigned width;
  unsigned mantissa;
  /// Exponent bias.
  unsigned bias;
  /// Whether there are no infinities: all exponents have numbers, and the code
  /// of all ones is NaN.
  bool finiteOnly;

  static Format of(Type type) {
    if (isa<Float8E4M3FNType>(type))
      return {8, 3, 7, true};
    if (isa<Float8E5M2Type>(type))
      return {8, 2, 15, false};
    assert(isa<BFloat16Type>(type) && "no integer formula for this format");
    return {16, 7, 127, false};
  }

  int64_t magnitudeMask() const { return (int64_t(1) << (width - 1)) - 1; }
  /// The result of overflow: the code of infinity, or of NaN if there is no
  /// infinity. Codes above it are NaN.
  int64_t overflow() const {
    return finiteOnly ? magnitudeMask()
                      : magnitudeMask() & ~((int64_t(1) << mantissa) - 1);
  }
  /// The code of a quiet NaN.
  int64_t quietNaN() const {
    return finiteOnly ? magnitudeMask()
                      : overflow() | (int64_t(1) << (mantissa - 1));
  }
  bool hasRangeOfF32() const { return bias == 127; }
};

constexpr int64_t f32Infinity = 0x7F800000;
constexpr unsigned f32Mantissa = 23;

} // namespace

/// f32 bits from the bits of a narrower format in the low bits of an i32.
static Value widenBits(Emitter &e, Value code, const Format &format) {
  Type i32 = e.intType(32);
  unsigned shift = f32Mantissa - format.mantissa;
  if (format.hasRangeOfF32())
    return e.bitcast(e.shiftLeft(code, shift), e.f32());
  Value magnitude = e.bitAnd(code, e.integer(i32, format.magnitudeMask()));
  Value sign = e.shiftLeft(e.shiftRight(code, format.width - 1, true), 31);
  // As an f32, the magnitude is too small by a power of two, also for
  // subnormals; the product is exact.
  Value scaled = e.bitcast(e.shiftLeft(magnitude, shift), e.f32());
  Value scale = e.bitcast(
      e.integer(i32, int64_t(254 - format.bias) << f32Mantissa), e.f32());
  Value finite = e.bitcast(e.make<arith::MulFOp>(scaled, scale), i32);
  Value special =
      e.bitOr(e.shiftLeft(magnitude, shift), e.integer(i32, f32Infinity));
  Value isSpecial =
      e.compare(Predicate::uge, magnitude, e.integer(i32, format.overflow()));
  return e.bitcast(e.bitOr(e.select(isSpecial, special, finite), sign),
                   e.f32());
}

/// The upper bits of an f32, rounded half to even, for a format with the same
/// exponents. The sign needs no special case, because only a NaN could carry
/// into it.
static Value roundToUpperBits(Emitter &e, Value x, Value bits, unsigned shift) {
  Type i32 = e.intType(32);
  Value odd = e.bitAnd(e.shiftRight(bits, shift, true), e.integer(i32, 1));
  Value rounded =
      e.add(e.add(bits, e.integer(i32, (int64_t(1) << (shift - 1)) - 1)), odd);
  Value quiet = e.bitOr(bits, e.integer(i32, int64_t(1) << (f32Mantissa - 1)));
  Value isNaN = e.compare(arith::CmpFPredicate::UNO, x, x);
  return e.shiftRight(e.select(isNaN, quiet, rounded), shift, true);
}

/// The code (an i32) of an f32 in a narrower format, rounded half to even.
static Value roundBits(Emitter &e, Value x, const Format &format) {
  Type i32 = e.intType(32);
  unsigned shift = f32Mantissa - format.mantissa;
  Value bits = e.bitcast(x, i32);
  if (format.hasRangeOfF32())
    return roundToUpperBits(e, x, bits, shift);
  Value magnitude = e.bitAnd(bits, e.integer(i32, 0x7FFFFFFF));
  Value sign = e.shiftLeft(e.shiftRight(bits, 31, true), format.width - 1);

  // Adding half an ulp less one, and one more if the kept part is odd, carries
  // into the kept part exactly if half to even rounds up.
  Value odd = e.bitAnd(e.shiftRight(magnitude, shift, true), e.integer(i32, 1));
  Value rounded = e.add(e.add(magnitude, odd),
                        e.integer(i32, (int64_t(1) << (shift - 1)) - 1));
  Value code = e.shiftRight(rounded, shift, true);
  code = e.sub(code,
               e.integer(i32, int64_t(127 - format.bias) << format.mantissa));
  // Below the smallest normal number, adding a power of two whose ulp is the
  // format's smallest subnormal rounds to a multiple of that.
  int64_t unitExponent = 1 - int64_t(format.bias) - format.mantissa;
  Value magic =
      e.integer(i32, (unitExponent + f32Mantissa + 127) << f32Mantissa);
  Value sum = e.make<arith::AddFOp>(e.bitcast(magnitude, e.f32()),
                                    e.bitcast(magic, e.f32()));
  Value subnormal = e.sub(e.bitcast(sum, i32), magic);
  Value smallestNormal =
      e.integer(i32, int64_t(128 - format.bias) << f32Mantissa);
  code = e.select(e.compare(Predicate::ult, magnitude, smallestNormal),
                  subnormal, code);
  code = e.min(code, e.integer(i32, format.overflow()), true);
  Value isNaN =
      e.compare(Predicate::ugt, magnitude, e.integer(i32, f32Infinity));
  code = e.select(isNaN, e.integer(i32, format.quietNaN()), code);
  return e.bitOr(code, sign);
}

/// An f64 rounded to f32, to the neighbour with an odd last bit if it is not
/// exact. A further rounding to 22 bits or fewer then gives the correctly
/// rounded result.
static Value roundToOdd(Emitter &e, Value x) {
  using FloatPredicate = arith::CmpFPredicate;
  Type i32 = e.intType(32), i64 = e.intType(64);
  Value nearest = e.make<arith::TruncFOp>(e.f32(), x);
  Value back = e.make<arith::ExtFOp>(e.f64(), nearest);
  Value inexact = e.compare(FloatPredicate::ONE, back, x);
  Value mask = e.integer(i64, INT64_MAX);
  Value away = e.compare(Predicate::ugt, e.bitAnd(e.bitcast(back, i64), mask),
                         e.bitAnd(e.bitcast(x, i64), mask));
  Value bits = e.bitcast(nearest, i32);
  Value towardZero = e.sub(bits, e.resize(away, i32, true));
  Value odd = e.bitOr(towardZero, e.integer(i32, 1));
  return e.bitcast(e.select(inexact, odd, bits), e.f32());
}

Value broadloom::scalar::widen(Emitter &e, Value x) {
  Type type = x.getType();
  if (type.isF32() || type.isF64())
    return x;
  if (type.isF16())
    return e.make<arith::ExtFOp>(e.f32(), x);
  Format format = Format::of(type);
  Value code = e.bitcast(x, e.intType(format.width));
  return widenBits(e, e.resize(code, e.intType(32), true), format);
}

Value broadloom::scalar::roundTo(Emitter &e, Value x, Type type) {
  if (x.getType() == type)
    return x;
  if (type.isF64())
    return e.make<arith::ExtFOp>(type, x);
  if (type.isF32())
    return e.make<arith::TruncFOp>(type, x);
  if (x.getType().isF64())
    x = roundToOdd(e, x);
  if (type.isF16())
    return e.make<arith::TruncFOp>(type, x);
  Format format = Format::of(type);
  Value code = roundBits(e, x, format);
  return e.bitcast(e.resize(code, e.intType(format.width), true), type);
}

Value broadloom::scalar::narrowExact(Emitter &e, Value x, Type type) {
  if (!type.isBF16())
    return roundTo(e, x, type);
  Value high = e.shiftRight(e.bitcast(x, e.intType(32)), 16, true);
  return e.bitcast(e.resize(high, e.intType(16), true), type);
}

Value broadloom::scalar::computeWidened(
    Emitter &e, Type type, ArrayRef<Value> operands,
    llvm::function_ref<Value(ArrayRef<Value>)> body) {
  SmallVector<Value> wide;
  for (Value operand : operands)
    wide.push_back(widen(e, operand));
  return roundTo(e, body(wide), type);
}
