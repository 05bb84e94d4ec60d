//===- SetLoops.h - loops over tensors whose shape is a set -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is computed of such tensors by their indices, as loops over slices of
// their elements: along the innermost axis, those of a set are one behind
// another, as those of a dense tensor are.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_SETS_SETLOOPS_H
#define BROADLOOM_LEGALIZE_SETS_SETLOOPS_H

#include "dialect/LoomSetTensor.h"
#include "legalize/sets/SetFormulas.h"

namespace broadloom::legalize {

/// A tensor whose shape is a set.
struct SetTensor {
  /// With the set as its encoding.
  mlir::RankedTensorType type;
  /// The values of the set's symbols.
  llvm::SmallVector<mlir::Value> symbols;
  /// In their order, along one axis; null where they are still to be computed.
  mlir::Value elements = {};

  loom::SetShapeAttr getSet() const { return loom::getSetEncoding(type); }
  /// The extent of an axis.
  mlir::OpFoldResult getExtent(int64_t axis) const;
};

/// Emits the loops in front of an operation, which messages name.
class SetLoops {
public:
  SetLoops(mlir::OpBuilder &b, mlir::Operation *op);

  /// Elements of any values, as many as `set` has.
  mlir::Value makeEmpty(const SetTensor &set);
  /// The elements of `to` that `dense` has.
  mlir::Value pack(const SetTensor &to, mlir::Value dense);
  /// A dense tensor of this type: zeros where the set has no element, and none
  /// mirrored to them.
  mlir::Value unpack(const SetTensor &from, mlir::RankedTensorType type,
                     bool isSymmetric);
  /// Fails where an element of `dense` that is none of the set is not 0, or not
  /// the mirrored one.
  void requireRest(const SetTensor &set, mlir::Value dense, bool isSymmetric);
  /// The elements of `to`, whose axis `i` is axis `order[i]` of `from`.
  mlir::Value transpose(const SetTensor &from, const SetTensor &to,
                        llvm::ArrayRef<int64_t> order);
  /// The product with a dense tensor of two axes, whose extents fit, as a
  /// tensor of this type. sum-1
  mlir::Value multiply(const SetTensor &from, mlir::Value dense,
                       mlir::RankedTensorType type);

private:
  /// A run of elements along the innermost axis.
  struct Run {
    /// The symbols and the indices of the first element.
    llvm::SmallVector<mlir::Value> values;
    mlir::Value place, length;
  };
  using Body = llvm::function_ref<mlir::Value(const Run &, mlir::Value)>;

  /// From the first index of the axis behind those of `values` to the end. An
  /// interval may leave the extents where the axes behind have no index.
  std::pair<mlir::Value, mlir::Value>
  computeRange(loom::SetShapeAttr set, llvm::ArrayRef<mlir::Value> values);
  /// Goes over all runs, the indices of whose outer axes begin with those that
  /// `values` has beside the symbols.
  mlir::Value forEachRun(const SetTensor &set, mlir::Value carried, Body body);
  mlir::Value forEachRun(loom::SetShapeAttr set,
                         llvm::SmallVector<mlir::Value> values,
                         mlir::Value carried, Body body);
  mlir::Value
  makeLoop(mlir::Value first, mlir::Value end, int64_t step,
           mlir::Value carried,
           llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> body);
  mlir::Value makeZeros(mlir::RankedTensorType type,
                        llvm::ArrayRef<mlir::OpFoldResult> extents);
  mlir::Value takeRun(mlir::Value elements, const Run &run);
  mlir::Value multiplyRows(const SetTensor &from, mlir::Value dense,
                           mlir::Value firstRow, mlir::Value rows,
                           mlir::Value to);

  mlir::OpBuilder &b;
  mlir::Location loc;
  llvm::StringRef origin;
  SetFormulas formulas;
};

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_SETS_SETLOOPS_H
