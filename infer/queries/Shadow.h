//===- Shadow.h - what a companion knows of a tensor ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shadow stands in a shape companion for a tensor of the function that it
// accompanies: its extents as values of the companion, or, where the rank is
// known at run time only, its shape.
//
// Invariant: an extent that is not exact is at most its value; one without a
// value is not known at all. Values are never negative.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_QUERIES_SHADOW_H
#define BROADLOOM_INFER_QUERIES_SHADOW_H

#include "dialect/LoomDialect.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

#include <map>

namespace broadloom::infer {

struct ShadowExtent {
  /// An index, or null.
  mlir::Value value;
  bool isExact = false;

  static ShadowExtent exact(mlir::Value value) { return {value, true}; }
  bool isKnown() const { return value && isExact; }
};

inline bool operator==(const ShadowExtent &a, const ShadowExtent &b) {
  return a.value == b.value && a.isExact == b.isExact;
}

struct Shadow {
  bool isRanked = true;
  llvm::SmallVector<ShadowExtent, 4> extents;
  /// A `!loom.shape` where not ranked; null where nothing is known.
  mlir::Value shape;

  static Shadow ofShape(mlir::Value shape) { return {false, {}, shape}; }
  /// Whether nothing is left open.
  bool isKnown() const;
};

/// Emits what shadows are computed from.
class ShadowEmitter {
public:
  /// Constants go to the start of `entry`.
  ShadowEmitter(mlir::OpBuilder &builder, mlir::Block *entry)
      : builder(builder), entry(entry) {}

  mlir::Value getConstant(mlir::Location loc, int64_t value);
  ShadowExtent getFixed(mlir::Location loc, int64_t value) {
    return ShadowExtent::exact(getConstant(loc, value));
  }

  /// The shadow of a value of which no more is known than its type.
  Shadow ofType(mlir::Location loc, mlir::Type type);
  /// What `type`, a shaped type or a `!loom.shape`, says beside the shadow.
  Shadow withType(mlir::Location loc, const Shadow &shadow, mlir::Type type);
  /// bcast-4; `type` is the result's.
  Shadow broadcast(mlir::Location loc, llvm::ArrayRef<Shadow> operands,
                   mlir::Type type);
  /// What holds of either of two shadows of values of one type.
  Shadow either(mlir::Location loc, const Shadow &a, const Shadow &b);

  /// The larger one; null where one is null.
  mlir::Value maximum(mlir::Location loc, mlir::Value a, mlir::Value b);
  /// `!loom.shape<*>`
  mlir::Type getAnyShape() const {
    return loom::ShapeType::get(builder.getContext(), /*ranked=*/false, {});
  }
  /// A `!loom.shape<*>` of a shadow without open extents; null for others.
  mlir::Value getShape(mlir::Location loc, const Shadow &shadow);
  /// An extent that counts from the left, or from the right as -1, -2, ...
  ShadowExtent getExtent(mlir::Location loc, const Shadow &shadow,
                         int64_t axis);

private:
  ShadowExtent join(mlir::Location loc, llvm::ArrayRef<ShadowExtent> parts);
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

#endif // BROADLOOM_INFER_QUERIES_SHADOW_H
