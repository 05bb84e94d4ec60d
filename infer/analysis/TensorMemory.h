//===- TensorMemory.h - how large tensors can be ----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_ANALYSIS_TENSORMEMORY_H
#define BROADLOOM_INFER_ANALYSIS_TENSORMEMORY_H

#include "shape/Memory.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

namespace broadloom::infer {

/// How many elements a tensor of this type has at most, leaving extents of 0
/// aside. ext-5
inline int64_t getMostElements(mlir::Type type) {
  mlir::Type element = mlir::getElementTypeOrSelf(type);
  unsigned bits = element.isIndex()        ? 64
                  : element.isIntOrFloat() ? element.getIntOrFloatBitWidth()
                                           : 8;
  return kMaxTensorBytes / std::max<int64_t>(bits / 8, 1);
}

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_ANALYSIS_TENSORMEMORY_H
