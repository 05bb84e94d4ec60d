//===- MathExpansion.cpp - functions as inline arithmetic -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scalar/MathExpansion.h"
#include "scalar/Emitter.h"
#include "scalar/FunctionTables.h"
#include "scalar/LookupFunctions.h"
#include "scalar/LookupTables.h"
#include "scalar/MathFunctions.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <limits>
#include <map>
#include <string>

using namespace mlir;
using namespace broadloom::scalar;
using FloatPredicate = arith::CmpFPredicate;
using IntPredicate = arith::CmpIPredicate;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr unsigned mantissa = 23;
constexpr int64_t bias = 127;

/// Functions of LookupFunctions.h, by name.
using Lookups = std::map<std::string, LLVM::LLVMFunctionType>;

/// Expands functions of f32, or of vectors of it.
class Expander {
public:
  /// Adds the functions that are called to `lookups`.
  Expander(Emitter &e, MathUnit unit, Lookups &lookups, Type type)
      : e(e), unit(unit), lookups(lookups), real(type),
        bits(e.intLike(type, 32)) {}

  /// What scalar/MathFunctions.def says to be expanded.
  Value expand(math::ExpOp op) {
    return exp(op.getOperand(), op->hasAttr(kAtMostZero) ? 0 : infinity);
  }
  Value expand(math::LogOp op) { return log(op.getOperand()); }
  Value expand(math::TanhOp op) {
    if (unit.lookup)
      return oddPieces(op.getOperand(), tables::tanhPieces);
    return oddQuotient(op.getOperand(), tables::tanhLimit,
                       tables::tanhNumerator, tables::tanhDenominator);
  }
  Value expand(math::ErfOp op) {
    if (unit.lookup)
      return oddPieces(op.getOperand(), tables::erfPieces);
    return oddQuotient(op.getOperand(), tables::erfLimit, tables::erfNumerator,
                       tables::erfDenominator);
  }

private:
  /// Of no number above `most`.
  Value exp(Value x, double most);
  Value log(Value x);
  /// An odd function by a polynomial for each of the pieces of its positive
  /// half, which has no value above 1.
  Value oddPieces(Value x, const tables::Pieces &pieces);
  /// x P(x^2) / Q(x^2), in [-1, 1], for an odd function that is 1 from `limit`
  /// on, where the quotient is at least 1.
  Value oddQuotient(Value x, double limit, ArrayRef<double> numerator,
                    ArrayRef<double> denominator);

  Value c(double value) { return e.real(real, value); }
  Value i(int64_t value) { return e.integer(bits, value); }
  Value add(Value x, Value y) { return e.make<arith::AddFOp>(x, y); }
  Value sub(Value x, Value y) { return e.make<arith::SubFOp>(x, y); }
  Value mul(Value x, Value y) { return e.make<arith::MulFOp>(x, y); }
  Value mulAdd(Value x, Value y, Value z) {
    return unit.fma ? e.make<LLVM::FMAOp>(x, y, z) : add(mul(x, y), z);
  }
  /// x 2^n; llvm.intr.ldexp is for scalars alone.
  Value scale(Value x, Value n) {
    auto name = StringAttr::get(real.getContext(), "llvm.ldexp");
    return e.make<LLVM::CallIntrinsicOp>(real, name, ValueRange{x, n});
  }
  /// NaN is neither below nor above, and stays.
  Value atLeast(double low, Value x) {
    return e.select(e.compare(FloatPredicate::OLT, x, c(low)), c(low), x);
  }
  Value atMost(double high, Value x) {
    return e.select(e.compare(FloatPredicate::OGT, x, c(high)), c(high), x);
  }
  Value within(Value x, double low, double high) {
    return atMost(high, atLeast(low, x));
  }
  /// What lies outside of [-104, 89] gives 0 and infinity as these ends do.
  Value toExpRange(Value x, double most) {
    x = atLeast(-104, x);
    return most <= 89 ? x : atMost(89, x);
  }
  Value horner(Value x, ArrayRef<double> coefficients) {
    Value sum = c(coefficients.back());
    for (double coefficient : llvm::reverse(coefficients.drop_back()))
      sum = mulAdd(sum, x, c(coefficient));
    return sum;
  }
  Value inPairs(Value x, Value square, ArrayRef<double> coefficients);
  Value expByPowers(Value x, double most);
  /// Element `index` mod 32 of a table, in LookupFunctions.h.
  Value lookup(const std::string &table, Value index);
  Value callLookup(const std::string &name, Value index, Type result);

