//===- ElementRun.h - whether elements are side by side ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether the elements of a part of a buffer are one run in row-major order, as
// a launch writes its results.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_BUFFERS_ELEMENTRUN_H
#define BROADLOOM_CODEGEN_BUFFERS_ELEMENTRUN_H

#include "mlir/IR/BuiltinTypes.h"

namespace broadloom::codegen {

enum class ElementRun {
  No,
  /// If extents or strides that the type leaves open are such.
  AtRunTime,
  /// In all tensors of the type, which has static extents.
  Yes
};

inline ElementRun getElementRun(mlir::MemRefType type) {
  llvm::SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return ElementRun::No;
  auto run = type.hasStaticShape() ? ElementRun::Yes : ElementRun::AtRunTime;
  // The stride of a run; -1 where an extent is open.
  int64_t expected = 1;
  for (int64_t axis = type.getRank() - 1; axis >= 0; --axis) {
    int64_t extent = type.getDimSize(axis), stride = strides[axis];
    if (extent == 1)
      continue;
    bool isOpen = mlir::ShapedType::isDynamic(extent);
    if (mlir::ShapedType::isDynamic(stride) || expected < 0)
      run = ElementRun::AtRunTime;
    else if (stride != expected && !isOpen)
      return ElementRun::No;
    expected = isOpen || expected < 0 ? -1 : expected * extent;
  }
  return run;
}

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_BUFFERS_ELEMENTRUN_H
