//===- MathExpansion.h - functions as inline arithmetic ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expands operations of the `math` dialect on f32 in kernels to straight-line
// code of `arith`, fused multiply-adds and bit operations, so that LLVM
// vectorises them like other code and keeps surrounding values in registers.
// Tables that fit into registers are read by calls that LookupFunctions.h
// converts to instructions. If the arithmetic is not valid for all elements, a
// call of RareCases.h tests for the others. Operations without an expansion
// become calls (codegen/math/VectorMath.h).
//
// Results are within el-9, for special values those of el-8, and do not depend
// on an element's position in a vector or in the remainder; subnormals are
// neither flushed nor treated as 0 (el-11). A fused multiply-add is part of a
// function's definition here; a program's own operations are not contracted.
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
