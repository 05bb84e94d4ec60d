//===- BlockOrder.h - moving operations of a block to the front -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of the operations of a block, which stays known while some move
// ahead. MLIR numbers all operations of a block again after each move.
//
// Invariant: an operation moves with everything that it needs, so that values
// are computed before they are used.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_BUFFERS_BLOCKORDER_H
#define BROADLOOM_CODEGEN_BUFFERS_BLOCKORDER_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace broadloom::codegen {

class BlockOrder {
public:
  explicit BlockOrder(mlir::Block &block);
  BlockOrder(const BlockOrder &) = delete;
  BlockOrder &operator=(const BlockOrder &) = delete;
  ~BlockOrder();

  /// Whether `a` is before `b`; both are in the block.
  bool isBefore(mlir::Operation *a, mlir::Operation *b) const {
    return places.at(a) < places.at(b);
  }

  /// Moves `ops`, and what they need, ahead of `target` where they are not.
  /// False, and nothing is moved, if one of them cannot, or if there are very
  /// many.
  bool moveAhead(mlir::ArrayRef<mlir::Operation *> ops,
                 mlir::Operation *target);

private:
  /// An operation that has not moved is at its number. Those that moved ahead
  /// of the operation with that number have negative ranks.
  struct Place {
    int64_t number;
    int64_t rank;
    bool operator<(const Place &other) const {
      return number != other.number ? number < other.number : rank < other.rank;
    }
  };
  /// The operations that moved ahead of one with a number of its own.
  struct Group {
    /// Stands ahead of them, and is erased in the end.
    mlir::Operation *marker = nullptr;
    int64_t lowest = 0;
  };

  bool collect(mlir::Operation *op, mlir::Operation *target, size_t depth,
               mlir::SmallVectorImpl<mlir::Operation *> &moved) const;

  mlir::Block &block;
  llvm::DenseMap<mlir::Operation *, Place> places;
  /// The least number that an operation can move ahead of, which is one more
  /// than that of the last one that it needs and that cannot move.
  llvm::DenseMap<mlir::Operation *, int64_t> bounds;
  llvm::DenseMap<int64_t, Group> groups;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_BUFFERS_BLOCKORDER_H
