//===- CountedLoop.h - loops of machine code that count ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MACHINE_COUNTEDLOOP_H
#define BROADLOOM_CODEGEN_MACHINE_COUNTEDLOOP_H

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

#include <optional>

namespace llvm {
class Loop;
} // namespace llvm

namespace broadloom::codegen {

/// The iterations that an innermost loop runs without a read of the flag
/// (Polls.h): few enough for milliseconds, and enough that the reads take no
/// time.
inline constexpr int64_t kChunk = int64_t(1) << 13;

/// A loop that counts: at the end of each iteration it goes on while a number
/// has the relation `predicate` to `bound`.
struct CountedLoop {
  llvm::BranchInst *branch;
  llvm::ICmpInst::Predicate predicate;
  llvm::PHINode *counter;
  llvm::Value *bound;
  /// What the counter grows by, and what the number that is compared has more
  /// than it.
  int64_t step, ahead;

  /// How the loop counts; nothing where it does not, where it need not come to
  /// its bound, or where a chunk is no number of the counter's type.
  static std::optional<CountedLoop> find(const llvm::Loop &loop);

  /// The limit of a chunk that begins with the counter `at`: the loop's own
  /// bound, or another number where more than kChunk iterations are left.
  llvm::Value *getLimit(llvm::IRBuilder<> &b, llvm::Value *at) const;

  /// Whether the loop's own bound is that limit, by one comparison: where it
  /// is false, the bound may still be. Null where one does not tell.
  llvm::Value *isNear(llvm::IRBuilder<> &b, llvm::Value *at) const;

  /// How far behind the limit a chunk ends that is not the last one.
  int64_t getOvershoot() const;

private:
  /// Whether the counter goes towards the bound, and a chunk is a number.
  bool isBounded() const;

  /// How far the bound is ahead of the first number that is compared with it.
  llvm::Value *getDistance(llvm::IRBuilder<> &b, llvm::Value *first) const;

  /// Whether the bound is so near to the end of the numbers that the counter
  /// may pass both at once; null where that cannot be.
  llvm::Value *mayWrap(llvm::IRBuilder<> &b) const;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINE_COUNTEDLOOP_H
