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

#include <variant>

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

/// The part of a dense tensor that has `length` elements along `axis` from
/// `indices` on.
struct DensePart {
  llvm::SmallVector<mlir::OpFoldResult> offsets, sizes, strides;

  DensePart(mlir::OpBuilder &b, llvm::ArrayRef<mlir::Value> indices,
            size_t axis, mlir::Value length);
};

/// Emits the loops in front of an operation, which messages name.
class SetLoops {
public:
  /// The second factor of a product: a dense tensor, or one of a set.
  using Factor = std::variant<mlir::Value, SetTensor>;

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
  /// The product with a tensor of two axes, whose extents fit, as a tensor of
  /// this type. sum-1
  mlir::Value multiply(const SetTensor &from, const Factor &other,
                       mlir::RankedTensorType type);
  /// The same as the elements of `to`, which has all that are not 0.
  mlir::Value multiply(const SetTensor &from, const SetTensor &other,
                       const SetTensor &to);

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
  /// Some rows of a set, dense from the first to the last column that one of
  /// them has, and with zeros where the set has no element.
  struct Panel {
    mlir::Value begin, width, elements;
  };
  Panel unpackRows(const SetTensor &from, mlir::Value firstRow,
                   mlir::Value rows);
  /// From the first to behind the last column of rows [firstRow, endRow),
  /// inside the extents.
  std::pair<mlir::Value, mlir::Value> computeColumns(const SetTensor &from,
                                                     mlir::Value firstRow,
                                                     mlir::Value endRow);
  /// Some rows of the product.
  Panel multiplyRows(const SetTensor &from, const Factor &other,
                     mlir::Value firstRow, mlir::Value rows);
  /// Goes over the rows of `from`, some at a time.
  mlir::Value forEachRows(
      const SetTensor &from, mlir::Value carried,
      llvm::function_ref<mlir::Value(mlir::Value, mlir::Value, mlir::Value)>
          body);
  /// The rows of [firstRow, endRow) in which the set may have an element.
  std::pair<mlir::Value, mlir::Value>
  limitRows(const SetTensor &set, mlir::Value firstRow, mlir::Value endRow);

  mlir::OpBuilder &b;
  mlir::Location loc;
  llvm::StringRef origin;
  SetFormulas formulas;
};

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_SETS_SETLOOPS_H
