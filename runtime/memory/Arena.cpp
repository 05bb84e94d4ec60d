//===- Arena.cpp - memory that lives as long as one call ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/Arena.h"

#include <algorithm>

using namespace broadloom;

namespace {
constexpr int64_t kFirstChunk = int64_t(32) << 10;
constexpr int64_t kNextChunk = int64_t(256) << 10;
/// Requests from this size on get their own block, so that little of a chunk is
/// wasted.
constexpr int64_t kLarge = int64_t(64) << 10;
} // namespace

/// Head of a block; the memory handed out follows it.
struct alignas(kMemoryAlignment) Arena::Chunk {
  Chunk *previous;
  int64_t bytes;

  char *begin() { return reinterpret_cast<char *>(this + 1); }
  char *end() { return reinterpret_cast<char *>(this) + bytes; }
};

Arena::~Arena() {
  while (large)
    pop(large);
  while (chunks)
    pop(chunks);
}

void Arena::pop(Chunk *&list) noexcept {
  Chunk *chunk = list;
  list = chunk->previous;
  freeMemory(chunk, chunk->bytes);
}

void *Arena::allocateChunk(int64_t bytes) noexcept {
  constexpr int64_t kHead = sizeof(Chunk);
  if (bytes < 0 || bytes > (int64_t(1) << 62) - kHead)
    return nullptr;
  bool own = bytes >= kLarge;
  int64_t size = own      ? bytes + kHead
                 : chunks ? kNextChunk
                          : std::max(kFirstChunk, bytes + 2 * kHead);
  Chunk *chunk = static_cast<Chunk *>(allocateMemory(size));
  if (!chunk)
    return nullptr;
  chunk->bytes = size;
  Chunk *&list = own ? large : chunks;
  chunk->previous = list;
  list = chunk;
  if (own)
    return chunk->begin();
  next = chunk->begin();
  end = chunk->end();
  return allocate(bytes);
}

Arena::Mark Arena::mark() const noexcept {
  Mark mark;
  mark.chunk = chunks;
  mark.large = large;
  mark.next = next;
  return mark;
}

void Arena::rewind(const Mark &mark) noexcept {
  while (large != mark.large)
    pop(large);
  // The first chunk is kept, even if the mark is older.
  while (chunks != mark.chunk && chunks->previous)
    pop(chunks);
  next = !chunks ? nullptr : mark.chunk ? mark.next : chunks->begin();
  end = chunks ? chunks->end() : nullptr;
}

void Arena::reset() noexcept { rewind(Mark{}); }
