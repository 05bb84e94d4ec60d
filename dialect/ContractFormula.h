//===- ContractFormula.h - the extents of a contraction ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_CONTRACTFORMULA_H
#define BROADLOOM_DIALECT_CONTRACTFORMULA_H

#include "dialect/LoomDialect.h"

namespace broadloom::loom {

/// The extents of a contraction. `Arithmetic` has a type Number, and computes
/// with it: get, add, subtract, multiply, divide, and getExtent of an axis of a
/// tensor.
template <typename Arithmetic> class ContractFormula {
public:
  using Number = typename Arithmetic::Number;

  /// Along one axis: the kernel, the elements that it covers, and the extent of
  /// the image with padding.
  struct Window {
    Number kernel, covered, padded;
  };

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
  /// The window of such an axis.
  Window getWindow(int64_t axis) {
    int64_t i = axis - 1;
    Number extent = a.getExtent(op.getImage(), axis);
    Number kernel = getWeight(firstWindow + i);
    // Adds the pads first: the guard checks that the sum with the extent fits
    // 64 bits, and an intermediate sum must not wrap. The sum of both pads
    // fits, as the verifier has checked.
    Number pads =
        a.add(a.get(op.getPads()[2 * i]), a.get(op.getPads()[2 * i + 1]));
    Number padded = a.add(extent, pads);
    Number gaps = a.subtract(kernel, a.get(1));
    Number covered =
        a.add(a.multiply(gaps, a.get(op.getDilations()[i])), a.get(1));
    return {kernel, covered, padded};
  }
  /// The extent of an axis of the results: with a window the number of its
  /// positions,
  ///   (extent + pads - (dilation * (kernel - 1) + 1)) / stride + 1
  /// where the kernel covers no more than the padded image.
  Number getResult(int64_t axis) {
    if (hasWindow(axis))
      return getResult(axis, getWindow(axis));
    return axis == rank - 1 && !isPool(op.getContractionKind())
               ? getWeight(weightRank - 1)
               : a.getExtent(op.getImage(), axis);
  }
  Number getResult(int64_t axis, const Window &of) {
    Number steps = a.divide(a.subtract(of.padded, of.covered),
                            a.get(op.getStrides()[axis - 1]));
    return a.add(steps, a.get(1));
  }

private:
  ContractOp op;
  Arithmetic &a;
  int64_t window, rank, weightRank, firstWindow;
};

} // namespace broadloom::loom

#endif // BROADLOOM_DIALECT_CONTRACTFORMULA_H
