//===- Vectors.h - vectors in functions over memory -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_VECTORS_H
#define BROADLOOM_LEGALIZE_MEMORY_VECTORS_H

#include "mlir/IR/Operation.h"

namespace broadloom::legalize {

/// Whether an operand, a result or an argument of a block of `op` is a vector,
/// or `op` is of the dialect `vector`.
bool isAboutVectors(mlir::Operation *op);

/// Why a function over memory cannot have `op`, which is about vectors; empty
/// if it can (LowerVectors.cpp).
llvm::StringRef findUnsupportedVector(mlir::Operation *op);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_VECTORS_H
