//===- TrigonometricExpansion.cpp - sine and cosine of f32 ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scalar/Expander.h"
#include "scalar/FunctionTables.h"
#include "scalar/RareCases.h"

using namespace mlir;
using namespace broadloom::scalar;

/// Adding this rounds to an integer, which is then in the low bits.
static constexpr double kShift = 0x1.8p23;
static constexpr double kInversePi = 0x1.45f306p-2;

/// Subtracts pi in three parts. If `count` has at most 16 bits, the first
/// difference is exact, because it is a multiple of the last place of either
/// term and less than 2; the others round once relative to the rest (Cody and
/// Waite, Software Manual for the Elementary Functions, chapter 8).
Value Expander::sineOfRest(Value x, Value count) {
  for (double part : {0x1.921fb6p+1, -0x1.777a5cp-24, -0x1.ee59dap-49})
    x = mulAdd(count, c(-part), x);
  Value square = mul(x, x);
  return mulAdd(mul(square, x), horner(square, tables::sineRest), x);
}

/// sin(x) = (-1)^n sin(|x| - n pi), with the sign of x.
Value Expander::expand(math::SinOp op) {
  Value x = op.getOperand();
  if (isa<VectorType>(real))
    return {};
  Value distance = magnitude(x);
  Value shifted = mulAdd(distance, c(kInversePi), c(kShift));
  Value result = sineOfRest(distance, sub(shifted, c(kShift)));
  Value sign =
      e.bitXor(e.shiftLeft(asBits(shifted), 31), e.bitAnd(asBits(x), i(kSign)));
  result = asReal(e.bitXor(asBits(result), sign));
  return call(getRareCaseName("sin"), {x, result}, real);
}

/// cos(x) = (-1)^(n + 1) sin(|x| - (n + 1/2) pi).
Value Expander::expand(math::CosOp op) {
  Value x = op.getOperand();
  if (isa<VectorType>(real))
    return {};
  Value distance = magnitude(x);
  Value shifted = add(mulAdd(distance, c(kInversePi), c(-0.5)), c(kShift));
  Value count = add(sub(shifted, c(kShift)), c(0.5));
  Value result = sineOfRest(distance, count);
  Value sign = e.bitXor(e.shiftLeft(asBits(shifted), 31), i(kSign));
  result = asReal(e.bitXor(asBits(result), sign));
  return call(getRareCaseName("cos"), {x, result}, real);
}
