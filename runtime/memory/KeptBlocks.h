//===- KeptBlocks.h - small blocks that one owner keeps ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In front of the allocator, which all threads share and lock: a function of
// small tensors spends more time there than on some of its operations.
//
// Invariant: blocks that are kept are at most kMostBytes together, and count as
// in use for the allocator. One thread at a time; nothing throws.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_MEMORY_KEPTBLOCKS_H
#define BROADLOOM_RUNTIME_MEMORY_KEPTBLOCKS_H

#include "runtime/memory/Allocator.h"
#include "runtime/memory/SizeClass.h"

namespace broadloom {

class KeptBlocks {
public:
  KeptBlocks() = default;
  KeptBlocks(const KeptBlocks &) = delete;
  KeptBlocks &operator=(const KeptBlocks &) = delete;
  ~KeptBlocks() { giveBack(); }

  /// allocateMemory and freeMemory, of a block that is kept where there is one.
  void *allocate(int64_t bytes) noexcept {
#ifndef BROADLOOM_EXACT_BLOCKS
    if (uint64_t(bytes) <= kLargest) {
      SizeClass size = sizeClassOf(bytes);
      if (Block *block = lists[size.index]) {
        lists[size.index] = block->next;
        kept -= size.bytes;
        return block;
      }
    }
#endif
    return allocateNew(bytes);
  }
  void free(void *memory, int64_t bytes) noexcept {
#ifndef BROADLOOM_EXACT_BLOCKS
    if (uint64_t(bytes) <= kLargest) {
      SizeClass size = sizeClassOf(bytes);
      if (kept + size.bytes <= kMostBytes) {
        auto *block = static_cast<Block *>(memory);
        block->next = lists[size.index];
        lists[size.index] = block;
        kept += size.bytes;
        return;
      }
    }
#endif
    freeMemory(memory, bytes);
  }

  /// Frees what is kept.
  void giveBack() noexcept;

  static constexpr int64_t kMostBytes = int64_t(64) << 10;

private:
  /// The largest request whose block is kept, and the number of classes up to
  /// it.
  static constexpr uint64_t kLargest = uint64_t(16) << 10;
  static constexpr int32_t kClasses = 28;

  /// Lives in the block itself.
  struct Block {
    Block *next;
  };
  void *allocateNew(int64_t bytes) noexcept;

  Block *lists[kClasses] = {};
  int64_t kept = 0;
};

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_MEMORY_KEPTBLOCKS_H
