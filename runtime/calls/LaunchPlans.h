//===- LaunchPlans.h - plans that a call keeps ------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a launch has planned is used by its next one with the same extents: for
// small tensors a plan takes longer than the sums.
//
// Invariant: one block for each launch of the function, which is freed by
// clear(). One thread at a time; nothing throws.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CALLS_LAUNCHPLANS_H
#define BROADLOOM_RUNTIME_CALLS_LAUNCHPLANS_H

#include <cstdint>

namespace broadloom {

class LaunchPlans {
public:
  LaunchPlans() = default;
  LaunchPlans(const LaunchPlans &) = delete;
  LaunchPlans &operator=(const LaunchPlans &) = delete;
  ~LaunchPlans() { clear(); }

  /// The block of a launch, of `bytes` bytes: the one that it had the last
  /// time, if that had the same size, else a new one of zeros. `launch` is an
  /// address that no other launch has. Null if there is not enough memory.
  void *find(const void *launch, int64_t bytes) noexcept {
    if (capacity)
      if (Entry &entry = search(launch); entry.launch && entry.bytes == bytes)
        return entry.block;
    return make(launch, bytes);
  }

  /// Forgets all plans. To be called before another function runs, whose
  /// launches may be at the same addresses.
  void clear() noexcept;

private:
  struct Entry {
    const void *launch;
    void *block;
    int64_t bytes;
  };

  /// The entry of a launch, or an empty one.
  Entry &search(const void *launch) noexcept {
    uint64_t bits = reinterpret_cast<uintptr_t>(launch) / alignof(int32_t);
    for (uint64_t at = bits * 0x9E3779B97F4A7C15u >> 32;; ++at) {
      Entry &entry = table[at & uint64_t(capacity - 1)];
      if (!entry.launch || entry.launch == launch)
        return entry;
    }
  }
  void *make(const void *launch, int64_t bytes) noexcept;
  bool grow() noexcept;

  /// Open addressing; a power of two of slots, at most half of them taken.
  Entry *table = nullptr;
  int64_t capacity = 0;
  int64_t count = 0;
};

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CALLS_LAUNCHPLANS_H
