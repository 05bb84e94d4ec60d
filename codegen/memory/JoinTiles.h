//===- JoinTiles.h - nests in tiles as nests of their elements --*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop over tiles, and one within it over the elements of a tile, are one
// loop over all elements, where each is an element of one tile. A product in
// tiles is then one contraction, if the order of the products does not matter,
// also where its sums are copied to a scratchpad and back (ForwardSums.h).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MEMORY_JOINTILES_H
#define BROADLOOM_CODEGEN_MEMORY_JOINTILES_H

#include "codegen/memory/NestProduct.h"

#include "llvm/ADT/DenseSet.h"

namespace broadloom::codegen {

/// A nest as a sum of products: as it is, or of a copy without loops over
/// tiles, which stands in front of the nest as long as this object lives.
class JoinedProduct {
public:
  explicit JoinedProduct(mlir::scf::ForOp nest);
  ~JoinedProduct();
  JoinedProduct(const JoinedProduct &) = delete;
  JoinedProduct &operator=(const JoinedProduct &) = delete;

  /// Null if the nest is no sum of products.
  const NestProduct *get() const { return product ? &*product : nullptr; }
  /// The scratchpads to which sums are copied, which it does without.
  llvm::ArrayRef<mlir::Value> getScratchpads() const { return scratchpads; }

private:
  bool keepsValues(const llvm::SmallDenseSet<mlir::Operation *> &joined) const;
  void drop();

  std::optional<NestProduct> product;
  std::vector<mlir::Value> scratchpads;
  /// The copy, and what stands in front of it.
  mlir::scf::ForOp copy;
  mlir::Operation *before;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MEMORY_JOINTILES_H
