//===- IntegerArithmetic.h - integer operations over numbers ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which operations of the dialects arith and index compute with integers, and
// what they give for numbers that are known in part. Shape functions, which
// compute with mathematical integers, and programs, which compute with words,
// share what is the same in both.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_NUMBERS_INTEGERARITHMETIC_H
#define BROADLOOM_INFER_NUMBERS_INTEGERARITHMETIC_H

#include "infer/numbers/Numbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <optional>

namespace broadloom::infer {

/// What an operation on two integers computes.
struct IntegerOperation {
  enum class Kind {
    Add,
    Sub,
    Mul,
    Div,
    CeilDiv,
    FloorDiv,
    Rem,
    Max,
    Min,
    Shl,
    Shr,
    And,
    Or,
    Xor
  };
  Kind kind;
  /// Whether the operands are read as unsigned.
  bool isUnsigned = false;

  /// Whether the second operand must not be 0.
  bool isDivision() const {
    return kind == Kind::Div || kind == Kind::CeilDiv ||
           kind == Kind::FloorDiv || kind == Kind::Rem;
  }
};

/// The operation that `op` is, in either dialect; nothing for any other.
std::optional<IntegerOperation> getIntegerOperation(mlir::Operation *op);

/// The quotient or the remainder of a division, by a number that is not 0. Both
/// operands of an unsigned division must be known not to be negative, or have
/// been required not to be.
Number evaluateDivision(Numbers &numbers, IntegerOperation operation,
                        const Number &a, const Number &b);

/// a / b, rounded up; the divisor must not be 0.
Number ceilDivide(Numbers &numbers, const Number &a, const Number &b);

/// The word that an operation on two words of `width` bits gives, each with its
/// sign (rt-13, el-3); nothing for a division that has no value.
std::optional<int64_t> foldWords(IntegerOperation operation, unsigned width,
                                 int64_t a, int64_t b);

/// What an operation on two constant words of 64 bits gives, or a sum, a
/// difference, a product or a shift to the left by a constant on others;
/// nothing for other operations.
std::optional<Number> evaluateWords(Numbers &numbers,
                                    IntegerOperation operation, const Number &a,
                                    const Number &b);

/// The truth of an operation on truth values.
ConditionId evaluateLogic(Numbers &numbers, IntegerOperation::Kind kind,
                          ConditionId a, ConditionId b);

/// Whether two truth values are the same or differ; unknown for predicates that
/// order them.
ConditionId compareTruths(Numbers &numbers,
                          mlir::arith::CmpIPredicate predicate, ConditionId a,
                          ConditionId b);

/// The truth of a comparison of two numbers, of which an unsigned one must know
/// that they are not negative.
ConditionId evaluateComparison(Numbers &numbers,
                               mlir::arith::CmpIPredicate predicate,
                               const Number &a, const Number &b);

/// Whether a comparison reads its operands as unsigned.
bool isUnsigned(mlir::arith::CmpIPredicate predicate);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_NUMBERS_INTEGERARITHMETIC_H
