//===- Temporaries.h - buffers of a call that come and go -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tensors of a call that are neither its arguments nor its results, each
// with a count of references.
//
// Invariant: a buffer is freed with its last reference, and remaining buffers
// by freeAll(). Small ones are kept for the next call (KeptBlocks.h). Addresses
// of other memory are recognised and ignored. One thread at a time; nothing
// throws.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_MEMORY_TEMPORARIES_H
#define BROADLOOM_RUNTIME_MEMORY_TEMPORARIES_H

#include "runtime/memory/KeptBlocks.h"

namespace broadloom {

class Temporaries {
public:
  Temporaries() = default;
  Temporaries(const Temporaries &) = delete;
  Temporaries &operator=(const Temporaries &) = delete;
  ~Temporaries();

  /// A buffer with one reference; null if there is not enough memory.
  void *allocate(int64_t bytes) noexcept;

  /// Adds or removes a reference to the buffer at `data`, if there is one.
  void retain(const void *data) noexcept;
  void release(const void *data) noexcept;
  /// Whether there is a buffer of at least `bytes` bytes at `data` with a
  /// single reference, so that its owner is the only reader.
  bool isOwn(const void *data, int64_t bytes) noexcept;

  void freeAll() noexcept;

private:
  struct Buffer {
    void *data;
    int64_t bytes;
    int64_t references;
  };

  Buffer *find(const void *data) noexcept;
  bool grow() noexcept;
  int64_t homeOf(const void *data) const noexcept;
  void insert(const Buffer &buffer) noexcept;
  void erase(Buffer *buffer) noexcept;

  /// Open addressing; a power of two of slots, at most half of them taken.
  Buffer *table = nullptr;
  int64_t capacity = 0;
  int64_t count = 0;
  KeptBlocks blocks;
};

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_MEMORY_TEMPORARIES_H
