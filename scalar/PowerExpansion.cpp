//===- PowerExpansion.cpp - powers of f32 ---------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scalar/Expander.h"
#include "scalar/FunctionTables.h"
#include "scalar/LookupTables.h"
#include "scalar/RareCases.h"

using namespace mlir;
using namespace broadloom::scalar;

/// log2(x) = k + log2(1 / c) + log2(1 + r), with x = 2^k z, c near 1 / z from a
/// table of 32 and r = z c - 1, for normal x. The difference of the bits of x
/// and of the least z has k above the mantissa, and the index in the table in
/// its first five bits. The rounding errors of r, of its product with log2(e)
/// and of the sum are added: y log2(x) can be 128, and the relative error of
/// the result is the absolute error of this number.
std::pair<Value, Value> Expander::log2(Value x) {
  constexpr double log2eHigh = 0x1.715476p+0, log2eLow = 0x1.4ae0cp-26;
  constexpr int64_t exponent = 0xFF800000;
  Value xBits = asBits(x);
  Value distance = e.sub(xBits, i(tables::leastZ));
  Value k = e.make<arith::SIToFPOp>(
      real, e.shiftRight(distance, kMantissa, /*isUnsigned=*/false));
  Value z = asReal(e.sub(xBits, e.bitAnd(distance, i(exponent))));
  Value index = e.shiftRight(distance, kMantissa - 5, /*isUnsigned=*/true);

  // r is the sum of two numbers, and so is its product with log2(e).
  Value inverse = lookup("inverses", index);
  Value product = mul(z, inverse);
  Value rest = mulAdd(z, inverse, negate(product));
  Value r = sub(product, c(1));
  Value linear = mul(r, c(log2eHigh));
  Value lost = mulAdd(r, c(log2eHigh), negate(linear));
  lost = mulAdd(r, c(log2eLow), lost);
  lost = mulAdd(mulAdd(negate(rest), r, rest), c(log2eHigh), lost);
  Value curve = mulAdd(mul(r, r), horner(r, tables::log2Curve), lost);
  curve = add(curve, lookup("logarithms1", index));

  // The first sum is exact: the table has multiples of 2^-16.
  Value base = add(k, lookup("logarithms0", index));
  Value sum = add(base, linear);
  return {sum, add(add(sub(base, sum), linear), curve)};
}

/// 2^(high + low) = 2^n 2^(k / 32) 2^f, as for exp, but corrected by the
/// rounding error of 2^(k / 32), so that powers that f32 can represent are
/// exact.
Value Expander::exp2(Value high, Value low) {
  constexpr double shift = 0x1.8p18;
  Value shifted = add(add(high, low), c(shift));
  Value f = add(sub(high, sub(shifted, c(shift))), low);
  Value count = asBits(shifted);
  Value power = lookup("powers", count);
  Value tail = mul(horner(f, tables::exp2Rest), f);
  Value n = e.sub(count, asBits(c(shift)));
  tail = mulAdd(power, tail, lookup("powerRests", count));
  return scale(add(power, tail), e.shiftRight(n, 5, /*isUnsigned=*/false));
}

/// |x|^y = 2^(y log2|x|), for normal |x| and normal results.
Value Expander::expand(math::PowFOp op) {
  Value x = op.getLhs(), y = op.getRhs();
  if (isa<VectorType>(real))
    return {};
  auto [high, low] = log2(magnitude(x));
  Value product = mul(y, high);
  Value rest = mulAdd(y, low, mulAdd(y, high, negate(product)));
  return call(getRareCaseName("pow"), {x, y, exp2(product, rest)}, real);
}
