//===- LoomSetShapeStorage.h - what a shape that is a set holds -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text is parsed once, and the formulas are computed once.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMSETSHAPESTORAGE_H
#define BROADLOOM_DIALECT_LOOMSETSHAPESTORAGE_H

#include "poly/PackedSet.h"

#include "mlir/IR/AttributeSupport.h"
#include "llvm/ADT/Hashing.h"

namespace broadloom::loom::detail {

struct SetShapeAttrStorage : public mlir::AttributeStorage {
  using KeyTy = std::tuple<llvm::StringRef>;

  explicit SetShapeAttrStorage(llvm::StringRef text);

  bool operator==(const KeyTy &key) const { return text == std::get<0>(key); }
  static llvm::hash_code hashKey(const KeyTy &key) {
    return llvm::hash_value(std::get<0>(key));
  }
  static SetShapeAttrStorage *
  construct(mlir::AttributeStorageAllocator &allocator, const KeyTy &key) {
    return new (allocator.allocate<SetShapeAttrStorage>())
        SetShapeAttrStorage(allocator.copyInto(std::get<0>(key)));
  }

  llvm::StringRef text;
  poly::Relation set;
  poly::PackedSet packed;
};

} // namespace broadloom::loom::detail

#endif // BROADLOOM_DIALECT_LOOMSETSHAPESTORAGE_H
