//===- Vectors.h - vectors in functions over memory -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_VECTORS_H
#define BROADLOOM_LEGALIZE_MEMORY_VECTORS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"

namespace broadloom::legalize {

/// Whether an operand, a result or an argument of a block of `op` is a vector,
/// or `op` is of the dialect `vector`.
bool isAboutVectors(mlir::Operation *op);

/// Whether the vector becomes numbers: of a known number, of a type of which
/// memory has elements.
bool isSmallVector(mlir::VectorType type);

/// Whether an operand, a result or an argument of `op` is memory whose elements
/// are vectors.
bool hasVectorElements(mlir::Operation *op);

/// Why `op` cannot work on such memory; empty if it can, or has none.
llvm::StringRef findUnsupportedVectorElements(mlir::Operation *op);

/// Gives memory of vectors the axes of its elements, unless the program has an
/// operation that cannot work on it.
llvm::LogicalResult splitVectorElements(mlir::ModuleOp module);

/// Why a function over memory cannot have `op`, which is about vectors; empty
/// if it can (LowerVectors.cpp).
llvm::StringRef findUnsupportedVector(mlir::Operation *op);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_VECTORS_H
