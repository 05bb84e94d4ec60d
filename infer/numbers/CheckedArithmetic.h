//===- CheckedArithmetic.h - arithmetic that must not wrap ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits sums, products and conditions over mathematical integers in words of 64
// bits, each with a flag that says whether it is exact.
//
// Invariant: a condition is emitted twice where it is not known to be exact:
// one value is true only if the condition surely holds, the other if it may
// hold. So a number that does not fit never satisfies a guard, not even under a
// negation (rt-13).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_NUMBERS_CHECKEDARITHMETIC_H
#define BROADLOOM_INFER_NUMBERS_CHECKEDARITHMETIC_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace broadloom::infer {

/// An index that is a number modulo 2^64; `fits`: whether it is that number;
/// null if it surely is.
struct Checked {
  mlir::Value value;
  mlir::Value fits;
};

/// Whether a condition surely holds, and whether it may hold; the same value if
/// it is exact.
struct Verdict {
  mlir::Value holds;
  mlir::Value mayHold;

  bool isExact() const { return holds == mayHold; }
};

class CheckedArithmetic {
public:
  CheckedArithmetic(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  /// `isWord`: the result is known to be a word if the operands are.
  Checked add(Checked a, Checked b, bool isWord);
  Checked subtract(Checked a, Checked b, bool isWord);
  /// A product with 0 fits whatever the other factor is.
  Checked multiply(Checked a, Checked b, bool isWord);

  /// The value, or the largest word if it does not fit.
  mlir::Value saturate(Checked a);
  /// Whether saturate() made `value` from a number that may not fit.
  static bool isSaturated(mlir::Value value);

  Verdict exactly(mlir::Value holds) { return {holds, holds}; }
  Verdict compare(mlir::arith::CmpIPredicate predicate, Checked a, Checked b);
  Verdict both(Verdict a, Verdict b);
  Verdict either(Verdict a, Verdict b);
  Verdict isNot(Verdict a);

  /// The conjunction of two truth values; null stands for true.
  mlir::Value both(mlir::Value a, mlir::Value b);
  mlir::Value orTrue(mlir::Value a);

private:
  mlir::Value isZero(mlir::Value value);
  mlir::Value isNot(mlir::Value value);
  mlir::Value either(mlir::Value a, mlir::Value b);

  mlir::OpBuilder &builder;
  mlir::Location loc;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_NUMBERS_CHECKEDARITHMETIC_H
