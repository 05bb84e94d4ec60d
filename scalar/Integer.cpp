//===- Integer.cpp - integer arithmetic -----------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scalar/Bodies.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace broadloom::scalar;
using Predicate = arith::CmpIPredicate;

Value broadloom::scalar::absInteger(Emitter &e, Value x, bool isUnsigned) {
  if (isUnsigned)
    return x;
  Value zero = e.integer(x.getType(), 0);
  return e.select(e.compare(Predicate::slt, x, zero), e.sub(zero, x), x);
}

/// The quotient toward zero, where it is defined. Processors have no vector
/// division of integers; the f64 quotient of 32-bit integers is precise enough
/// that its integral part is exact.
static Value emitQuotient(Emitter &e, Value x, Value y, bool isUnsigned) {
  Type type = x.getType();
  if (!type.isInteger(32))
    return isUnsigned ? e.make<arith::DivUIOp>(x, y)
                      : e.make<arith::DivSIOp>(x, y);
  auto toFloat = [&](Value v) {
    return isUnsigned ? e.make<arith::UIToFPOp>(e.f64(), v)
                      : e.make<arith::SIToFPOp>(e.f64(), v);
  };
  Value quotient = e.make<arith::DivFOp>(toFloat(x), toFloat(y));
  return isUnsigned ? e.make<arith::FPToUIOp>(type, quotient)
                    : e.make<arith::FPToSIOp>(type, quotient);
}

Value broadloom::scalar::divideInteger(Emitter &e, Value x, Value y,
                                       bool isUnsigned) {
  Type type = x.getType();
  Value zero = e.integer(type, 0), one = e.integer(type, 1);
  Value byZero = e.compare(Predicate::eq, y, zero);
  Value replace = byZero;
  if (!isUnsigned) {
    // The smallest integer is divided by 1 instead of -1, which gives itself.
    Value overflow =
        e.bitAnd(e.compare(Predicate::eq, x, e.minInteger(type, false)),
                 e.compare(Predicate::eq, y, e.integer(type, -1)));
    replace = e.bitOr(byZero, overflow);
  }
  Value divisor = e.select(replace, one, y);
  Value quotient = emitQuotient(e, x, divisor, isUnsigned);
  return e.select(byZero, zero, quotient);
}

Value broadloom::scalar::multiplyInteger(Emitter &e, Value x, Value y,
                                         Type resultType, bool isUnsigned) {
  return e.mul(e.resize(x, resultType, isUnsigned),
               e.resize(y, resultType, isUnsigned));
}

Value broadloom::scalar::multiplyShifted(Emitter &e, Value x, Value y,
                                         Value shift) {
  Type i64 = e.intType(64);
  Value zero = e.integer(i64, 0), one = e.integer(i64, 1);
  Value product = e.mul(e.resize(x, i64, false), e.resize(y, i64, false));
  // A guard has checked the range; the mask keeps the body defined for any
  // amount.
  Value amount = e.bitAnd(e.resize(shift, i64, true), e.integer(i64, 63));
  Value shifts = e.compare(Predicate::ne, amount, zero);
  Value halfBit = e.select(shifts, e.sub(amount, one), zero);
  Value half = e.select(shifts, e.shiftLeft(one, halfBit), zero);
  Value shifted = e.shiftRight(e.add(product, half), amount, false);
  return e.resize(shifted, x.getType(), false);
}

Value broadloom::scalar::negateInteger(Emitter &e, Value x, bool isUnsigned) {
  Type type = x.getType();
  Value zero = e.integer(type, 0);
  if (isUnsigned)
    return zero;
  Value smallest = e.compare(Predicate::eq, x, e.minInteger(type, false));
  return e.select(smallest, e.maxInteger(type, false), e.sub(zero, x));
}

Value broadloom::scalar::negateQuantized(Emitter &e, Value x, Value inputZero,
                                         Value outputZero, bool isUnsigned) {
  // Three 8-bit terms fit 16 bits.
  Type type = x.getType(), i16 = e.intType(16);
  Value wide =
      e.sub(e.resize(inputZero, i16, isUnsigned), e.resize(x, i16, isUnsigned));
  wide = e.add(wide, e.resize(outputZero, i16, isUnsigned));
  wide = e.max(wide, e.integer(i16, isUnsigned ? 0 : -128), false);
  wide = e.min(wide, e.integer(i16, isUnsigned ? 255 : 127), false);
  return e.resize(wide, type, false);
}

Value broadloom::scalar::countLeadingZeros(Emitter &e, Value x) {
  return e.make<math::CountLeadingZerosOp>(x);
}

Value broadloom::scalar::invertBits(Emitter &e, Value x) {
  return e.bitXor(x, e.integer(x.getType(), -1));
}
