//===- Allocator.cpp - caching allocator for tensor memory ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/Allocator.h"

#include "runtime/memory/LargePages.h"
#include "runtime/memory/SizeClass.h"
#include "runtime/memory/SystemMemory.h"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>

using namespace broadloom;

namespace {

constexpr int64_t kLargestRequest = int64_t(1) << 62;

/// A block in the cache; lives in the block itself.
struct FreeBlock {
  FreeBlock *next;
};

class Cache {
public:
  void *take(SizeClass size) noexcept {
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (!charge(size.bytes))
        return nullptr;
      if (FreeBlock *block = free[size.index]) {
        free[size.index] = block->next;
        cached -= size.bytes;
        return block;
      }
    }
    void *memory = get(size.bytes);
    if (!memory && memoryUse().cached > 0) {
      // The cached memory may be enough.
      trim();
      memory = get(size.bytes);
    }
    if (!memory)
      discharge(size.bytes);
    return memory;
  }

  void put(void *memory, SizeClass size) noexcept {
    BlockSource from;
    {
      std::lock_guard<std::mutex> lock(mutex);
      used -= size.bytes;
      from = source;
      if (cached + size.bytes <= bound) {
        FreeBlock *block = static_cast<FreeBlock *>(memory);
        block->next = free[size.index];
        free[size.index] = block;
        cached += size.bytes;
        return;
      }
    }
    give(from, memory, size.bytes);
  }

  void trim() noexcept {
    for (int32_t index = 0; index < kNumSizeClasses; ++index) {
      FreeBlock *list;
      BlockSource from;
      {
        std::lock_guard<std::mutex> lock(mutex);
        from = source;
        list = free[index];
        free[index] = nullptr;
        for (FreeBlock *block = list; block; block = block->next)
          cached -= bytesOfClass(index);
      }
      while (list) {
        FreeBlock *next = list->next;
        give(from, list, bytesOfClass(index));
        list = next;
      }
    }
  }

  MemoryUse use() noexcept {
    std::lock_guard<std::mutex> lock(mutex);
    return {used, cached, peak};
  }

  void restartPeak() noexcept {
    std::lock_guard<std::mutex> lock(mutex);
    peak = used;
  }

  int64_t setLimit(int64_t bytes) noexcept {
    std::lock_guard<std::mutex> lock(mutex);
    return std::exchange(limit, bytes);
  }

  /// See setBlockSource. The source does not change while blocks are in use, so
  /// that it is read without the lock after a block is charged.
  bool setSource(const BlockSource &newSource) noexcept {
    for (;;) {
      trim();
      std::lock_guard<std::mutex> lock(mutex);
      if (used != 0)
        return false;
      // Another thread may have cached a block in the meantime.
      if (cached != 0)
        continue;
      source = newSource;
      return true;
    }
  }

  /// A block of exactly `bytes` bytes that is never cached, so that the address
  /// sanitizer detects every access outside of it and after it is freed.
  [[maybe_unused]] void *takeExact(int64_t bytes) noexcept {
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (!charge(bytes))
        return nullptr;
    }
    void *memory = nullptr;
    if (source.allocate)
      memory = get(std::max<int64_t>(bytes, 1));
    else if (isAvailable(bytes) &&
             posix_memalign(&memory, kMemoryAlignment,
                            size_t(std::max<int64_t>(bytes, 1))) != 0)
      memory = nullptr;
    if (!memory)
      discharge(bytes);
    return memory;
  }

  [[maybe_unused]] void putExact(void *memory, int64_t bytes) noexcept {
    if (source.allocate)
      give(source, memory, std::max<int64_t>(bytes, 1));
    else
      ::free(memory);
    discharge(bytes);
  }

private:
  void *get(int64_t bytes) noexcept {
    if (source.allocate)
      return source.allocate(source.context, size_t(bytes),
                             size_t(kMemoryAlignment));
    return isAvailable(bytes) ? obtainMemory(bytes) : nullptr;
  }
  static void give(const BlockSource &from, void *memory,
                   int64_t bytes) noexcept {
    if (from.allocate)
      from.release(from.context, memory, size_t(bytes));
    else
      returnMemory(memory, bytes);
  }

  /// Counts a block as used unless the limit is exceeded; takes the lock.
  bool charge(int64_t bytes) noexcept {
    if (bytes > limit - used)
      return false;
    used += bytes;
    peak = std::max(peak, used);
    return true;
  }
  void discharge(int64_t bytes) noexcept {
    std::lock_guard<std::mutex> lock(mutex);
    used -= bytes;
  }

  std::mutex mutex;
  FreeBlock *free[kNumSizeClasses] = {};
  int64_t used = 0;
  int64_t cached = 0;
  int64_t peak = 0;
  int64_t limit = INT64_MAX;
  BlockSource source = {};
  /// The limit of the cache: an eighth of the machine's memory, at least 64
  /// MiB.
  const int64_t bound = std::max<int64_t>(totalMemory() / 8, int64_t(64) << 20);
};

/// Never destroyed: tensors may be released while the process ends.
Cache &cache() {
  alignas(Cache) static char memory[sizeof(Cache)];
  static Cache *instance = new (memory) Cache;
  return *instance;
}

} // namespace

void *broadloom::allocateMemory(int64_t bytes) noexcept {
  if (bytes < 0 || bytes > kLargestRequest)
    return nullptr;
#ifdef BROADLOOM_EXACT_BLOCKS
  return cache().takeExact(bytes);
#else
  return cache().take(sizeClassOf(bytes));
#endif
}

void broadloom::freeMemory(void *memory, int64_t bytes) noexcept {
  if (!memory)
    return;
#ifdef BROADLOOM_EXACT_BLOCKS
  cache().putExact(memory, bytes);
#else
  cache().put(memory, sizeClassOf(bytes));
#endif
}

MemoryUse broadloom::memoryUse() noexcept { return cache().use(); }

void broadloom::restartPeak() noexcept { cache().restartPeak(); }

int64_t broadloom::setMemoryLimit(int64_t bytes) noexcept {
  return cache().setLimit(bytes);
}

bool broadloom::setBlockSource(const BlockSource &source) noexcept {
  return cache().setSource(source);
}

extern "C" void broadloomTrim(void) { cache().trim(); }
