//===- BoundedShape.h - what a shape query knows of a tensor ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bounded shape stands in a shape query for a tensor of the function that it
// accompanies: its extents as values of the shape query, or, where the rank is
// known at run time only, its shape.
//
// Invariant: an extent that is not exact is at most its value; one without a
// value is not known at all. Values are never negative.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_QUERIES_BOUNDEDSHAPE_H
#define BROADLOOM_INFER_QUERIES_BOUNDEDSHAPE_H

#include "dialect/LoomDialect.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

#include <map>

namespace broadloom::infer {

struct BoundedExtent {
  /// An index, or null.
  mlir::Value value;
  bool isExact = false;

  static BoundedExtent exact(mlir::Value value) { return {value, true}; }
  bool isKnown() const { return value && isExact; }
};

inline bool operator==(const BoundedExtent &a, const BoundedExtent &b) {
  return a.value == b.value && a.isExact == b.isExact;
}

struct BoundedShape {
  bool isRanked = true;
  llvm::SmallVector<BoundedExtent, 4> extents;
  /// A `!loom.shape` where not ranked; null where nothing is known.
  mlir::Value shape;

  static BoundedShape ofShape(mlir::Value shape) { return {false, {}, shape}; }
  /// Whether nothing is left open.
  bool isKnown() const;
};

/// Emits what bounded shapes are computed from.
class BoundedShapeEmitter {
public:
  /// Constants go to the start of `entry`.
  BoundedShapeEmitter(mlir::OpBuilder &builder, mlir::Block *entry)
      : builder(builder), entry(entry) {}

  mlir::Value getConstant(mlir::Location loc, int64_t value);
  BoundedExtent getFixed(mlir::Location loc, int64_t value) {
    return BoundedExtent::exact(getConstant(loc, value));
  }

  /// The bounded shape of a value of which no more is known than its type.
  BoundedShape ofType(mlir::Location loc, mlir::Type type);
  /// What `type`, a shaped type or a `!loom.shape`, says beside the bounded
  /// shape.
  BoundedShape withType(mlir::Location loc, const BoundedShape &bounded,
                        mlir::Type type);
  /// bcast-4; `type` is the result's.
  BoundedShape broadcast(mlir::Location loc,
                         llvm::ArrayRef<BoundedShape> operands,
                         mlir::Type type);
  /// What holds of either of two bounded shapes of values of one type.
  BoundedShape either(mlir::Location loc, const BoundedShape &a,
                      const BoundedShape &b);

  /// The larger one; null where one is null.
  mlir::Value maximum(mlir::Location loc, mlir::Value a, mlir::Value b);
  /// `!loom.shape<*>`
  mlir::Type getAnyShape() const {
    return loom::ShapeType::get(builder.getContext(), /*ranked=*/false, {});
  }
  /// A `!loom.shape<*>` of a bounded shape without open extents; null for
  /// others.
  mlir::Value getShape(mlir::Location loc, const BoundedShape &bounded);
  /// An extent that counts from the left, or from the right as -1, -2, ...
  BoundedExtent getExtent(mlir::Location loc, const BoundedShape &bounded,
                          int64_t axis);

private:
  BoundedExtent join(mlir::Location loc, llvm::ArrayRef<BoundedExtent> parts);
  /// Of two exact extents.
  mlir::Value join(mlir::Location loc, mlir::Value a, mlir::Value b);

  mlir::OpBuilder &builder;
  mlir::Block *entry;
  /// By number. (The two outermost numbers cannot be keys of a DenseMap, and
  /// both may stand in a program.)
  std::map<int64_t, mlir::Value> made;
  /// What stands in `entry` and so can be read everywhere.
  llvm::DenseMap<std::pair<mlir::Value, mlir::Value>, mlir::Value> joins;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_QUERIES_BOUNDEDSHAPE_H
