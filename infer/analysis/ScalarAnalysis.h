//===- ScalarAnalysis.h - the integers of a program -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is known of the indices, conditions, lists of extents and shapes that a
// program computes with: the arithmetic of shape functions, done on the
// program's own operations.
//
// Invariant: integers of 64 bits and of type index are words: what wraps in the
// program wraps here. Only sums and products with the flag `nsw` are
// mathematical, which constraints alone have (NumberEmitter::Notation). Nothing
// that a program's operation requires is assumed, only what it computes is
// known.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_ANALYSIS_SCALARANALYSIS_H
#define BROADLOOM_INFER_ANALYSIS_SCALARANALYSIS_H

#include "infer/functions/Evaluator.h"

namespace broadloom::infer {

class ScalarAnalysis {
public:
  explicit ScalarAnalysis(Numbers &numbers);

  /// Computes the results of `op` if it is one that shape functions could have
  /// too; false where it is not.
  bool visit(mlir::Operation *op);

  /// An index or an integer; where nothing is known of it, an unknown number
  /// that stands for the value.
  Number getNumber(mlir::Value value);
  Number getNumber(mlir::OpFoldResult value);
  ConditionId getCondition(mlir::Value value);
  /// The elements of a list of integers; nothing where they are not known.
  std::optional<std::vector<Number>> getList(mlir::Value value);

  void setNumber(mlir::Value value, const Number &number);
  void setList(mlir::Value value, std::vector<Number> numbers);
  void setSame(mlir::Value value, mlir::Value other);
  /// Says that `to` takes the place of `from`, which is about to go.
  void replace(mlir::Value from, mlir::Value to);
  /// Forgets what was known of a value, as of a loop's argument.
  void forget(mlir::Value value);
  /// The same, but for these bounds.
  void setUnknown(mlir::Value value, Bounds bounds) {
    (void)makeUnknown(value, bounds);
  }

  /// The value that an unknown number stands for, or null.
  mlir::Value getValue(AtomId atom) const { return values.lookup(atom); }

  /// An element of a tensor, by its offset in row-major order.
  struct Element {
    mlir::Value tensor;
    int64_t offset = 0;
  };
  /// The element that an unknown number stands for; of a null tensor if it is
  /// none.
  Element getElement(AtomId atom) const { return elements.lookup(atom); }
  void setElement(AtomId atom, Element element) { elements[atom] = element; }

private:
  Number makeUnknown(mlir::Value value, Bounds bounds = {});
  void adopt(mlir::Operation *op);
  std::optional<Number> extend(mlir::Operation *op);
  std::optional<llvm::APInt> getConstant(mlir::Value value);

  Numbers &numbers;
  // There is no operation whose function is evaluated.
  Request request;
  EvaluationOptions options;
  Outcome outcome;
  Evaluator evaluator;
  llvm::DenseMap<AtomId, mlir::Value> values;
  llvm::DenseMap<AtomId, Element> elements;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_ANALYSIS_SCALARANALYSIS_H
