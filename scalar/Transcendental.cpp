//===- Transcendental.cpp - functions from the math library ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scalar/Bodies.h"
#include "scalar/FloatFormat.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace broadloom::scalar;

/// exp(x) of an f64 at or below 0, to about one ULP, subnormals included: which
/// the sigmoid needs for results near 0; a vector library's error of four ULP
/// would be too large.
static Value emitExpOfNonPositive(Emitter &e, Value x) {
  constexpr double smallest = -760; // from here on the result is 0
  constexpr double ln2High = 0x1.62e42feep-1, ln2Low = 0x1.a39ef35793c76p-33;
  constexpr unsigned degree = 13, mantissa = 52;
  constexpr int64_t bias = 1023;
  Type type = x.getType(), bits = e.intType(64);
  auto add = [&](Value a, Value b) { return e.make<arith::AddFOp>(a, b); };
  auto sub = [&](Value a, Value b) { return e.make<arith::SubFOp>(a, b); };
  auto mul = [&](Value a, Value b) { return e.make<arith::MulFOp>(a, b); };

  // NaN stays.
  Value least = e.real(type, smallest);
  x = e.select(e.compare(arith::CmpFPredicate::OLT, x, least), least, x);
  // x = k ln 2 + r; multiples of ln2High are exact. Adding 1.5 * 2^mantissa
  // rounds to an integer, which is then in the low bits.
  Value magic = e.real(type, std::ldexp(1.5, mantissa));
  Value shifted = add(mul(x, e.real(type, 1.4426950408889634)), magic);
  Value k = sub(shifted, magic);
  Value r =
      sub(sub(x, mul(k, e.real(type, ln2High))), mul(k, e.real(type, ln2Low)));

  // Taylor's series, for |r| up to ln 2 / 2.
  double factorial = 1;
  for (unsigned n = 2; n <= degree; ++n)
    factorial *= n;
  Value series = e.real(type, 1 / factorial);
  for (unsigned n = degree; n > 2; --n) {
    factorial /= n;
    series = add(mul(series, r), e.real(type, 1 / factorial));
  }
  Value power = add(e.real(type, 1), add(r, mul(mul(r, r), series)));

  // 2^k may be subnormal; its two factors are not, and only the last product
  // rounds.
  Value exponent = e.sub(e.bitcast(shifted, bits), e.bitcast(magic, bits));
  Value half = e.shiftRight(exponent, 1, false);
  for (Value part : {half, e.sub(exponent, half)}) {
    Value biased = e.add(part, e.integer(bits, bias));
    power = mul(power, e.bitcast(e.shiftLeft(biased, mantissa), type));
  }
  return power;
}

/// 1 / (1 + exp(-x)), with an exponential that is at most 1 and does not
/// overflow. If x is far below 0, the result is exp(x), with its relative
/// accuracy and its subnormals.
static Value emitSigmoid(Emitter &e, Value x) {
  Type type = x.getType();
  Value one = e.real(type, 1);
  Value magnitude = negateFloat(e, absFloat(e, x));
  // The exp of f32 is this project's own and precise enough
  // (scalar/MathExpansion.h).
  Value power = type.isF32() ? e.make<math::ExpOp>(magnitude)
                             : emitExpOfNonPositive(e, magnitude);
  Value isPositive = e.compare(arith::CmpFPredicate::OGE, x, e.real(type, 0));
  return e.make<arith::DivFOp>(e.select(isPositive, one, power),
                               e.make<arith::AddFOp>(one, power));
}

/// Clamps x to [-1, 1]; NaN stays: a vector library's sine exceeds 1 by one
/// unit in the last place at a few points.
static Value emitWithinOne(Emitter &e, Value x) {
  Value one = e.real(x.getType(), 1), minusOne = e.real(x.getType(), -1);
  x = e.select(e.compare(arith::CmpFPredicate::OGT, x, one), one, x);
  return e.select(e.compare(arith::CmpFPredicate::OLT, x, minusOne), minusOne,
                  x);
}

static Value emitFunction(Emitter &e, Function function, Value x) {
  switch (function) {
  case Function::Cos:
    return emitWithinOne(e, e.make<math::CosOp>(x));
  case Function::Erf:
    return e.make<math::ErfOp>(x);
  case Function::Exp:
    return e.make<math::ExpOp>(x);
  case Function::Log:
    return e.make<math::LogOp>(x);
  case Function::Sigmoid:
    return emitSigmoid(e, x);
  case Function::Sin:
    return emitWithinOne(e, e.make<math::SinOp>(x));
  case Function::Tanh:
    return e.make<math::TanhOp>(x);
  }
  llvm_unreachable("all functions are handled");
}

Value broadloom::scalar::applyFunction(Emitter &e, Function function, Value x) {
  return computeWidened(e, x.getType(), {x}, [&](ArrayRef<Value> v) {
    return emitFunction(e, function, v[0]);
  });
}

Value broadloom::scalar::power(Emitter &e, Value x, Value y) {
  return computeWidened(e, x.getType(), {x, y}, [&](ArrayRef<Value> v) {
    return e.make<math::PowFOp>(v[0], v[1]);
  });
}
