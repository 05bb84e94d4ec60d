//===- SetFormulas.h - places of the points of a set as values --*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the formulas of a set (poly/PackedSet.h) as arithmetic of words, for
// memory and for tensors whose shape is a set (set-1, set-5). None of their
// numbers wraps for extents that have been checked.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_SETS_SETFORMULAS_H
#define BROADLOOM_LEGALIZE_SETS_SETFORMULAS_H

#include "poly/PackedSet.h"

#include "mlir/IR/Builders.h"

namespace broadloom::legalize {

class SetFormulas {
public:
  SetFormulas(mlir::OpBuilder &b, mlir::Location loc) : b(b), loc(loc) {}

  mlir::Value get(int64_t number);
  template <typename Op> mlir::Value make(mlir::Value x, mlir::Value y) {
    return Op::create(b, loc, x, y).getResult();
  }

  /// By the values of the symbols and then of the outputs.
  mlir::Value compute(const poly::CountFormula &formula,
                      mlir::ValueRange values);
  /// An affine form.
  mlir::Value compute(const poly::Form &form, mlir::ValueRange values);
  /// The first number of an interval.
  mlir::Value computeFirst(const poly::Interval &interval,
                           mlir::ValueRange values);
  /// The number behind the last one of an interval.
  mlir::Value computeEnd(const poly::Interval &interval,
                         mlir::ValueRange values);
  /// Whether all rows hold, an i1; null where there are none.
  mlir::Value holds(const poly::Rows &rows, mlir::ValueRange values);

  /// The least value of the only symbol for which there are `count` points, or
  /// more: a search by halves.
  mlir::Value findSymbol(const poly::PackedSet &packed, mlir::Value count);

private:
  mlir::Value compute(poly::Monomial monomial, mlir::ValueRange values);
  mlir::Value compute(const poly::Rising &piece, mlir::ValueRange values);

  mlir::OpBuilder &b;
  mlir::Location loc;
};

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_SETS_SETFORMULAS_H
