//===- Expander.h - arithmetic in place of a function -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by the files that expand functions (scalar/MathExpansion.h); no other
// file includes this.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SCALAR_EXPANDER_H
#define BROADLOOM_SCALAR_EXPANDER_H

#include "scalar/Emitter.h"
#include "scalar/MathExpansion.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <map>
#include <string>

namespace broadloom::scalar {

/// The called functions of LookupFunctions.h and RareCases.h, by name.
using Callees = std::map<std::string, mlir::LLVM::LLVMFunctionType>;

/// Expands functions of f32, or of vectors of it.
class Expander {
  using Value = mlir::Value;
  using Coefficients = llvm::ArrayRef<double>;

public:
  /// Adds the functions that are called to `callees`.
  Expander(Emitter &e, MathUnit unit, Callees &callees, mlir::Type type)
      : e(e), unit(unit), callees(callees), real(type),
        bits(e.intLike(type, 32)) {}

  /// Expands the functions of scalar/MathFunctions.def; null if the operation
  /// is not expanded.
  Value expand(mlir::math::ExpOp op);
  Value expand(mlir::math::LogOp op);
  Value expand(mlir::math::TanhOp op);
  Value expand(mlir::math::ErfOp op);
  Value expand(mlir::math::SinOp op);
  Value expand(mlir::math::CosOp op);
  Value expand(mlir::math::PowFOp op);

private:
  static constexpr unsigned kMantissa = 23;
  static constexpr int64_t kBias = 127;
  static constexpr int64_t kSign = 0x80000000;

  /// exp of x, which is at most `most`.
  Value exp(Value x, double most);
  Value expByPowers(Value x, double most);
  Value expAtMostZero(Value x);
  /// Clamps `x` to [`least`, `most`], where `least` is at most -104. Below -104
  /// exp gives 0, above 89 infinity.
  Value toExpRange(Value x, double least, double most);
  /// An odd function whose positive half is at most 1, by a polynomial for each
  /// piece of that half.
  template <typename Pieces> Value oddPieces(Value x, const Pieces &pieces);
  /// x P(x^2) / Q(x^2), in [-1, 1], for an odd function that is 1 from `limit`
  /// on; the quotient is at least 1 there.
  Value oddQuotient(Value x, double limit, Coefficients numerator,
                    Coefficients denominator);
  /// sin(x - count pi) for x >= 0.
  Value sineOfRest(Value x, Value count);
  /// The base-2 logarithm of x > 0 as the sum of two numbers.
  std::pair<Value, Value> log2(Value x);
  /// 2^(high + low).
  Value exp2(Value high, Value low);

  Value c(double value) { return e.real(real, value); }
  Value i(int64_t value) { return e.integer(bits, value); }
  Value add(Value x, Value y) { return e.make<mlir::arith::AddFOp>(x, y); }
  Value sub(Value x, Value y) { return e.make<mlir::arith::SubFOp>(x, y); }
  Value mul(Value x, Value y) { return e.make<mlir::arith::MulFOp>(x, y); }
  Value negate(Value x) { return e.make<mlir::arith::NegFOp>(x); }
  Value mulAdd(Value x, Value y, Value z) {
    return unit.fma ? e.make<mlir::LLVM::FMAOp>(x, y, z) : add(mul(x, y), z);
  }
  Value asBits(Value x) { return e.bitcast(x, bits); }
  Value asReal(Value x) { return e.bitcast(x, real); }
  Value magnitude(Value x) {
    return asReal(e.bitAnd(asBits(x), i(~kSign & 0xFFFFFFFF)));
  }
  /// x 2^n; llvm.intr.ldexp is for scalars alone.
  Value scale(Value x, Value n);
  /// Bounds of x; NaN stays.
  Value atLeast(double low, Value x);
  Value atMost(double high, Value x);
  Value within(Value x, double low, double high) {
    return atMost(high, atLeast(low, x));
  }
  Value horner(Value x, Coefficients coefficients);
  /// A polynomial in x^2 with coefficients c0 + c1 x: half as many dependent
  /// roundings as by Horner's rule.
  Value inPairs(Value x, Value square, Coefficients coefficients);
  /// Element `index` mod 32 of a table, in LookupFunctions.h.
  Value lookup(const std::string &table, Value index);
  Value call(const std::string &name, mlir::ValueRange operands,
             mlir::Type result);

  Emitter &e;
  MathUnit unit;
  Callees &callees;
  mlir::Type real, bits;
};

} // namespace broadloom::scalar

#endif // BROADLOOM_SCALAR_EXPANDER_H
