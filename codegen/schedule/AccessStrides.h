//===- AccessStrides.h - how loops go through memory ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a schedule is chosen by: whether an access stays at one element, goes to
// the next one, or somewhere else, from one iteration of a loop to the next.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_SCHEDULE_ACCESSSTRIDES_H
#define BROADLOOM_CODEGEN_SCHEDULE_ACCESSSTRIDES_H

#include "codegen/schedule/LoopOrder.h"

namespace broadloom::codegen {

class AccessStrides {
public:
  /// Of the accesses that `order` has read in the innermost of `band`, loops
  /// that stand in each other.
  AccessStrides(const LoopOrder &order, llvm::ArrayRef<mlir::scf::ForOp> band);

  enum class Stride { Same, Next, Other };
  Stride get(size_t access, size_t loop) const { return strides[access][loop]; }
  size_t getNumAccesses() const { return strides.size(); }

  /// About how long an iteration takes with the loop as the innermost one, in
  /// accesses to elements that follow one another.
  int64_t getCost(size_t loop) const;
  /// The loop of the least cost; the innermost one where others have the same.
  size_t getBestInnermost() const;
  /// Whether iterations of other loops use elements again.
  bool hasReuse() const;
  bool isStrided(size_t loop) const;
  /// Whether an element that the innermost loop goes to is the same in all
  /// iterations of `loop`.
  bool isSharedBy(size_t loop, size_t innermost) const;
  /// Whether that is so of one that is stored, and the innermost loop goes from
  /// one element to the next everywhere.
  bool updatesAgain(size_t loop, size_t innermost) const;

private:
  llvm::SmallVector<llvm::SmallVector<Stride>> strides;
  llvm::SmallVector<bool> isWrite;
  size_t numLoops;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_SCHEDULE_ACCESSSTRIDES_H
