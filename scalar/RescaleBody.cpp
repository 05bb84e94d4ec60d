//===- RescaleBody.cpp - the arithmetic of a rescale ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scalar/RescaleBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace broadloom::scalar;

/// Larger shifts round a second time.
static constexpr int64_t kLastOnce = 31;

Value RescaleBody::widen(Value value, bool isUnsigned) {
  if (value.getType().isInteger(64))
    return value;
  if (isUnsigned)
    return arith::ExtUIOp::create(b, loc, b.getI64Type(), value);
  return arith::ExtSIOp::create(b, loc, b.getI64Type(), value);
}

Value RescaleBody::scale(Value value, Value multiplier, Value shift,
                         Shifts known) {
  constexpr int64_t kLeast = 2, kMost = 62;
  if (known.least < kLeast)
    shift = arith::MaxSIOp::create(b, loc, shift, constant(kLeast));
  if (known.most > kMost)
    shift = arith::MinSIOp::create(b, loc, shift, constant(kMost));
  // Folded if all channels have one shift.
  Value less = b.createOrFold<arith::SubIOp>(loc, shift, constant(1));
  Value half = b.createOrFold<arith::ShLIOp>(loc, constant(1), less);
  if (roundsTwice && known.most > kLastOnce)
    half = arith::AddIOp::create(b, loc, half, roundAgain(value, shift, known));
  Value product = arith::MulIOp::create(b, loc, value, multiplier);
  Value sum = arith::AddIOp::create(b, loc, product, half);
  return arith::ShRSIOp::create(b, loc, sum, shift);
}

Value RescaleBody::narrow(Value value, Type type, bool isUnsigned) {
  unsigned bits = type.getIntOrFloatBitWidth();
  APInt least =
      isUnsigned ? APInt::getZero(64) : APInt::getSignedMinValue(bits).sext(64);
  APInt most = isUnsigned ? APInt::getMaxValue(bits).zext(64)
                          : APInt::getSignedMaxValue(bits).sext(64);
  value = arith::MaxSIOp::create(b, loc, value, constant(least.getSExtValue()));
  value = arith::MinSIOp::create(b, loc, value, constant(most.getSExtValue()));
  return arith::TruncIOp::create(b, loc, type, value);
}

Value RescaleBody::addZero(Value scaled, int64_t zeroPoint, Type type) {
  unsigned bits = type.getIntOrFloatBitWidth();
  scaled = arith::TruncIOp::create(b, loc, b.getI32Type(), scaled);
  if (bits >= 32)
    return scaled;
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, loc, b.getI32Type(), value);
  };
  // Saturated first, the sum does not overflow.
  int64_t least = APInt::getSignedMinValue(bits).getSExtValue() - zeroPoint;
  int64_t most = APInt::getSignedMaxValue(bits).getSExtValue() - zeroPoint;
  scaled = arith::MaxSIOp::create(b, loc, scaled, number(least));
  scaled = arith::MinSIOp::create(b, loc, scaled, number(most));
  if (zeroPoint != 0)
    scaled = arith::AddIOp::create(b, loc, scaled, number(zeroPoint));
  return arith::TruncIOp::create(b, loc, type, scaled);
}

Value RescaleBody::constant(int64_t value) {
  return arith::ConstantIntOp::create(b, loc, b.getI64Type(), value);
}

Value RescaleBody::roundAgain(Value value, Value shift, Shifts known) {
  constexpr int64_t kHalf = int64_t(1) << 30;
  Value isNegative = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt,
                                           value, constant(0));
  Value rounding = arith::SelectOp::create(b, loc, isNegative, constant(-kHalf),
                                           constant(kHalf));
  if (known.least > kLastOnce)
    return rounding;
  Value isWide = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, shift,
                                       constant(kLastOnce));
  return arith::SelectOp::create(b, loc, isWide, rounding, constant(0));
}
