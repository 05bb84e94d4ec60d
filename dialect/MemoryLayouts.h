//===- MemoryLayouts.h - layouts that are affine maps -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// mem-13. A layout that is a map says where an element is in memory, whose
// shape the map gives: the least that has all elements, in row-major order.
// Some such layouts are an offset and strides. Of others, such as tiles, the
// accesses are computed (codegen/memory/PlaceLayouts.cpp). Where several
// elements have one place, the type is one of memory that is read (mem-17).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_MEMORYLAYOUTS_H
#define BROADLOOM_DIALECT_MEMORYLAYOUTS_H

#include "dialect/LoomDialect.h"

#include "mlir/IR/BuiltinTypes.h"

#include <optional>
#include <string>
#include <vector>

namespace broadloom::loom {

/// The same type with an offset and strides; null where the layout is none.
mlir::MemRefType getStridedForm(mlir::MemRefType type);

/// Two elements of memory that have one place: their indices.
struct SharedPlace {
  std::vector<int64_t> first, second;
};

/// Two elements that the layout of `type` puts at one place whatever its open
/// strides are, and its open extents if they are at least 2. Nothing where
/// there are none, or none are found.
std::optional<SharedPlace> findSharedPlace(mlir::MemRefType type);

/// "its layout puts elements [0, 1] and [2, 1] at one place".
std::string describeShared(const SharedPlace &shared);

/// Why memory of a layout that has no strided form cannot be compiled; empty if
/// it can.
llvm::StringRef findUnsupportedLayout(mlir::MemRefType type);

/// The layout of memory whose shape is a set (set-1); null for any other.
SetShapeAttr getSetShape(mlir::Type type);

/// Whether the layout is no offset and strides: a map, or a set.
inline bool isTiled(mlir::Type type) {
  auto memref = llvm::dyn_cast<mlir::MemRefType>(type);
  return memref && !memref.isStrided();
}

/// The row-major memory of such a layout, whose extent is open where it is not
/// known how many elements a set has, and of which findUnsupportedLayout says
/// nothing.
mlir::MemRefType getPlaces(mlir::MemRefType type);

} // namespace broadloom::loom

#endif // BROADLOOM_DIALECT_MEMORYLAYOUTS_H
