//===- WindowFormula.h - how many positions a window has --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The extents of the sums of a `loom.contract` along one axis of its window.
// `Arithmetic` emits them with constraints or without.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_WINDOWFORMULA_H
#define BROADLOOM_DIALECT_WINDOWFORMULA_H

#include "dialect/LoomDialect.h"

namespace broadloom::loom {

/// (extent + pads - (dilation * (kernel - 1) + 1)) / stride + 1 along one axis,
/// in its parts. `Arithmetic` computes with mlir::OpFoldResult: get, add,
/// subtract, multiply and divide.
template <typename Arithmetic> class WindowFormula {
public:
  WindowFormula(ContractOp op, int64_t axis, Arithmetic &arithmetic)
      : op(op), axis(axis), a(arithmetic) {}

  /// The number of elements that a kernel covers.
  mlir::OpFoldResult getCovered(mlir::OpFoldResult kernel) {
    mlir::OpFoldResult gaps = a.subtract(kernel, a.get(1));
    return a.add(a.multiply(gaps, a.get(op.getDilations()[axis])), a.get(1));
  }
  /// The extent of the image with padding.
  mlir::OpFoldResult getPadded(mlir::OpFoldResult extent) {
    mlir::OpFoldResult before = a.get(op.getPads()[2 * axis]),
                       after = a.get(op.getPads()[2 * axis + 1]);
    // Adds the pads first: the guard checks that the sum with the extent fits
    // 64 bits, and an intermediate sum must not wrap. The sum of both pads
    // fits, as the verifier has checked.
    return a.add(extent, a.add(before, after));
  }
  /// The number of positions of a kernel that covers `covered` elements on an
  /// image of `padded` elements, which are no fewer.
  mlir::OpFoldResult getNumPositions(mlir::OpFoldResult padded,
                                     mlir::OpFoldResult covered) {
    mlir::OpFoldResult steps =
        a.divide(a.subtract(padded, covered), a.get(op.getStrides()[axis]));
    return a.add(steps, a.get(1));
  }

private:
  ContractOp op;
  int64_t axis;
  Arithmetic &a;
};

} // namespace broadloom::loom

#endif // BROADLOOM_DIALECT_WINDOWFORMULA_H
