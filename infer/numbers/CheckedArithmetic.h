//===- CheckedArithmetic.h - arithmetic that must not wrap ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits sums, products and conditions over mathematical integers in words of 64
// bits, and beside each whether it is exact.
//
// Invariant: a condition is emitted twice where it is not known to be exact:
// one value is true only where it surely holds, the other wherever it may. So
// what does not fit never passes, not under a negation either (rt-13).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_NUMBERS_CHECKEDARITHMETIC_H
#define BROADLOOM_INFER_NUMBERS_CHECKEDARITHMETIC_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace broadloom::infer {

/// An index that is a number modulo 2^64; `fits`: whether it is that number,
/// null where it surely is.
struct Checked {
  mlir::Value value;
  mlir::Value fits;
};

/// Whether a condition surely holds and whether it may; one value where that is
/// the same.
struct Verdict {
  mlir::Value holds;
  mlir::Value mayHold;

  bool isExact() const { return holds == mayHold; }
};

class CheckedArithmetic {
public:
  CheckedArithmetic(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  /// `isWord`: the result is known to be a word where the operands are.
  Checked add(Checked a, Checked b, bool isWord);
  Checked subtract(Checked a, Checked b, bool isWord);
  /// A product with 0 fits whatever the other factor is.
  Checked multiply(Checked a, Checked b, bool isWord);

  /// The value, or the largest word where it does not fit.
  mlir::Value saturate(Checked a);
  /// Whether `value` is what saturate() made of one that may not fit.
  static bool isSaturated(mlir::Value value);

  Verdict exactly(mlir::Value holds) { return {holds, holds}; }
  Verdict compare(mlir::arith::CmpIPredicate predicate, Checked a, Checked b);
  Verdict both(Verdict a, Verdict b);
  Verdict either(Verdict a, Verdict b);
  Verdict isNot(Verdict a);

  /// Of two truth values of which each may be null, which is true.
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
