//===- MathExpansion.cpp - functions as inline arithmetic -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/scalar/MathExpansion.h"
#include "dialect/scalar/Emitter.h"
#include "dialect/scalar/FunctionTables.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

#include <cmath>
#include <limits>

using namespace mlir;
using namespace broadloom::scalar;
using FloatPredicate = arith::CmpFPredicate;
using IntPredicate = arith::CmpIPredicate;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr unsigned mantissa = 23;
constexpr int64_t bias = 127;

/// Expands functions of f32, or of vectors of it.
class Expander {
public:
  Expander(Emitter &e, MathUnit unit, Type type)
      : e(e), unit(unit), real(type), bits(e.intLike(type, 32)) {}

  Value exp(Value x);
  Value log(Value x);
  /// x P(x^2) / Q(x^2), in [-1, 1], for an odd function that is 1 from `limit`
  /// on, where the quotient is at least 1.
  Value oddQuotient(Value x, double limit, ArrayRef<double> numerator,
                    ArrayRef<double> denominator);

private:
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
  Value within(Value x, double low, double high) {
    x = e.select(e.compare(FloatPredicate::OLT, x, c(low)), c(low), x);
    return e.select(e.compare(FloatPredicate::OGT, x, c(high)), c(high), x);
  }
  Value horner(Value x, ArrayRef<double> coefficients) {
    Value sum = c(coefficients.back());
    for (double coefficient : llvm::reverse(coefficients.drop_back()))
      sum = mulAdd(sum, x, c(coefficient));
    return sum;
  }
  Value inPairs(Value x, Value square, ArrayRef<double> coefficients);

  Emitter &e;
  MathUnit unit;
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

/// exp(x) = 2^n exp(r), with x = n ln 2 + r. Adding 1.5 * 2^23 rounds to an
/// integer, which then stands in the low bits. ln 2 is subtracted in two parts,
/// of which multiples of the first are exact. Outside of [-104, 89] results
/// are 0 and infinity, as they are at these ends.
///
/// Where there is no instruction for 2^n, n is even, and 2^(n/2) is multiplied
/// by twice: it is never subnormal, and only the last product rounds.
Value Expander::exp(Value x) {
  constexpr double ln2High = 0x1.63p-1, ln2Low = -0x1.bd0106p-13;
  constexpr double log2e = 1.4426950408889634, shift = 0x1.8p23;
  int step = unit.scale ? 1 : 2;
  x = within(x, -104, 89);
  // The exponent's bias is added to the integer where it is to be an exponent.
  Value magic = c(unit.scale ? shift : shift + bias);
  Value shifted = mulAdd(x, c(log2e / step), magic);
  Value count = sub(shifted, magic);
  Value r = mulAdd(count, c(-ln2High * step), x);
  r = mulAdd(count, c(-ln2Low * step), r);
  if (unit.scale) {
    Value n = e.sub(e.bitcast(shifted, bits), e.bitcast(magic, bits));
    return scale(horner(r, tables::expNarrow), n);
  }
  Value power =
      e.bitcast(e.shiftLeft(e.bitcast(shifted, bits), mantissa), real);
  return mul(mul(horner(r, tables::expWide), power), power);
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

Value Expander::oddQuotient(Value x, double limit, ArrayRef<double> numerator,
                            ArrayRef<double> denominator) {
  x = within(x, -limit, limit);
  Value square = mul(x, x), fourth = mul(square, square);
  Value p = mul(x, inPairs(square, fourth, numerator));
  Value q = inPairs(square, fourth, denominator);
  return within(e.make<arith::DivFOp>(p, q), -1, 1);
}

/// The value of `op` in other operations; none where it has no expansion.
static Value expand(Emitter &e, Operation *op, MathUnit unit) {
  Type type = op->getResult(0).getType();
  if (!getElementTypeOrSelf(type).isF32())
    return {};
  Expander expander(e, unit, type);
  Value x = op->getOperand(0);
  if (isa<math::ExpOp>(op))
    return expander.exp(x);
  if (!unit.fma)
    return {};
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case([&](math::LogOp) { return expander.log(x); })
      .Case([&](math::TanhOp) {
        return expander.oddQuotient(x, tables::tanhLimit, tables::tanhNumerator,
                                    tables::tanhDenominator);
      })
      .Case([&](math::ErfOp) {
        return expander.oddQuotient(x, tables::erfLimit, tables::erfNumerator,
                                    tables::erfDenominator);
      })
      .Default([](Operation *) { return Value(); });
}

MathUnit broadloom::scalar::getHostMathUnit() {
  if (llvm::Triple(llvm::sys::getProcessTriple()).isAArch64())
    return {/*fma=*/true, /*scale=*/false};
  llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  return {features.lookup("fma"), features.lookup("avx512f")};
}

void broadloom::scalar::expandMath(Operation *root, MathUnit unit) {
  SmallVector<Operation *> operations;
  root->walk([&](Operation *op) {
    if (isa_and_nonnull<math::MathDialect>(op->getDialect()))
      operations.push_back(op);
  });
  for (Operation *op : operations) {
    OpBuilder builder(op);
    Emitter e(builder, op->getLoc());
    if (Value value = expand(e, op, unit)) {
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    }
  }
}
