//===- WindowFormula.h - how many positions a window has --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_WINDOWFORMULA_H
#define BROADLOOM_DIALECT_WINDOWFORMULA_H

#include "dialect/LoomDialect.h"

namespace broadloom::loom {

/// (extent + pads - (dilation * (kernel - 1) + 1)) / stride + 1 along one axis,
/// in its parts. `Arithmetic` has a type Number, and computes with it: get,
/// add, subtract, multiply and divide.
template <typename Arithmetic> class WindowFormula {
public:
  using Number = typename Arithmetic::Number;

  WindowFormula(ContractOp op, int64_t axis, Arithmetic &arithmetic)
      : op(op), axis(axis), a(arithmetic) {}

  /// The number of elements that a kernel covers.
  Number getCovered(Number kernel) {
    Number gaps = a.subtract(kernel, a.get(1));
    return a.add(a.multiply(gaps, a.get(op.getDilations()[axis])), a.get(1));
  }
  /// The extent of the image with padding.
  Number getPadded(Number extent) {
    Number before = a.get(op.getPads()[2 * axis]),
           after = a.get(op.getPads()[2 * axis + 1]);
    // Adds the pads first: the guard checks that the sum with the extent fits
    // 64 bits, and an intermediate sum must not wrap. The sum of both pads
    // fits, as the verifier has checked.
    return a.add(extent, a.add(before, after));
  }
  /// The number of positions of a kernel that covers `covered` elements on an
  /// image of `padded` elements, which are no fewer.
  Number getNumPositions(Number padded, Number covered) {
    Number steps =
        a.divide(a.subtract(padded, covered), a.get(op.getStrides()[axis]));
    return a.add(steps, a.get(1));
  }

private:
  ContractOp op;
  int64_t axis;
  Arithmetic &a;
};

/// The extents of a contraction. `Arithmetic` also has the extent of an axis of
/// a tensor, getExtent.
template <typename Arithmetic> class ContractFormula {
public:
  using Number = typename Arithmetic::Number;

  ContractFormula(ContractOp op, Arithmetic &arithmetic)
      : op(op), a(arithmetic), window(op.getStrides().size()) {
    rank =
        mlir::cast<mlir::RankedTensorType>(op.getImage().getType()).getRank();
    weightRank =
        op.getPacked()
            ? int64_t(op.getPacked()->size())
            : mlir::cast<mlir::RankedTensorType>(op.getWeight().getType())
                  .getRank();
    firstWindow =
        weightRank - window - getNumChannelAxes(op.getContractionKind());
  }

  /// Of the weight before it was packed. A packed one has no axes before its
  /// window.
  Number getWeight(int64_t axis) {
    return op.getPacked() ? a.get((*op.getPacked())[axis])
                          : a.getExtent(op.getWeight(), axis);
  }
  /// The axis of the weight where its window begins.
  int64_t getFirstWindowAxis() const { return firstWindow; }
  /// Whether axis `axis` of the image has a window.
  bool hasWindow(int64_t axis) const {
    return window != 0 && axis != 0 && axis != rank - 1;
  }
  /// The extent of an axis of the results.
  Number getResult(int64_t axis) {
    if (axis == rank - 1 && !isPool(op.getContractionKind()))
      return getWeight(weightRank - 1);
    if (!hasWindow(axis))
      return a.getExtent(op.getImage(), axis);
    WindowFormula<Arithmetic> formula(op, axis - 1, a);
    Number extent = a.getExtent(op.getImage(), axis);
    Number kernel = getWeight(firstWindow + axis - 1);
    Number padded = formula.getPadded(extent);
    return formula.getNumPositions(padded, formula.getCovered(kernel));
  }

private:
  ContractOp op;
  Arithmetic &a;
  int64_t window, rank, weightRank, firstWindow;
};

} // namespace broadloom::loom

#endif // BROADLOOM_DIALECT_WINDOWFORMULA_H