  Emitter &e;
  MathUnit unit;
  Lookups &lookups;
  Type real, bits;
};

} // namespace

/// A polynomial as one in x^2 whose coefficients are c0 + c1 x: half as many
/// roundings, one after the other, as by Horner's rule.
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

Value Expander::callLookup(const std::string &name, Value index, Type result) {
  auto type = LLVM::LLVMFunctionType::get(result, index.getType());
  lookups.try_emplace(name, type);
  return e.make<LLVM::CallOp>(type, name, ValueRange{index});
}

Value Expander::lookup(const std::string &table, Value index) {
  Type f32 = getElementTypeOrSelf(real);
  auto all = dyn_cast<VectorType>(real);
  if (!all)
    return callLookup(getLookupName(table), index, f32);
  constexpr int32_t part = kLookupLanes;
  auto type = VectorType::get({part}, f32);
  auto lanes = int32_t(all.getNumElements());
  if (lanes == part)
    return callLookup(getVectorLookupName(table), index, type);
  // In parts that fill vectors; beyond `lanes` the last one may be anything.
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
    some = callLookup(getVectorLookupName(table), some, type);
    some = e.make<LLVM::ShuffleVectorOp>(some, some, take(-first, lanes, part));
    SmallVector<int32_t> order = take(0, first, first);
    for (int32_t i = first; i < lanes; ++i)
      order.push_back(lanes + i);
    found = found ? e.make<LLVM::ShuffleVectorOp>(found, some, order) : some;
  }
  return found;
}

/// exp(x) = 2^n 2^(k/32) exp(r), with x = (n + k/32) ln 2 + r and k from 0 to
/// 31. Adding 1.5 * 2^18 rounds to a multiple of 1/32, whose numerator then
/// stands in the low bits.
Value Expander::expByPowers(Value x, double most) {
  constexpr double ln2High = 0x1.62e43p-1, ln2Low = -0x1.05c61p-29;
  constexpr double log2e = 1.4426950408889634, shift = 0x1.8p18;
  x = toExpRange(x, most);
  Value shifted = mulAdd(x, c(log2e), c(shift));
  Value exponent = sub(shifted, c(shift));
  // What the low part takes away counts in the linear term alone; the others do
  // not wait for it.
  Value nearly = mulAdd(exponent, c(-ln2High), x);
  Value r = mulAdd(exponent, c(-ln2Low), nearly);
  Value count = e.bitcast(shifted, bits);
  Value power = lookup("powers", count);
  Value factor = mulAdd(nearly, c(tables::expCube), c(tables::expSquare));
  Value tail = mulAdd(factor, mul(nearly, nearly), r);
  Value n = e.sub(count, e.bitcast(c(shift), bits));
  return scale(mulAdd(power, tail, power), e.shiftRight(n, 5, false));
}

/// exp(x) = 2^n exp(r), with x = n ln 2 + r and n even, which 2^(n/2) is
/// multiplied by twice: it is never subnormal, and only the last product
/// rounds. Adding 1.5 * 2^23 rounds to an integer, which then stands in the low
/// bits; with the exponent's bias added to that, they are an exponent. ln 2 is
/// subtracted in two parts, of which multiples of the first are exact.
Value Expander::exp(Value x, double most) {
  if (unit.lookup)
    return expByPowers(x, most);
  constexpr double ln4High = 0x1.63p+0, ln4Low = -0x1.bd0106p-12;
  constexpr double log4e = 0.7213475204444817, shift = 0x1.8p23 + bias;
  x = toExpRange(x, most);
  Value shifted = mulAdd(x, c(log4e), c(shift));
  Value count = sub(shifted, c(shift));
  Value r = mulAdd(count, c(-ln4High), x);
  r = mulAdd(count, c(-ln4Low), r);
  Value power =
      e.bitcast(e.shiftLeft(e.bitcast(shifted, bits), mantissa), real);
  return mul(mul(horner(r, tables::exp), power), power);
}

