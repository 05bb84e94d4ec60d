//===- UnsupportedMemory.h - what programs over memory lack -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of the operations on memory, those that the constraints of
// infer/constraints/MemoryConstraints.cpp and LoopConstraints.cpp cover are
// supported, and all others are refused, so that nothing unchecked is compiled.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_UNSUPPORTEDMEMORY_H
#define BROADLOOM_LEGALIZE_MEMORY_UNSUPPORTEDMEMORY_H

#include "mlir/IR/Operation.h"

namespace broadloom::legalize {

/// Why an operation of a program over memory cannot be compiled, and what to
/// do; empty if it can.
llvm::StringRef findUnsupportedMemory(mlir::Operation *op);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_UNSUPPORTEDMEMORY_H
