//===- NumberWords.h - numbers in the words of the program ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What follows a message about a subscript: the expression that the program has
// for it, and the values of its variables in the iteration that fails (rt-2):
//   : %i - 1 with %i = 0 (jacobi.mlir:4:3)
// The expression is that of the program's own arithmetic, in words of 64 bits.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_NUMBERWORDS_H
#define BROADLOOM_INFER_CONSTRAINTS_NUMBERWORDS_H

#include "infer/constraints/ConstraintWriter.h"
#include "infer/constraints/NumberSum.h"

namespace broadloom::infer {

/// Stands between a message and what this class writes.
inline constexpr llvm::StringLiteral kBeforeNumbers = ": ";

class NumberWords {
public:
  explicit NumberWords(ConstraintWriter &writer) : w(writer) {}

  /// `%i - 1`, in the names that the program's text has; constants are numbers.
  /// Nothing where a part has no name, or the expression is long.
  std::optional<std::string> get(Index number);

  /// What follows the message: `expression`, which is made of what `get` gave,
  /// and the values of its names. Nothing without an expression, or if it has
  /// no names.
  MessageTail follow(const std::optional<std::string> &expression);

private:
  using Sum = NumberSum;
  /// A variable of a loop, an argument or what an operation gives.
  struct Leaf {
    mlir::Value named;
    mlir::Value shown;
    std::string name, place;
    /// Loops come first, from the outermost one on, and then all others.
    unsigned order;
  };

  std::optional<Sum> read(mlir::Value value);
  std::optional<Sum> expand(mlir::Operation *op);
  /// Of fewer than 64 bits. A leaf is told by `shown`.
  std::optional<Sum> readNarrow(mlir::Value value, mlir::Value shown);
  std::optional<Sum> readMap(mlir::AffineMap map, mlir::ValueRange operands,
                             llvm::StringRef function);
  std::optional<Sum> readExpression(mlir::AffineExpr expression,
                                    unsigned numDims,
                                    mlir::ValueRange operands);
  std::optional<Sum> readLeaf(mlir::Value named, mlir::Value shown);
  bool addLeaf(mlir::Value named, mlir::Value shown);
  void addLoopsAround(mlir::Value variable);

  static std::optional<Sum> wrap(const std::optional<Sum> &sum,
                                 mlir::Type type);

  ConstraintWriter &w;
  std::vector<Leaf> leaves;
  /// The type of the arithmetic that is being read, if it has fewer bits.
  mlir::Type narrow;
  /// How many values have been read: a program may use one number so often that
  /// its expression has no end.
  unsigned numRead = 0;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_NUMBERWORDS_H