/// log(x) = k ln 2 + log(1 + r), with x = 2^k (1 + r) and 1 + r from 2/3 to
/// 4/3; the distance of x's bits from those of 2/3 has k above the mantissa.
/// Subnormals are scaled first.
Value Expander::log(Value x) {
  constexpr int64_t twoThirds = 0x3F2AAAAB, infinityBits = 0x7F800000;
  Value isSmall = e.compare(FloatPredicate::OLT, x, c(0x1p-126));
  Value scaled = e.select(isSmall, mul(x, c(0x1p23)), x);
  Value distance = e.sub(e.bitcast(scaled, bits), i(twoThirds));
  Value k =
      e.make<arith::SIToFPOp>(real, e.shiftRight(distance, mantissa, false));
  k = add(k, e.select(isSmall, c(-23), c(0)));
  Value fraction = e.bitAnd(distance, i((1 << mantissa) - 1));
  Value r = sub(e.bitcast(e.add(fraction, i(twoThirds)), real), c(1));
  // r + r^2 (...), which rounds once where r is small.
  Value tail = mul(horner(r, ArrayRef(tables::logOnePlus).drop_front()), r);
  Value result = mulAdd(k, c(0.6931471805599453), mulAdd(tail, r, r));

  // el-8 for what is no positive number; infinity and NaN are themselves.
  Value special = e.select(e.compare(FloatPredicate::OLT, x, c(0)),
                           c(std::numeric_limits<double>::quiet_NaN()), x);
  special =
      e.select(e.compare(FloatPredicate::OEQ, x, c(0)), c(-infinity), special);
  Value isPositive = e.compare(
      IntPredicate::ult, e.sub(e.bitcast(x, bits), i(1)), i(infinityBits - 1));
  return e.select(isPositive, result, special);
}

Value Expander::oddPieces(Value x, const tables::Pieces &pieces) {
  constexpr int64_t sign = 0x80000000, fraction = 0xFFFFF;
  Value xBits = e.bitcast(x, bits);
  Value y = e.bitcast(e.bitAnd(xBits, i(~sign)), real);
  y = atMost(pieces.limit, y);
  Value place = e.bitcast(add(y, c(pieces.offset)), bits);
  Value low = e.bitcast(e.bitAnd(place, i(~fraction)), real);
  // Of the first piece, which begins at 0, this is y.
  Value distance = sub(y, sub(low, c(pieces.offset)));
  Value index = e.shiftRight(place, 20, true);
  Value sum;
  for (size_t k = std::size(pieces.coefficients); k-- > 0;) {
    Value coefficient = lookup(pieces.name + std::to_string(k), index);
    sum = sum ? mulAdd(sum, distance, coefficient) : coefficient;
  }
  return e.bitcast(e.bitOr(e.bitcast(sum, bits), e.bitAnd(xBits, i(sign))),
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

/// The value of `op` in other operations; none where it has no expansion.
/// Nothing where the table says that `op` becomes a call.
template <Expansion when, typename Op>
static Value expandWhere(Expander &expander, Op op, MathUnit unit) {
  if constexpr (when == Expansion::Never)
    return {};
  else if (when == Expansion::WithFma && !unit.fma)
    return {};
  else
    return expander.expand(op);
}

static Value expand(Emitter &e, Operation *op, MathUnit unit,
                    Lookups &lookups) {
  Type type = op->getResult(0).getType();
  if (!getElementTypeOrSelf(type).isF32())
    return {};
  Expander expander(e, unit, lookups, type);
  return llvm::TypeSwitch<Operation *, Value>(op)
#define MATH_FUNCTION(CLASS, NAME, PARAMETERS, COST, EXPANSION, ACCURACY)      \
  .Case([&](math::CLASS it) {                                                  \
    return expandWhere<Expansion::EXPANSION>(expander, it, unit);              \
  })
#include "scalar/MathFunctions.def"
      .Default([](Operation *) { return Value(); });
}

static void declare(ModuleOp module, const Lookups &lookups) {
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  for (const auto &[name, type] : lookups)
    if (!module.lookupSymbol(name))
      LLVM::LLVMFuncOp::create(builder, module.getLoc(), name, type);
}

void broadloom::scalar::expandMath(ModuleOp module, MathUnit unit) {
  SmallVector<Operation *> operations;
  module.walk([&](Operation *op) {
    if (isa_and_nonnull<math::MathDialect>(op->getDialect()))
      operations.push_back(op);
  });
  Lookups lookups;
  for (Operation *op : operations) {
    OpBuilder builder(op);
    Emitter e(builder, op->getLoc());
    if (Value value = expand(e, op, unit, lookups)) {
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    }
  }
  declare(module, lookups);
}
