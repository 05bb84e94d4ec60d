//===- MathExpansion.cpp - functions as inline arithmetic -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scalar/MathExpansion.h"
#include "scalar/Expander.h"
#include "scalar/FunctionTables.h"
#include "scalar/LookupFunctions.h"
#include "scalar/LookupTables.h"
#include "scalar/MathFunctions.h"

#include "llvm/ADT/TypeSwitch.h"

#include <limits>

using namespace mlir;
using namespace broadloom::scalar;
using FloatPredicate = arith::CmpFPredicate;
using IntPredicate = arith::CmpIPredicate;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

Value Expander::expand(math::ExpOp op) {
  return exp(op.getOperand(), op->hasAttr(kAtMostZero) ? 0 : kInfinity);
}

Value Expander::expand(math::TanhOp op) {
  if (unit.lookup)
    return oddPieces(op.getOperand(), tables::tanhPieces);
  return oddQuotient(op.getOperand(), tables::tanhLimit, tables::tanhNumerator,
                     tables::tanhDenominator);
}

Value Expander::expand(math::ErfOp op) {
  if (unit.lookup)
    return oddPieces(op.getOperand(), tables::erfPieces);
  return oddQuotient(op.getOperand(), tables::erfLimit, tables::erfNumerator,
                     tables::erfDenominator);
}

Value Expander::scale(Value x, Value n) {
  auto name = StringAttr::get(real.getContext(), "llvm.ldexp");
  return e.make<LLVM::CallIntrinsicOp>(real, name, ValueRange{x, n});
}

Value Expander::atLeast(double low, Value x) {
  return e.select(e.compare(FloatPredicate::OLT, x, c(low)), c(low), x);
}

Value Expander::atMost(double high, Value x) {
  return e.select(e.compare(FloatPredicate::OGT, x, c(high)), c(high), x);
}

Value Expander::toExpRange(Value x, double least, double most) {
  x = atLeast(least, x);
  return most <= 89 ? x : atMost(89, x);
}

