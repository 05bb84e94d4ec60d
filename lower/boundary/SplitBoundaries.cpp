//===- SplitBoundaries.cpp - boundaries that no tensor is made of ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses the boundaries of which no tensor is made: all that read them are
// maps of slices, and the parts at their ends are thin.
//
//===----------------------------------------------------------------------===//

#include "lower/Passes.h"
#include "lower/boundary/Boundary.h"
#include "lower/boundary/SplitMap.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

namespace broadloom::lower {
#define GEN_PASS_DEF_LOOMSPLITBOUNDARIES
#include "lower/Passes.h.inc"
} // namespace broadloom::lower

using namespace mlir;
using namespace broadloom;
using namespace broadloom::lower;

/// Parts of results with fewer elements cost more than the widened tensor.
static constexpr int64_t kLeastElements = 1 << 17;
/// A wider padding is no thin edge.
static constexpr int64_t kMostPadding = 64;
/// A boundary with more readers is made.
static constexpr unsigned kMostReaders = 256;

static bool isSmall(RankedTensorType type) {
  return type.hasStaticShape() && type.getNumElements() < kLeastElements;
}

/// Whether the map can be computed in parts of its result.
static bool canBeSplit(loom::MapOp map) {
  auto isRanked = [](Type type) {
    return isa<RankedTensorType>(type) || !isa<ShapedType>(type);
  };
  return llvm::all_of(map.getOperandTypes(), isRanked) &&
         llvm::all_of(map.getResultTypes(), [](Type type) {
           auto ranked = dyn_cast<RankedTensorType>(type);
           return ranked && !isSmall(ranked);
         });
}

/// Whether all that read `value`, a boundary or a part of one, are maps that
/// can be split.
static bool isReadByMaps(Value value, unsigned &readers) {
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (++readers > kMostReaders)
      return false;
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user)) {
      if (!isPlain(slice) || !isReadByMaps(slice.getResult(), readers))
        return false;
    } else if (auto cast = dyn_cast<tensor::CastOp>(user)) {
      if (!isa<RankedTensorType>(cast.getType()) ||
          !isReadByMaps(cast.getResult(), readers))
        return false;
    } else if (auto map = dyn_cast<loom::MapOp>(user)) {
      if (!canBeSplit(map) || !hasAllExtents(map, use.getOperandNumber()))
        return false;
    } else {
      return false;
    }
  }
  return true;
}

static bool isThin(const Boundary &boundary) {
  return llvm::all_of(
      llvm::concat<const OpFoldResult>(boundary.low, boundary.high),
      [](OpFoldResult more) {
        std::optional<int64_t> count = getConstantIntValue(more);
        return count && *count >= 0 && *count <= kMostPadding;
      });
}

namespace {

struct LoomSplitBoundariesPass
    : lower::impl::LoomSplitBoundariesBase<LoomSplitBoundariesPass> {
  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation()->walk([&](Operation *op) {
      if (isa<loom::BoundaryOp, tensor::PadOp>(op))
        found.push_back(op);
    });
    SmallVector<Operation *> chosen;
    llvm::SetVector<Operation *> maps;
    for (Operation *op : found) {
      std::optional<Boundary> boundary = getBoundary(op->getResult(0));
      if (!boundary || !isThin(*boundary))
        continue;
      resolveExtents(*boundary);
      unsigned readers = 0;
      if (!isReadByMaps(op->getResult(0), readers))
        continue;
      chosen.push_back(op);
      collectMaps(op->getResult(0), maps);
    }
    llvm::DenseSet<Operation *> boundaries(chosen.begin(), chosen.end());
    for (Operation *map : maps)
      splitMap(cast<loom::MapOp>(map), boundaries);
    for (Operation *boundary : chosen)
      eraseUnread(boundary);
  }

private:
  static void collectMaps(Value value, llvm::SetVector<Operation *> &maps) {
    for (Operation *user : value.getUsers())
      if (isa<loom::MapOp>(user))
        maps.insert(user);
      else
        collectMaps(user->getResult(0), maps);
  }

  /// Erases views that nothing reads any more, and the boundary.
  static void eraseUnread(Operation *boundary) {
    eraseViews(boundary);
    resolveExtents(*getBoundary(boundary->getResult(0)));
    if (boundary->use_empty())
      boundary->erase();
  }

  static void eraseViews(Operation *source) {
    llvm::SetVector<Operation *> views;
    for (Operation *user : source->getUsers())
      if (isa<tensor::CastOp, tensor::ExtractSliceOp>(user))
        views.insert(user);
    for (Operation *view : views) {
      eraseViews(view);
      if (view->use_empty())
        view->erase();
    }
  }
};

} // namespace
