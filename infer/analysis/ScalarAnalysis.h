//===- ScalarAnalysis.h - the integers of a program -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The known values of a program's indices, conditions, lists of extents and
// shapes. The arithmetic is that of shape functions, applied to the program's
// own operations.
//
// Invariant: integers of 64 bits and of type index are words: arithmetic that
// wraps in the program wraps here. Only sums and products with the flag `nsw`
// are mathematical; constraints alone have that flag (NumberEmitter::Notation).
// Requirements of the program's operations are not assumed.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_ANALYSIS_SCALARANALYSIS_H
#define BROADLOOM_INFER_ANALYSIS_SCALARANALYSIS_H

#include "infer/functions/Evaluator.h"

namespace broadloom::infer {

class ScalarAnalysis {
public:
  explicit ScalarAnalysis(Numbers &numbers);

  /// Computes the results of `op` if shape functions can have such an
  /// operation; else returns false.
  bool visit(mlir::Operation *op);

  /// The number of an index or an integer; an unknown number stands for a value
  /// that is not known.
  Number getNumber(mlir::Value value);
  Number getNumber(mlir::OpFoldResult value);
  ConditionId getCondition(mlir::Value value);
  /// The elements of a list of integers; nothing where they are not known.
  std::optional<std::vector<Number>> getList(mlir::Value value);

  void setNumber(mlir::Value value, const Number &number);
  void setList(mlir::Value value, std::vector<Number> numbers);
  void setSame(mlir::Value value, mlir::Value other);
  /// Transfers what is known of `from`, which will be erased, to `to`.
  void replace(mlir::Value from, mlir::Value to);
  /// Forgets what was known of a value, such as a loop's argument.
  void forget(mlir::Value value);
  /// The same, but keeps these bounds.
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
  std::optional<Number> getWord(mlir::Value value);
  std::optional<Number> computeWord(mlir::Operation *op);
  std::optional<Number> extend(mlir::Operation *op);
  std::optional<llvm::APInt> getConstant(mlir::Value value);

  Numbers &numbers;
  // Empty: no operation's shape function is evaluated.
  Request request;
  EvaluationOptions options;
  Outcome outcome;
  Evaluator evaluator;
  llvm::DenseMap<AtomId, mlir::Value> values;
  llvm::DenseMap<AtomId, Element> elements;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_ANALYSIS_SCALARANALYSIS_H
