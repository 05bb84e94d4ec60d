//===- IntegerArithmetic.h - integer operations over numbers ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The integer operations of the dialects arith and index, and their results on
// numbers that are partly known. Shape functions compute with mathematical
// integers and programs with words; this file has the parts that both share.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_NUMBERS_INTEGERARITHMETIC_H
#define BROADLOOM_INFER_NUMBERS_INTEGERARITHMETIC_H

#include "infer/numbers/Numbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"

#include <optional>

namespace broadloom::infer {

/// The computation of an operation on two integers.
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

/// The integer operation of `op`, in either dialect; nothing for other
/// operations.
std::optional<IntegerOperation> getIntegerOperation(mlir::Operation *op);

/// A conversion of an integer of `from` bits to one of `to` bits, which has the
/// same low bits.
struct IntegerCast {
  unsigned from, to;
  /// Whether more bits repeat the sign, instead of 0.
  bool isSigned;
};

/// The conversion that `op` is, in either dialect; nothing for other
/// operations.
std::optional<IntegerCast> getIntegerCast(mlir::Operation *op);

/// Whether `x` is the same in `width` bits, with its sign.
bool fits(const Numbers &numbers, const Number &x, unsigned width);

/// The word that a conversion gives of the word `x`, both with their signs;
/// nothing where it is not known to be a number of the analysis.
std::optional<Number> evaluateCast(Numbers &numbers, IntegerCast cast,
                                   const Number &x);

/// The same of a truth value, an integer of 1 bit, that is converted to more.
Number evaluateCast(Numbers &numbers, IntegerCast cast, ConditionId x);

/// The quotient or the remainder of a division, by a number that is not 0. The
/// caller has proved, or required, that both operands of an unsigned division
/// are not negative.
Number evaluateDivision(Numbers &numbers, IntegerOperation operation,
                        const Number &a, const Number &b);

/// The word that an operation on two words of `width` bits gives, each with its
/// sign (rt-13, el-3); nothing for an undefined division.
std::optional<int64_t> foldWords(IntegerOperation operation, unsigned width,
                                 int64_t a, int64_t b);

/// The result of any operation on two constant words of 64 bits, and of a sum,
/// a difference, a product or a shift to the left by a constant on other words;
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

/// The truth of a comparison of two numbers. The operands of an unsigned one
/// must be known not to be negative.
ConditionId evaluateComparison(Numbers &numbers,
                               mlir::arith::CmpIPredicate predicate,
                               const Number &a, const Number &b);

/// The predicate of a comparison of the index dialect, as that of arith.
mlir::arith::CmpIPredicate getPredicate(mlir::index::CmpOp op);

/// Whether a comparison reads its operands as unsigned.
bool isUnsigned(mlir::arith::CmpIPredicate predicate);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_NUMBERS_INTEGERARITHMETIC_H
