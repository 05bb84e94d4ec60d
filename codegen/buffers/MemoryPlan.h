//===- MemoryPlan.h - where values are while they live ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Offsets in one piece of memory for values that come and go, such that those
// that live at the same time do not overlap. The least size is NP-hard to find
// (dynamic storage allocation). Values are placed one after another in the
// lowest of the smallest gaps that hold them, in several orders, of which the
// best counts. Many values are placed in the order of the program.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_BUFFERS_MEMORYPLAN_H
#define BROADLOOM_CODEGEN_BUFFERS_MEMORYPLAN_H

#include <cstdint>
#include <vector>

namespace broadloom::codegen {

/// A value of `bytes` bytes, a positive number, that lives from `begin` to
/// `end`, both included.
struct LiveRange {
  int64_t begin, end, bytes;
};

struct MemoryPlan {
  /// Offsets are multiples of this: a cache line, and the longest vector.
  static constexpr int64_t kAlignment = 64;

  /// Of each value, in bytes.
  std::vector<int64_t> offsets;
  int64_t size = 0;
  /// What no plan can go below: the most bytes that live at the same time.
  int64_t leastSize = 0;
};

/// The same plan for the same ranges. These are in the order of their
/// beginnings. All sizes together must fit 48 bits.
MemoryPlan planMemory(std::vector<LiveRange> ranges);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_BUFFERS_MEMORYPLAN_H
