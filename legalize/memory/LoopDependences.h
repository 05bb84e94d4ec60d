//===- LoopDependences.h - loops whose order does not matter ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whether the iterations of a loop over memory may run in any order (eff-1): no
// two of them touch one element that one of them writes, but for sums and the
// like of integers, whose order changes nothing. The answer holds where
// different memrefs of the loop share no memory, different indices of a memref
// that is written are different elements, which its type may rule out, and
// symbols are within their limits: all this is for the caller to check. A copy
// may then be a loop over its elements.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_LOOPDEPENDENCES_H
#define BROADLOOM_LEGALIZE_MEMORY_LOOPDEPENDENCES_H

#include "legalize/memory/LoopAccesses.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace broadloom::legalize {

/// Most pairs of accesses that are compared for one loop, so that the time is
/// linear in the program; and for one that a schedule names.
constexpr size_t kMostQuestions = 128;
constexpr size_t kMostOfEdit = 4096;

class LoopDependences : public LoopAccesses {
public:
  /// `loop` is one that NestReader reads.
  LoopDependences(mlir::Operation *loop, const ExtentRoots &roots,
                  const CallEffects &effects,
                  size_t mostQuestions = kMostQuestions);

  mlir::Operation *getLoop() const { return loop; }

  /// A number that the iterations combine: one that the loop carries, or one in
  /// memory.
  struct Reduction {
    mlir::arith::AtomicRMWKind kind;
    mlir::Type type;
    /// The number of the loop's result, or else what loads and stores the
    /// number. These stand in each iteration, or cannot be outside.
    std::optional<unsigned> result;
    mlir::Operation *load = nullptr, *store = nullptr;
  };
  llvm::SmallVector<Reduction> reductions;

  /// Whether `because`, why the order may matter, is empty.
  bool areIndependent() const { return because.empty(); }
  std::optional<Conflict> conflict;
  /// How many loops are around the loop in iterations of a meeting.
  unsigned level = 0;

private:
  bool ask(mlir::Operation *front, unsigned depth);
  bool collect();
  bool findCarried();
  void findInMemory();
  bool isReduced(mlir::Value memory) const;
  const std::string &describeShared(mlir::Type type);
  bool compareAll();
  void compareCopies(mlir::Operation *front);
  bool compare(const Access &a, const Access &b);

  mlir::Operation *loop;
  size_t mostQuestions;
  llvm::DenseMap<mlir::Type, std::string> shared;
};

/// How `op` combines integers, if their order changes nothing.
std::optional<mlir::arith::AtomicRMWKind> getReductionKind(mlir::Operation *op);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_LOOPDEPENDENCES_H
