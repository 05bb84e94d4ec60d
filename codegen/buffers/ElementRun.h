//===- ElementRun.h - whether elements are side by side ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether the elements of a part of a buffer are one run in row-major order, as
// a launch writes its results, and which buffers have the same run.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_BUFFERS_ELEMENTRUN_H
#define BROADLOOM_CODEGEN_BUFFERS_ELEMENTRUN_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/MathExtras.h"

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
    if (isOpen || expected < 0)
      expected = -1;
    else if (llvm::MulOverflow(expected, extent, expected))
      return ElementRun::No;
  }
  return run;
}

/// The buffer of which `value` has all elements in the same order, as another
/// shape.
inline mlir::Value getReshaped(mlir::Value value) {
  while (mlir::Operation *op = value.getDefiningOp()) {
    if (!mlir::isa<mlir::memref::CastOp, mlir::memref::CollapseShapeOp,
                   mlir::memref::ExpandShapeOp>(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_BUFFERS_ELEMENTRUN_H
