//===- LargePages.cpp - memory in large pages -----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/LargePages.h"

#include "runtime/Rounding.h"
#include "runtime/memory/Allocator.h"

#include <cstdlib>
#include <sys/mman.h>

using namespace broadloom;

static constexpr int64_t kHugePage = int64_t(2) << 20;
/// Blocks from this size on are mapped separately, with huge pages.
static constexpr int64_t kMapFrom = kHugePage;
/// A multiple of the size of pages, whatever that is.
static constexpr int64_t kPage = int64_t(64) << 10;

void *broadloom::obtainMemory(int64_t bytes) noexcept {
  if (bytes < kMapFrom) {
    void *memory = nullptr;
    return posix_memalign(&memory, kMemoryAlignment, size_t(bytes)) ? nullptr
                                                                    : memory;
  }
  bytes = roundUp(bytes, kPage);
  // Maps one more huge page, and unmaps the parts before the first boundary and
  // after the block.
  int64_t mapped = bytes + kHugePage;
  void *start = mmap(nullptr, size_t(mapped), PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (start == MAP_FAILED)
    return nullptr;
  uintptr_t first = reinterpret_cast<uintptr_t>(start);
  uintptr_t aligned = roundUp(first, uintptr_t(kHugePage));
  int64_t before = int64_t(aligned - first);
  int64_t behind = mapped - before - bytes;
  if (before)
    munmap(start, size_t(before));
  if (behind)
    munmap(reinterpret_cast<void *>(aligned + uintptr_t(bytes)),
           size_t(behind));
  void *memory = reinterpret_cast<void *>(aligned);
  // Only a hint: without huge pages the memory is slower.
  (void)madvise(memory, size_t(bytes), MADV_HUGEPAGE);
  return memory;
}

void broadloom::returnMemory(void *memory, int64_t bytes) noexcept {
  if (bytes < kMapFrom)
    free(memory);
  else
    munmap(memory, size_t(roundUp(bytes, kPage)));
}
