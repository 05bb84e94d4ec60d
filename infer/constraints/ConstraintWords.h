//===- ConstraintWords.h - a constraint's arithmetic in words ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constraints are about mathematical integers: their sums and products have the
// flag `nsw` (NumberEmitter::Notation). A guard computes with words; if a
// number that it reads does not fit a word, the guard fails (rt-13).
//
// Invariant: arithmetic without the flag is the program's own and stays.
// Returned values use no arithmetic with the flag.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_CONSTRAINTWORDS_H
#define BROADLOOM_INFER_CONSTRAINTS_CONSTRAINTWORDS_H

#include "infer/analysis/ShapeAnalysis.h"
#include "infer/numbers/CheckedArithmetic.h"

namespace broadloom::infer {

class ConstraintWords {
public:
  /// Emits at the insertion point of `builder`. All values that the emitted
  /// ones depend on dominate it.
  ConstraintWords(mlir::OpBuilder &builder, mlir::Location loc,
                  ShapeAnalysis &analysis)
      : builder(builder), loc(loc), analysis(analysis), checked(builder, loc) {}

  /// True if the condition holds.
  mlir::Value getCondition(mlir::Value condition) {
    return getVerdict(condition).holds;
  }
  /// An index or an i64 for a message; the largest one if the number does not
  /// fit.
  mlir::Value getShown(mlir::Value number) {
    Checked of = getChecked(number);
    return number.getType().isIndex() ? checked.saturate(of) : of.value;
  }

private:
  Verdict getVerdict(mlir::Value condition);
  Verdict makeVerdict(mlir::Value condition);
  Checked getChecked(mlir::Value number);
  Checked makeChecked(mlir::Value number);
  /// Clones an operation that reads its operands as words.
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
