//===- FloatArithmetic.cpp - correctly rounded float arithmetic -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scalar/Bodies.h"
#include "scalar/FloatFormat.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace broadloom::scalar;

// f16 and bf16 are computed in f32 and rounded once. For a single operation the
// result is correctly rounded: 24 bits are at least 2p + 2 for both (p = 11 and
// 8), and sums and products that are subnormal in bf16 lose nothing that could
// change the second rounding.

Value broadloom::scalar::arithmeticFloat(Emitter &e, Arithmetic kind, Value x,
                                         Value y) {
  return computeWidened(e, x.getType(), {x, y}, [&](ArrayRef<Value> v) {
    switch (kind) {
    case Arithmetic::Add:
      return e.make<arith::AddFOp>(v[0], v[1]);
    case Arithmetic::Sub:
      return e.make<arith::SubFOp>(v[0], v[1]);
    case Arithmetic::Mul:
      return e.make<arith::MulFOp>(v[0], v[1]);
    }
    llvm_unreachable("all kinds are handled");
  });
}

// These change only the sign bit, also of NaN.

Value broadloom::scalar::negateFloat(Emitter &e, Value x) {
  Type bits = e.intType(x.getType().getIntOrFloatBitWidth());
  Value sign = e.minInteger(bits, false);
  return e.bitcast(e.bitXor(e.bitcast(x, bits), sign), x.getType());
}

Value broadloom::scalar::absFloat(Emitter &e, Value x) {
  // rfc-1 has this operation. It is not used for narrower floats: widening them
  // would quiet NaN.
  if (x.getType().getIntOrFloatBitWidth() >= 32)
    return e.make<math::AbsFOp>(x);
  Type bits = e.intType(x.getType().getIntOrFloatBitWidth());
  Value magnitude = e.maxInteger(bits, false);
  return e.bitcast(e.bitAnd(e.bitcast(x, bits), magnitude), x.getType());
}

/// `x`, an f16, rounded up or down to an integer, by adding a number that
/// leaves no bits for a fraction. LLVM would compute `floor` with conversions
/// of f16, for which few machines have vector instructions.
static Value roundWidened(Emitter &e, Value x, bool up) {
  Value magic = e.real(x.getType(), 0x1.8p23);
  Value nearest = e.make<arith::SubFOp>(e.make<arith::AddFOp>(x, magic), magic);
  Value isPast = e.compare(
      up ? arith::CmpFPredicate::OLT : arith::CmpFPredicate::OGT, nearest, x);
  Value next = e.make<arith::AddFOp>(nearest, e.real(x.getType(), up ? 1 : -1));
  // The sign of a zero is that of x.
  return e.make<math::CopySignOp>(e.select(isPast, next, nearest), x);
}

static Value roundToInteger(Emitter &e, Value x, bool up) {
  Value wide = widen(e, x), rounded;
  if (x.getType().isF16())
    rounded = roundWidened(e, wide, up);
  else if (up)
    rounded = e.make<math::CeilOp>(wide);
  else
    rounded = e.make<math::FloorOp>(wide);
  return narrowExact(e, rounded, x.getType());
}

Value broadloom::scalar::ceilFloat(Emitter &e, Value x) {
  return roundToInteger(e, x, /*up=*/true);
}

Value broadloom::scalar::floorFloat(Emitter &e, Value x) {
  return roundToInteger(e, x, /*up=*/false);
}

Value broadloom::scalar::reciprocal(Emitter &e, Value x) {
  return computeWidened(e, x.getType(), {x}, [&](ArrayRef<Value> v) {
    return e.make<arith::DivFOp>(e.real(v[0].getType(), 1), v[0]);
  });
}

Value broadloom::scalar::reciprocalSqrt(Emitter &e, Value x) {
  // The root of -0 is -0, so that its reciprocal is -inf (el-8).
  return computeWidened(e, x.getType(), {x}, [&](ArrayRef<Value> v) {
    return e.make<arith::DivFOp>(e.real(v[0].getType(), 1),
                                 e.make<math::SqrtOp>(v[0]));
  });
}
