//===- Storage.h - the form of elements in memory ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An i1 is a byte in memory, an index has 64 bits, bf16 and the small float
// formats are integers, and integers of other widths have those of their bytes:
// LLVM aligns them to a power of two, at most 16 bytes.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_LAYOUT_STORAGE_H
#define BROADLOOM_CODEGEN_LAYOUT_STORAGE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/MathExtras.h"

namespace broadloom::codegen {

/// Bytes of one element in memory; i1 takes one, index eight. Zero for a type
/// that is not stored in memory.
inline unsigned getStorageBytes(mlir::Type elementType) {
  if (mlir::isa<mlir::IndexType>(elementType))
    return 8;
  if (!elementType.isIntOrFloat())
    return 0;
  constexpr unsigned kMostAligned = 16;
  unsigned bytes = llvm::divideCeil(elementType.getIntOrFloatBitWidth(), 8);
  return bytes < kMostAligned ? llvm::PowerOf2Ceil(bytes)
                              : llvm::alignTo(bytes, kMostAligned);
}

/// Bytes of all elements of a memref whose extents its type tells.
inline int64_t getStorageBytes(mlir::MemRefType type) {
  return type.getNumElements() * getStorageBytes(type.getElementType());
}

/// The type of an element, or scalar, in memory.
mlir::Type getStorageType(mlir::Type elementType);

/// Converts a scalar, or a vector, to its form in memory.
mlir::Value toStorage(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value value);

/// Converts a scalar, or a vector, of `type` from its form in memory.
mlir::Value fromStorage(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value stored, mlir::Type type);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_LAYOUT_STORAGE_H
