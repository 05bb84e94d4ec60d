//===- QueryArithmetic.h - arith and affine over numbers --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates integer operations of a program on numbers that are partly known.
//
// Invariant: a result that wraps or is undefined is unknown.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_QUERIES_QUERYARITHMETIC_H
#define BROADLOOM_INFER_QUERIES_QUERYARITHMETIC_H

#include "infer/numbers/Numbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace broadloom::infer {

/// `a` where `condition` holds, else `b`; one of them if it is known to be the
/// result in both cases. bcast-2
Number selectNumber(Numbers &numbers, ConditionId condition, const Number &a,
                    const Number &b);

/// The truth of an operation on truth values.
ConditionId evaluateLogic(Numbers &numbers, mlir::Operation *op,
                          llvm::ArrayRef<ConditionId> operands);

/// Whether `number` is odd. Lifted control flow encodes conditions as numbers 0
/// and 1, which this converts back.
ConditionId getLastBit(Numbers &numbers, const Number &number);

/// `4`, `B` or `2*B` over the first `numNamed` symbols; `?` for a number with
/// other symbols.
std::string nameOf(const Numbers &numbers, const Number &number,
                   SymbolId numNamed);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_QUERIES_QUERYARITHMETIC_H
