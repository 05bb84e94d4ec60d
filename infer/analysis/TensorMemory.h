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

/// The bytes that an element of a tensor or of memory takes at least.
inline int64_t getLeastBytes(mlir::Type element) {
  unsigned bits = element.isIndex()        ? 64
                  : element.isIntOrFloat() ? element.getIntOrFloatBitWidth()
                                           : 8;
  return std::max<int64_t>(bits / 8, 1);
}

/// The largest product of the extents of a tensor or memory of this type that
/// are not 0. ext-5
inline int64_t getMostElements(mlir::Type type) {
  return kMaxTensorBytes / getLeastBytes(mlir::getElementTypeOrSelf(type));
}

/// The largest product of the open extents of a tensor that has at most `most`
/// elements, given its known extents. Extents of 0 do not count (ext-5).
template <typename Extents>
int64_t getMostBeside(int64_t most, const Extents &extents) {
  for (int64_t extent : extents)
    if (extent > 1)
      most /= extent;
  return most;
}

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_ANALYSIS_TENSORMEMORY_H
