//===- ConstraintWords.h - a constraint's arithmetic in words ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A constraint speaks of mathematical integers: its sums and products have the
// flag `nsw` (NumberEmitter::Notation). A guard computes with words: where a
// number that it reads is no word, its requirement does not hold (rt-13).
//
// Invariant: arithmetic without the flag, which is the program's own, stays as
// it is; nothing with the flag is left in what is returned.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_CONSTRAINTWORDS_H
#define BROADLOOM_INFER_CONSTRAINTS_CONSTRAINTWORDS_H

#include "infer/analysis/ShapeAnalysis.h"
#include "infer/numbers/CheckedArithmetic.h"

namespace broadloom::infer {

class ConstraintWords {
public:
  /// Emits at the insertion point of `builder`, which all values that are
  /// emitted depend on dominate.
  ConstraintWords(mlir::OpBuilder &builder, mlir::Location loc,
                  ShapeAnalysis &analysis)
      : builder(builder), loc(loc), analysis(analysis), checked(builder, loc) {}

  /// True where a condition holds.
  mlir::Value getCondition(mlir::Value condition) {
    return getVerdict(condition).holds;
  }
  /// An index or an i64 for a message; the largest one for what does not fit.
  mlir::Value getShown(mlir::Value number) {
    Checked of = getChecked(number);
    return number.getType().isIndex() ? checked.saturate(of) : of.value;
  }

private:
  Verdict getVerdict(mlir::Value condition);
  Verdict makeVerdict(mlir::Value condition);
  Checked getChecked(mlir::Value number);
  Checked makeChecked(mlir::Value number);
  /// An operation that reads what it is given as words.
  Checked makeReader(mlir::Operation *op);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  ShapeAnalysis &analysis;
  CheckedArithmetic checked;
  llvm::DenseMap<mlir::Value, Verdict> verdicts;
  llvm::DenseMap<mlir::Value, Checked> numbers;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_CONSTRAINTWORDS_H
