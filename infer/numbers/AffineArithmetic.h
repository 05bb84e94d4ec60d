//===- AffineArithmetic.h - affine expressions over numbers -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What MLIR's affine expressions and maps give for numbers that are known in
// part. Sums and products are those of words: what an expression is expanded to
// wraps (rt-13).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_NUMBERS_AFFINEARITHMETIC_H
#define BROADLOOM_INFER_NUMBERS_AFFINEARITHMETIC_H

#include "infer/numbers/Numbers.h"

#include "mlir/IR/AffineMap.h"

#include <optional>

namespace broadloom::infer {

/// Which of the results of a map is meant.
enum class OfResults { Least, Greatest };

/// The least or the greatest result of `map`, whose dimensions and symbols are
/// `operands`, in that order. Nothing where a divisor is not known to be
/// positive. Whether a number has overflowed, Numbers::takeOverflow tells.
std::optional<Number> evaluateMap(Numbers &numbers, mlir::AffineMap map,
                                  llvm::ArrayRef<Number> operands,
                                  OfResults which);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_NUMBERS_AFFINEARITHMETIC_H
