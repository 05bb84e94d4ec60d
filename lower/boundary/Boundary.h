//===- Boundary.h - what reads tensors beyond their ends --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A `loom.boundary` or a `tensor.pad`, as what is read of it:
// boxes of elements, whose indices count from the first element of the widened
// tensor.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_BOUNDARY_BOUNDARY_H
#define BROADLOOM_LOWER_BOUNDARY_BOUNDARY_H

#include "dialect/LoomBoundary.h"

#include "mlir/IR/Builders.h"

#include <optional>

namespace broadloom::lower {

/// Numbers that are known or values. What constants determine is folded.
class Sizes {
public:
  using Size = mlir::OpFoldResult;

  Sizes(mlir::OpBuilder &builder, mlir::Location loc)
      : builder(builder), loc(loc) {}

  Size get(int64_t number) const { return builder.getIndexAttr(number); }
  Size add(Size x, Size y);
  Size subtract(Size x, Size y);
  Size least(Size x, Size y);
  Size greatest(Size x, Size y);
  mlir::Value getValue(Size size);

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
};

/// Elements [offset, offset + size) along each axis.
struct Box {
  llvm::SmallVector<mlir::OpFoldResult> offsets, sizes;
};

/// A tensor that goes on beyond its ends.
struct Boundary {
  /// The operation that makes it.
  mlir::Operation *op;
  mlir::Value source;
  llvm::SmallVector<mlir::OpFoldResult> low, high;
  loom::BoundaryMode mode;
  /// What is read beyond the ends in mode `constant`: a value, or what the
  /// region of a `tensor.pad` computes of the indices of the widened tensor.
  mlir::Value value;
  mlir::Region *computed = nullptr;

  int64_t getRank() const { return low.size(); }
  mlir::Type getElementType() const;
};

/// What `value` is a boundary of, if `loom.boundary` or `tensor.pad` makes it.
/// A padding that is computed of tensors, or with checks, is none, and neither
/// is one with elements between those of the source.
std::optional<Boundary> getBoundary(mlir::Value value);

/// Computes the elements of a box. Along the axes before `firstOpen`, the box
/// is known to be inside the source.
mlir::Value computeBox(mlir::OpBuilder &builder, mlir::Location loc,
                       const Boundary &boundary, const Box &box,
                       int64_t firstOpen = 0);

/// The part of `tensor` in a box.
mlir::Value takeBox(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value tensor, const Box &box);

/// Puts `part` in the place of a box of `whole`, whose elements have these
/// distances, 1 without any, and returns the whole.
mlir::Value putBox(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value part, mlir::Value whole, const Box &box,
                   llvm::ArrayRef<mlir::OpFoldResult> strides = {});

/// `tensor` as one of `type`, also where a guard that always fails is ahead and
/// the types contradict each other.
mlir::Value castTo(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value tensor, mlir::RankedTensorType type);

/// Replaces extents of the widened tensor by sums of those of the source.
void resolveExtents(const Boundary &boundary);

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_BOUNDARY_BOUNDARY_H
