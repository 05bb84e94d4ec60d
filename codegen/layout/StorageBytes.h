//===- StorageBytes.h - how much memory an element takes --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM aligns integers of other widths to a power of two, at most 16 bytes.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_LAYOUT_STORAGEBYTES_H
#define BROADLOOM_CODEGEN_LAYOUT_STORAGEBYTES_H

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

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_LAYOUT_STORAGEBYTES_H
