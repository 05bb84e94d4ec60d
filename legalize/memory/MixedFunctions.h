//===- MixedFunctions.h - functions with tensors and memory -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_MIXEDFUNCTIONS_H
#define BROADLOOM_LEGALIZE_MEMORY_MIXEDFUNCTIONS_H

#include "mlir/IR/Operation.h"

namespace broadloom::legalize {

/// Whether the rules for tensors are those that count for `op`, which stands in
/// a function over memory.
bool isOnTensorsAlone(mlir::Operation *op);

/// Whether `op` is one of `bufferization` that is supported.
bool isBridge(mlir::Operation *op);

/// Why a function over memory cannot have `op`, which may have tensors; empty
/// if it can (codegen/memory/SeparateTensors.cpp).
llvm::StringRef findUnsupportedMix(mlir::Operation *op);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_MIXEDFUNCTIONS_H
