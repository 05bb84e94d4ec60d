//===- MathFunctions.h - what is known of operations of `math` --*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Queries of codegen about operations of the `math` dialect, answered from
// scalar/MathFunctions.def.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SCALAR_MATHFUNCTIONS_H
#define BROADLOOM_SCALAR_MATHFUNCTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace mlir {
class Operation;
} // namespace mlir

namespace broadloom::scalar {

/// When a function of f32 becomes inline arithmetic (scalar/MathExpansion.h).
enum class Expansion { Never, WithLookup, WithFma, Always };

/// A function of the C library, which libmvec has for vectors.
struct LibraryFunction {
  /// The name for f64; that for f32 has an f appended.
  llvm::StringLiteral name;
  unsigned parameters;
};
llvm::ArrayRef<LibraryFunction> getLibraryFunctions();

/// The cost of a function, and of operations that are not in the table.
inline constexpr unsigned kFunctionCost = 20;

/// The cost of an operation of `math`, in scalar operations.
unsigned getMathCost(mlir::Operation *op);

/// Whether there is inline arithmetic for `op` on at least some processors.
bool hasExpansion(mlir::Operation *op);

/// Whether there is inline arithmetic for `op` on vectors, on at least some
/// processors.
bool isExpandedInline(mlir::Operation *op);

/// Whether `op`, an operation of `math`, may be cloned on vectors: it is an
/// instruction on them, or is expanded.
bool isMathOnVectors(mlir::Operation *op);

} // namespace broadloom::scalar

#endif // BROADLOOM_SCALAR_MATHFUNCTIONS_H
