//===- WordOperations.h - integer operations of programs --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One evaluator of the operations of programs that give integers: constants,
// arithmetic, conversions and affine maps. Integers of at most 64 bits are
// words, and what wraps in a program wraps here.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_NUMBERS_WORDOPERATIONS_H
#define BROADLOOM_INFER_NUMBERS_WORDOPERATIONS_H

#include "infer/numbers/Numbers.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>
#include <utility>

namespace broadloom::infer {

/// Says what the operands of operations are.
struct WordOperands {
  /// The word of an integer, with its sign; nothing where it is not known to be
  /// a number.
  llvm::function_ref<std::optional<Number>(mlir::Value)> getNumber;
  /// The truth of an integer of 1 bit.
  llvm::function_ref<ConditionId(mlir::Value)> getCondition;
};

/// The word that the only result of `op` is, with its sign. Nothing for other
/// operations, and where it is not known: the caller has a number for that. A
/// division is known if its divisor is proved not to be 0.
std::optional<Number> evaluateWordOperation(Numbers &numbers,
                                            mlir::Operation *op,
                                            const WordOperands &operands);

/// The lower and the upper half of a product of 128 bits.
std::pair<Number, Number> evaluateWideProduct(Numbers &numbers, const Number &a,
                                              const Number &b);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_NUMBERS_WORDOPERATIONS_H
