//===- MathExpansion.h - functions as inline arithmetic ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What operations of the `math` dialect on f32 become inside kernels: straight
// lines of `arith`, fused multiply-adds and bit operations without a branch, so
// that LLVM vectorises them like any other code and keeps what is around them
// in registers. Where a table fits into registers, its numbers are looked up by
// calls that LookupFunctions.h makes instructions of; where the arithmetic does
// not hold for all elements, RareCases.h makes a test of a call. All that has
// no expansion here stays what it is, and becomes a call
// (codegen/math/VectorMath.h).
//
// The results are within el-9, for special values those of el-8, and the same
// wherever in a vector or in what is left over an element stands; subnormals
// are neither flushed nor taken for 0 (el-11). A fused multiply-add is part of
// a function's definition here; none is made of a program's own operations.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SCALAR_MATHEXPANSION_H
#define BROADLOOM_SCALAR_MATHEXPANSION_H

#include "llvm/ADT/StringRef.h"

namespace mlir {
class ModuleOp;
} // namespace mlir

namespace broadloom::scalar {

/// Instructions that a processor has.
struct MathUnit {
  /// x * y + z, rounded once.
  bool fma = false;
  /// A lookup in 32 numbers for each element of a vector of 16, and x 2^n for
  /// every n with subnormal results rounded once; only with `fma`.
  bool lookup = false;
};

/// Attribute of an operation whose operand is known to be at most 0, or NaN.
inline constexpr llvm::StringLiteral kAtMostZero = "loom.at_most_zero";

/// Expands the operations inside `module`, on scalars and on vectors: `exp`
/// always, `log`, `tanh` and `erf` with a fused multiply-add, and `sin`, `cos`
/// and `pow` on scalars with lookups.
void expandMath(mlir::ModuleOp module, MathUnit unit);

} // namespace broadloom::scalar

#endif // BROADLOOM_SCALAR_MATHEXPANSION_H
