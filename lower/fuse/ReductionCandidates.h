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
// Shape classes only select what to fuse: the runtime checks the extents, so
// that fusing values with different extents is correct but slow. Invariant: two
// values of one class have one shape, as long as no operand is longer than the
// values with which it is combined.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_FUSE_REDUCTIONCANDIDATES_H
#define BROADLOOM_LOWER_FUSE_REDUCTIONCANDIDATES_H

#include "lower/Reduction.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include <map>

namespace broadloom::lower {

/// A map, or successive reductions of one kind: `axes` are then the axes of all
/// of them, as bits, and `reduction` is the kind.
struct RowCandidate {
  mlir::Operation *op = nullptr;
  std::optional<Reduction> reduction;
  uint64_t axes = 0;
  /// The inputs: the map's operands, or the operand of the first reduction.
  llvm::SmallVector<mlir::Value> inputs;
  /// The reductions, last first.
  llvm::SmallVector<mlir::Operation *> chain;
  int64_t rank = 0;
};

/// Whether the result lacks the reduced axis, so that its users have another
/// iteration space.
inline bool isArgMax(const RowCandidate &candidate) {
  return candidate.reduction &&
         candidate.reduction->kind == Reduction::Kind::ArgMax;
}

using ShapeClass = unsigned;

class ReductionCandidates {
public:
  /// Reads all operations of `block` once.
  explicit ReductionCandidates(mlir::Block &block);

  /// Null if `op` is not a candidate, or is part of a chain that ends later.
  const RowCandidate *find(mlir::Operation *op) const;
  /// The candidate whose chain contains `op`.
  mlir::Operation *getLast(mlir::Operation *op) const;

  ShapeClass getClass(mlir::Value value);
  /// The class of a shape after the reduction of `axes`.
  ShapeClass getReducedClass(ShapeClass shape, uint64_t axes);

private:
  void addMap(loom::MapOp map);
  void addReduction(mlir::Operation *op, Reduction reduction);
  ShapeClass getMapClass(loom::MapOp map);
  ShapeClass intern(std::vector<int64_t> key);

  llvm::DenseMap<mlir::Operation *, RowCandidate> candidates;
  /// For a reduction that another one continues, the other one.
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> continued;
  std::map<std::vector<int64_t>, ShapeClass> numbers;
  std::vector<std::vector<int64_t>> keys;
  llvm::DenseMap<mlir::Value, ShapeClass> classes;
};

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_FUSE_REDUCTIONCANDIDATES_H
