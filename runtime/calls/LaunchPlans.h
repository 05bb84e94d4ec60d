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

#include "runtime/abi/Abi.h"

#include <cstdint>

namespace broadloom {

class LaunchPlans {
public:
  LaunchPlans() = default;
  LaunchPlans(const LaunchPlans &) = delete;
  LaunchPlans &operator=(const LaunchPlans &) = delete;
  ~LaunchPlans() { clear(); }

  /// A launch is told by its program and by the step that launches it, if there
  /// is one. Several steps may launch one program with other extents, and equal
  /// steps of two functions, which are one constant, launch two programs.
  struct Key {
    const BroadloomProgram *program;
    const void *step;

    bool operator==(const Key &other) const {
      return program == other.program && step == other.step;
    }
  };

  /// The block of a launch, of `bytes` bytes: the one that it had last time, if
  /// that had the same size, else a new one of zeros. Null if there is not
  /// enough memory.
  void *find(const Key &key, int64_t bytes) noexcept {
    if (capacity)
      if (Entry &entry = search(key); entry.block && entry.bytes == bytes)
        return entry.block;
    return make(key, bytes);
  }

  /// Forgets all plans. To be called before another function runs, whose
  /// launches may be at the same addresses.
  void clear() noexcept;

private:
  struct Entry {
    Key key;
    /// Null in an empty entry.
    void *block;
    int64_t bytes;
  };

  /// The entry of a launch, or an empty one.
  Entry &search(const Key &key) noexcept {
    uint64_t bits = reinterpret_cast<uintptr_t>(key.program) +
                    3 * reinterpret_cast<uintptr_t>(key.step);
    for (uint64_t at = bits * 0x9E3779B97F4A7C15u >> 32;; ++at) {
      Entry &entry = table[at & uint64_t(capacity - 1)];
      if (!entry.block || entry.key == key)
        return entry;
    }
  }
  void *make(const Key &key, int64_t bytes) noexcept;
  bool grow() noexcept;

  /// Open addressing; a power of two of slots, at most half of them taken.
  Entry *table = nullptr;
  int64_t capacity = 0;
  int64_t count = 0;
};

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CALLS_LAUNCHPLANS_H
