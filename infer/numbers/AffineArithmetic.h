//===- AffineArithmetic.h - affine expressions over numbers -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates MLIR's affine expressions and maps on numbers that are partly
// known. Sums and products are those of words, because expanded expressions
// wrap (rt-13).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_NUMBERS_AFFINEARITHMETIC_H
#define BROADLOOM_INFER_NUMBERS_AFFINEARITHMETIC_H

#include "infer/numbers/Numbers.h"

#include "mlir/IR/AffineMap.h"

#include <optional>

namespace broadloom::infer {

/// Selects a result of a map.
enum class OfResults { Least, Greatest };

/// The least or the greatest result of `map`, whose dimensions and symbols are
/// `operands`, in that order. Nothing if a divisor is not known to be positive.
std::optional<Number> evaluateMap(Numbers &numbers, mlir::AffineMap map,
                                  llvm::ArrayRef<Number> operands,
                                  OfResults which);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_NUMBERS_AFFINEARITHMETIC_H
