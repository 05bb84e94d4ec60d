//===- ApartMemory.h - memory that does not overlap -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The check that the memrefs of a loop nest share no elements, and what its
// accesses then tell LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MEMORY_APARTMEMORY_H
#define BROADLOOM_CODEGEN_MEMORY_APARTMEMORY_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace broadloom::codegen {

/// Memrefs, and whether they are written.
using NestMemory = llvm::MapVector<mlir::Value, bool>;

/// The most memrefs of a loop whose addresses are compared in front of it.
constexpr size_t kMostBases = 6;

/// What a load or store accesses; null for other operations.
mlir::Value getAccessedMemory(mlir::Operation *op);

/// A memref of a known rank that has all elements of `memory`: what casts and
/// subviews view. Other views than these may have elements that their operand
/// does not have.
mlir::Value getBase(mlir::Value memory);

/// Whether no memory that is written shares an element with any other; null if
/// that needs no check.
mlir::Value computeApart(mlir::OpBuilder &b, mlir::Location loc,
                         const NestMemory &memory);

/// Whether different indices of `memref` are different elements; null if that
/// needs no check. A view may be of memory whose strides are 0.
mlir::Value computeInjective(mlir::OpBuilder &b, mlir::Location loc,
                             mlir::Value memref);

/// Marks the accesses in `nest` to `memory`, as `getMemref` maps it. Each
/// memref has a scope of its own, which is declared in front of the nest: what
/// does not overlap in one run of the nest may overlap in the next.
void markApart(mlir::Operation *nest, const NestMemory &memory,
               llvm::function_ref<mlir::Value(mlir::Value)> getMemref);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MEMORY_APARTMEMORY_H
