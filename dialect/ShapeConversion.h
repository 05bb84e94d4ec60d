//===- ShapeConversion.h - MLIR's types as shapes ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts between MLIR's shaped types and the shapes of shape/. A type has no
// symbols, so that a shape from a type has none.
//
// Invariant: typeOf(type, *shapeOf(type), its element type) is the same type,
// except for a tensor's encoding and a memref's layout.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_SHAPECONVERSION_H
#define BROADLOOM_DIALECT_SHAPECONVERSION_H

#include "shape/Shape.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeRange.h"
#include "mlir/IR/Types.h"

#include <optional>
#include <vector>

namespace broadloom {

/// The shape of a tensor, vector (fixed or scalable, ext-4) or memref; none of
/// any other type.
std::optional<Shape> shapeOf(mlir::Type type);

/// The shapes of several shaped types, in order. A type that has no shape
/// counts as rank 0, as a scalar operand does.
class ShapesOf {
public:
  explicit ShapesOf(mlir::TypeRange types);
  ShapesOf(const ShapesOf &) = delete;
  ShapesOf &operator=(const ShapesOf &) = delete;

  operator ShapeList() const { return ShapeList(views); }
  size_t size() const { return shapes.size(); }
  const Shape &operator[](size_t i) const { return shapes[i]; }

private:
  std::vector<Shape> shapes;
  std::vector<ShapeView> views;
};

/// A tensor type (ranked or not) of `shape`, or a vector type where `like` is
/// one; a named extent becomes `?`. Null where there is no such type: a vector
/// that is unranked or has an extent that is not positive and static, a tensor
/// with a scalable one, an element type that the container does not take.
mlir::Type typeOf(mlir::Type like, ShapeView shape, mlir::Type elementType);

/// The tensor type `declared` with the extents of `shape`, and with its
/// encoding, or, where it has none, with `encoding`, which may be null. Null
/// where there is no such type, as for an encoding that speaks of extents and
/// not of these.
mlir::TensorType withShape(mlir::TensorType declared, ShapeView shape,
                           mlir::Attribute encoding = {});

} // namespace broadloom

#endif // BROADLOOM_DIALECT_SHAPECONVERSION_H
