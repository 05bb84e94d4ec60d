//===- ReductionCandidates.h - what reductions can be fused with ---*- C++ -*-//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The maps and reductions of a block that can be part of a
// loom.fused_reduction, and which of their values are likely to have one shape.
//
// Shape classes are for choosing what to fuse, and for nothing else: the
// runtime looks at the extents, so that fusing what turns out to have other
// extents is right, only slow. Invariant: two values of one class have one
// shape, as long as no operand is longer than what it is combined with.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_FUSE_REDUCTIONCANDIDATES_H
#define BROADLOOM_LOWER_FUSE_REDUCTIONCANDIDATES_H

#include "lower/Reduction.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <map>

namespace broadloom::lower {

/// A map, or successive reductions of one kind: then `axes` are all of theirs,
/// as bits, and `reduction` says what kind.
struct RowCandidate {
  mlir::Operation *op = nullptr;
  std::optional<Reduction> reduction;
  uint64_t axes = 0;
  /// What is read: the map's operands, or what the first reduction reduces.
  llvm::SmallVector<mlir::Value> inputs;
  /// The reductions, last first.
  llvm::SmallVector<mlir::Operation *> chain;
  int64_t rank = 0;
};

/// Whether the axis that is reduced is gone: then what reads the result is over
/// another space.
inline bool isArgMax(const RowCandidate &candidate) {
  return candidate.reduction &&
         candidate.reduction->kind == Reduction::Kind::ArgMax;
}

using ShapeClass = unsigned;

class ReductionCandidates {
public:
  /// Looks at all operations of `block` once.
  explicit ReductionCandidates(mlir::Block &block);

  /// Null where `op` is none, or is part of a chain that ends later.
  const RowCandidate *find(mlir::Operation *op) const;
  /// The candidate whose chain `op` is part of, or the one that `op` is.
  mlir::Operation *getLast(mlir::Operation *op) const;

  ShapeClass getClass(mlir::Value value);
  /// The class of what is left of a shape when `axes` are reduced.
  ShapeClass getReducedClass(ShapeClass shape, uint64_t axes);

private:
  void addMap(loom::MapOp map);
  void addReduction(mlir::Operation *op, Reduction reduction);
  ShapeClass getMapClass(loom::MapOp map);
  ShapeClass intern(std::vector<int64_t> key);

  llvm::DenseMap<mlir::Operation *, RowCandidate> candidates;
  /// For a reduction that another one continues, that one.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> continued;
  std::map<std::vector<int64_t>, ShapeClass> numbers;
  std::vector<std::vector<int64_t>> keys;
  llvm::DenseMap<mlir::Value, ShapeClass> classes;
};

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_FUSE_REDUCTIONCANDIDATES_H
