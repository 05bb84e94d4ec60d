//===- BoundedShape.h - what a shape query knows of a tensor ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bounded shape represents a tensor of a function in the function's shape
// query: its extents as values of the query, or, if the rank is known only at
// run time, its shape.
//
// Invariant: an extent that is not exact is at most its value; an extent
// without a value is unknown. Values are never negative.
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
  /// A `!loom.shape` if not ranked; null if nothing is known.
  mlir::Value shape;

  static BoundedShape ofShape(mlir::Value shape) { return {false, {}, shape}; }
  /// Whether all extents are exact.
  bool isKnown() const;
};

/// Emits the arithmetic on bounded shapes.
class BoundedShapeEmitter {
public:
  /// Constants go to the start of `entry`.
  BoundedShapeEmitter(mlir::OpBuilder &builder, mlir::Block *entry)
      : builder(builder), entry(entry) {}

  mlir::Value getConstant(mlir::Location loc, int64_t value);
  BoundedExtent getFixed(mlir::Location loc, int64_t value) {
    return BoundedExtent::exact(getConstant(loc, value));
  }

  /// The bounded shape of a value of which only the type is known.
  BoundedShape ofType(mlir::Location loc, mlir::Type type);
  /// The bounded shape refined by `type`, a shaped type or a `!loom.shape`.
  BoundedShape withType(mlir::Location loc, const BoundedShape &bounded,
                        mlir::Type type);
  /// bcast-4; `type` is the result's.
  BoundedShape broadcast(mlir::Location loc,
                         llvm::ArrayRef<BoundedShape> operands,
                         mlir::Type type);
  /// The join of two bounded shapes of values of one type.
  BoundedShape either(mlir::Location loc, const BoundedShape &a,
                      const BoundedShape &b);

  /// The larger one; null if one is null.
  mlir::Value maximum(mlir::Location loc, mlir::Value a, mlir::Value b);
  /// `!loom.shape<*>`
  mlir::Type getAnyShape() const {
    return loom::ShapeType::get(builder.getContext(), /*ranked=*/false, {});
  }
  /// A `!loom.shape<*>` of a bounded shape whose extents are exact; null for
  /// others.
  mlir::Value getShape(mlir::Location loc, const BoundedShape &bounded);
  /// An extent that counts from the left, or from the right as -1, -2, ...
  BoundedExtent getExtent(mlir::Location loc, const BoundedShape &bounded,
                          int64_t axis);
  /// The extent of an axis that is a value, of a shape of rank 1 or more whose
  /// extents are exact; of any axis if there is none of that number.
  BoundedExtent chooseExtent(mlir::Location loc, const BoundedShape &bounded,
                             mlir::Value axis);

private:
  BoundedExtent join(mlir::Location loc, llvm::ArrayRef<BoundedExtent> parts);
  /// The broadcast of two exact extents.
  mlir::Value join(mlir::Location loc, mlir::Value a, mlir::Value b);

  mlir::OpBuilder &builder;
  mlir::Block *entry;
  /// Constants by number. Not a DenseMap, which cannot have the two outermost
  /// numbers as keys.
  std::map<int64_t, mlir::Value> made;
  /// Values in `entry`, which can be used everywhere.
  llvm::DenseMap<std::pair<mlir::Value, mlir::Value>, mlir::Value> joins;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_QUERIES_BOUNDEDSHAPE_H
