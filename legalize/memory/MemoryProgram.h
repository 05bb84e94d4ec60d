//===- MemoryProgram.h - programs over memory -------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program over memory has memrefs and no tensors. Of its operations, those
// that the constraints of infer/constraints/MemoryConstraints.cpp cover are
// supported, and all others are refused, so that nothing unchecked is compiled.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_MEMORYPROGRAM_H
#define BROADLOOM_LEGALIZE_MEMORY_MEMORYPROGRAM_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::legalize {

/// Marks the functions of a program over memory (dialect/MemoryFunction.h), and
/// takes the mark from all others.
void markMemoryFunctions(mlir::ModuleOp module);

/// Why an operation of a program over memory cannot be compiled, and what to
/// do; empty if it can.
llvm::StringRef findUnsupportedMemory(mlir::Operation *op);

/// Checks all accesses of affine loops in front of the outermost loop, where
/// the condition for that is known exactly (mem-2). These accesses get the
/// attribute kChecked.
void guardNests(mlir::ModuleOp module);

/// Erases the accesses that stand for their checks alone.
void eraseChecks(mlir::ModuleOp module);

/// Brings `affine.load` and `affine.store` to the form of `memref`, with the
/// indices as values.
void lowerAffineAccesses(mlir::ModuleOp module);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_MEMORYPROGRAM_H