Value Expander::horner(Value x, ArrayRef<double> coefficients) {
  Value sum = c(coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = mulAdd(sum, x, c(coefficient));
  return sum;
}

Value Expander::inPairs(Value x, Value square, ArrayRef<double> coefficients) {
  Value sum;
  for (size_t n = (coefficients.size() + 1) / 2; n-- > 0;) {
    Value pair = c(coefficients[2 * n]);
    if (2 * n + 1 < coefficients.size())
      pair = mulAdd(c(coefficients[2 * n + 1]), x, pair);
    sum = sum ? mulAdd(sum, square, pair) : pair;
  }
  return sum;
}

Value Expander::call(const std::string &name, ValueRange operands,
                     Type result) {
  auto type =
      LLVM::LLVMFunctionType::get(result, llvm::to_vector(operands.getTypes()));
  callees.try_emplace(name, type);
  return e.make<LLVM::CallOp>(type, name, operands);
}

Value Expander::lookup(const std::string &table, Value index) {
  Type f32 = getElementTypeOrSelf(real);
  auto all = dyn_cast<VectorType>(real);
  if (!all)
    return call(getLookupName(table), index, f32);
  constexpr int32_t part = kLookupLanes;
  auto type = VectorType::get({part}, f32);
  auto lanes = int32_t(all.getNumElements());
  if (lanes == part)
    return call(getVectorLookupName(table), index, type);
  // Splits vectors into parts that fill registers; lanes beyond `lanes` of the
  // last part are arbitrary.
  auto take = [&](int32_t from, int32_t count, int32_t limit) {
    SmallVector<int32_t> order(count, -1);
    for (int32_t i = std::max(0, -from); i < count && from + i < limit; ++i)
      order[i] = from + i;
    return order;
  };
  Value found;
  for (int32_t first = 0; first < lanes; first += part) {
    Value some =
        e.make<LLVM::ShuffleVectorOp>(index, index, take(first, part, lanes));
    some = call(getVectorLookupName(table), some, type);
    some = e.make<LLVM::ShuffleVectorOp>(some, some, take(-first, lanes, part));
    SmallVector<int32_t> order = take(0, first, first);
    for (int32_t i = first; i < lanes; ++i)
      order.push_back(lanes + i);
    found = found ? e.make<LLVM::ShuffleVectorOp>(found, some, order) : some;
  }
  return found;
}

/// exp(x) = 2^n 2^(k/32) exp(r), with x = (n + k/32) ln 2 + r and k from 0 to
/// 31. Adding 1.5 * 2^18 rounds to a multiple of 1/32, whose numerator is then
/// in the low bits. Intel's processors take 60 times as long to scale to a
/// subnormal number or by 2^-150, but not by 2^-512. So x is limited to -1024
/// and not to -104: elements that a softmax masks out are far below the others.
Value Expander::expByPowers(Value x, double most) {
  constexpr double ln2High = 0x1.62e43p-1, ln2Low = -0x1.05c61p-29;
  constexpr double log2e = 1.4426950408889634, shift = 0x1.8p18;
  x = toExpRange(x, -1024, most);
  Value shifted = mulAdd(x, c(log2e), c(shift));
  Value exponent = sub(shifted, c(shift));
  // The low part of ln 2 matters only in the linear term, so that the other
  // terms do not depend on it.
  Value nearly = mulAdd(exponent, c(-ln2High), x);
  Value r = mulAdd(exponent, c(-ln2Low), nearly);
  Value count = e.bitcast(shifted, bits);
  Value power = lookup("powers", count);
  Value factor = mulAdd(nearly, c(tables::expCube), c(tables::expSquare));
  Value tail = mulAdd(factor, mul(nearly, nearly), r);
  Value n = e.sub(count, e.bitcast(c(shift), bits));
  return scale(mulAdd(power, tail, power), e.shiftRight(n, 5, false));
}

/// exp(x) = 2^n exp(r), with x = n ln 2 + r, for x of at most 0. The factor is
/// 2^(n+64), which is never subnormal, and only the product with 2^-64 rounds
/// where the result is. The rest is as in exp, but r is half as large, and no
/// operation waits for another where the polynomial allows it: what a processor
/// has in flight is what limits loops over this.
Value Expander::expAtMostZero(Value x) {
  constexpr double ln2High = 0x1.63p-1, ln2Low = -0x1.bd0106p-13;
  constexpr double log2e = 1.4426950408889634, up = 64;
  constexpr double shift = 0x1.8p23 + kBias + up;
  x = toExpRange(x, -104, 0);
  Value shifted = mulAdd(x, c(log2e), c(shift));
  Value count = sub(shifted, c(shift));
  Value r = mulAdd(count, c(-ln2High), x);
  r = mulAdd(count, c(-ln2Low), r);
  Value square = mul(r, r);
  Value tail = mulAdd(inPairs(r, square, tables::expTail), square, r);
  Value power =
      e.bitcast(e.shiftLeft(e.bitcast(shifted, bits), kMantissa), real);
  return mul(mulAdd(power, tail, power), c(0x1p-64));
}

/// exp(x) = 2^n exp(r), with x = n ln 2 + r and n even. The result is
/// multiplied by 2^(n/2) twice: this is never subnormal, and only the last
/// product rounds. Adding 1.5 * 2^23 rounds to an integer, which is then in the
/// low bits; with the exponent's bias added, they are an exponent. ln 2 is
/// subtracted in two parts; multiples of the first are exact.
Value Expander::exp(Value x, double most) {
  if (unit.lookup)
    return expByPowers(x, most);
  if (most <= 0)
    return expAtMostZero(x);
  constexpr double ln4High = 0x1.63p+0, ln4Low = -0x1.bd0106p-12;
  constexpr double log4e = 0.7213475204444817, shift = 0x1.8p23 + kBias;
  x = toExpRange(x, -104, most);
  Value shifted = mulAdd(x, c(log4e), c(shift));
  Value count = sub(shifted, c(shift));
  Value r = mulAdd(count, c(-ln4High), x);
  r = mulAdd(count, c(-ln4Low), r);
  Value power =
      e.bitcast(e.shiftLeft(e.bitcast(shifted, bits), kMantissa), real);
  return mul(mul(horner(r, tables::exp), power), power);
}

/// log(x) = k ln 2 + log(1 + r), with x = 2^k (1 + r) and 1 + r from 2/3 to
/// 4/3; the difference of the bits of x and of 2/3 has k above the mantissa.
/// Subnormals are scaled first.
Value Expander::expand(math::LogOp op) {
  Value x = op.getOperand();
  constexpr int64_t twoThirds = 0x3F2AAAAB, infinityBits = 0x7F800000;
  Value isSmall = e.compare(FloatPredicate::OLT, x, c(0x1p-126));
  Value scaled = e.select(isSmall, mul(x, c(0x1p23)), x);
  Value distance = e.sub(e.bitcast(scaled, bits), i(twoThirds));
  Value k =
      e.make<arith::SIToFPOp>(real, e.shiftRight(distance, kMantissa, false));
  k = add(k, e.select(isSmall, c(-23), c(0)));
  Value fraction = e.bitAnd(distance, i((1 << kMantissa) - 1));
  Value r = sub(e.bitcast(e.add(fraction, i(twoThirds)), real), c(1));
  // r + r^2 (...), which rounds once if r is small.
  Value tail = mul(horner(r, ArrayRef(tables::logOnePlus).drop_front()), r);
  Value result = mulAdd(k, c(0.6931471805599453), mulAdd(tail, r, r));

  // el-8: the results for numbers that are not positive; infinity and NaN stay.
  Value special = e.select(e.compare(FloatPredicate::OLT, x, c(0)),
                           c(std::numeric_limits<double>::quiet_NaN()), x);
  special =
      e.select(e.compare(FloatPredicate::OEQ, x, c(0)), c(-kInfinity), special);
  Value isPositive = e.compare(
      IntPredicate::ult, e.sub(e.bitcast(x, bits), i(1)), i(infinityBits - 1));
  return e.select(isPositive, result, special);
}

template <typename Pieces>
Value Expander::oddPieces(Value x, const Pieces &pieces) {
  constexpr int64_t fraction = 0xFFFFF;
  Value xBits = asBits(x), y = magnitude(x);
  y = atMost(pieces.limit, y);
  Value shifted = e.bitcast(add(y, c(pieces.offset)), bits);
  Value low = e.bitcast(e.bitAnd(shifted, i(~fraction)), real);
  // In the first piece, which begins at 0, this is y.
  Value distance = sub(y, sub(low, c(pieces.offset)));
  Value index = e.shiftRight(shifted, 20, true);
  Value sum;
  for (size_t k = std::size(pieces.coefficients); k-- > 0;) {
    Value coefficient = lookup(pieces.name + std::to_string(k), index);
    sum = sum ? mulAdd(sum, distance, coefficient) : coefficient;
  }
  return e.bitcast(e.bitOr(e.bitcast(sum, bits), e.bitAnd(xBits, i(kSign))),
                   real);
}

Value Expander::oddQuotient(Value x, double limit, ArrayRef<double> numerator,
                            ArrayRef<double> denominator) {
  x = within(x, -limit, limit);
  Value square = mul(x, x), fourth = mul(square, square);
  Value p = mul(x, inPairs(square, fourth, numerator));
  Value q = inPairs(square, fourth, denominator);
  return within(e.make<arith::DivFOp>(p, q), -1, 1);
}

/// The expansion of `op`, null if there is none. If the table says that `op`
/// becomes a call, this overload returns null.
template <Expansion when, typename Op>
static Value expandWhere(Expander &expander, Op op, MathUnit unit) {
  if constexpr (when == Expansion::Never)
    return {};
  else if ((when == Expansion::WithFma && !unit.fma) ||
           (when == Expansion::WithLookup && !unit.lookup))
    return {};
  else
    return expander.expand(op);
}

static Value expand(Emitter &e, Operation *op, MathUnit unit,
                    Callees &callees) {
  Type type = op->getResult(0).getType();
  if (!getElementTypeOrSelf(type).isF32())
    return {};
  Expander expander(e, unit, callees, type);
  return llvm::TypeSwitch<Operation *, Value>(op)
#define MATH_FUNCTION(CLASS, NAME, PARAMETERS, COST, EXPANSION, ACCURACY)      \
  .Case([&](math::CLASS it) {                                                  \
    return expandWhere<Expansion::EXPANSION>(expander, it, unit);              \
  })
#include "scalar/MathFunctions.def"
      .Default([](Operation *) { return Value(); });
}

static void declare(ModuleOp module, const Callees &callees) {
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  for (const auto &[name, type] : callees)
    if (!module.lookupSymbol(name))
      LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type);
}

void broadloom::scalar::expandMath(ModuleOp module, MathUnit unit) {
  SmallVector<Operation *> operations;
  module.walk([&](Operation *op) {
    if (isa_and_nonnull<math::MathDialect>(op->getDialect()))
      operations.push_back(op);
  });
  Callees callees;
  for (Operation *op : operations) {
    OpBuilder builder(op);
    Emitter e(builder, op->getLoc());
    if (Value value = expand(e, op, unit, callees)) {
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    }
  }
  declare(module, callees);
}
