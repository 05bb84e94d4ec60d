//===- Shift.cpp - shifts of any amount -----------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scalar/Bodies.h"

using namespace mlir;
using namespace broadloom::scalar;
using Predicate = arith::CmpIPredicate;

/// Whether the amount is in [0, width).
static Value isInRange(Emitter &e, Value amount) {
  Type type = amount.getType();
  return e.compare(Predicate::ult, amount,
                   e.integer(type, type.getIntOrFloatBitWidth()));
}

Value broadloom::scalar::shiftLeftLogical(Emitter &e, Value x, Value amount) {
  Value zero = e.integer(x.getType(), 0);
  Value inRange = isInRange(e, amount);
  Value shifted = e.shiftLeft(x, e.select(inRange, amount, zero));
  return e.select(inRange, shifted, zero);
}

Value broadloom::scalar::shiftRightLogical(Emitter &e, Value x, Value amount) {
  Value zero = e.integer(x.getType(), 0);
  Value inRange = isInRange(e, amount);
  Value shifted = e.shiftRight(x, e.select(inRange, amount, zero), true);
  return e.select(inRange, shifted, zero);
}

Value broadloom::scalar::shiftRightArithmetic(Emitter &e, Value x, Value amount,
                                              bool round, bool isUnsigned) {
  // An unsigned number's sign bits are zeros.
  if (isUnsigned && !round)
    return shiftRightLogical(e, x, amount);
  Type type = x.getType();
  Value zero = e.integer(type, 0), one = e.integer(type, 1);
  Value inRange = isInRange(e, amount);
  Value safe = e.select(inRange, amount,
                        e.integer(type, type.getIntOrFloatBitWidth() - 1));
  Value shifted = e.shiftRight(x, safe, isUnsigned);
  if (isUnsigned)
    shifted = e.select(inRange, shifted, zero);
  if (!round)
    return shifted;
  Value rounds = e.bitAnd(inRange, e.compare(Predicate::ne, amount, zero));
  Value halfBit = e.select(rounds, e.sub(safe, one), zero);
  Value half = e.bitAnd(e.shiftRight(x, halfBit, isUnsigned), one);
  return e.add(shifted, e.select(rounds, half, zero));
}
