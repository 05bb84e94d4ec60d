//===- Temporaries.cpp - buffers of a call that come and go ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/Temporaries.h"

#include <cstring>

using namespace broadloom;

static constexpr int64_t kFirstCapacity = 32;

Temporaries::~Temporaries() {
  freeAll();
  freeMemory(table, capacity * int64_t(sizeof(Buffer)));
}

/// Hashes the middle bits of addresses, which differ most.
int64_t Temporaries::homeOf(const void *data) const noexcept {
  uint64_t bits = reinterpret_cast<uintptr_t>(data) / kMemoryAlignment;
  return int64_t((bits * 0x9E3779B97F4A7C15u) >> 32) & (capacity - 1);
}

Temporaries::Buffer *Temporaries::find(const void *data) noexcept {
  if (count == 0 || !data)
    return nullptr;
  for (int64_t i = homeOf(data); table[i].data; i = (i + 1) & (capacity - 1))
    if (table[i].data == data)
      return &table[i];
  return nullptr;
}

void Temporaries::insert(const Buffer &buffer) noexcept {
  int64_t i = homeOf(buffer.data);
  while (table[i].data)
    i = (i + 1) & (capacity - 1);
  table[i] = buffer;
}

bool Temporaries::grow() noexcept {
  Buffer *old = table;
  int64_t oldCapacity = capacity;
  int64_t wanted = capacity ? 2 * capacity : kFirstCapacity;
  int64_t bytes = wanted * int64_t(sizeof(Buffer));
  auto *fresh = static_cast<Buffer *>(allocateMemory(bytes));
  if (!fresh)
    return false;
  memset(static_cast<void *>(fresh), 0, size_t(bytes));
  table = fresh;
  capacity = wanted;
  for (int64_t i = 0; i < oldCapacity; ++i)
    if (old[i].data)
      insert(old[i]);
  freeMemory(old, oldCapacity * int64_t(sizeof(Buffer)));
  return true;
}

void *Temporaries::allocate(int64_t bytes) noexcept {
  if (2 * (count + 1) > capacity && !grow())
    return nullptr;
  void *data = blocks.allocate(bytes);
  if (!data)
    return nullptr;
  insert(Buffer{data, bytes, 1});
  ++count;
  return data;
}

void Temporaries::retain(const void *data) noexcept {
  if (Buffer *buffer = find(data))
    ++buffer->references;
}

void Temporaries::release(const void *data) noexcept {
  Buffer *buffer = find(data);
  if (!buffer || --buffer->references > 0)
    return;
  blocks.free(buffer->data, buffer->bytes);
  erase(buffer);
}

bool Temporaries::isOwn(const void *data, int64_t bytes) noexcept {
  const Buffer *buffer = find(data);
  return buffer && buffer->references == 1 && buffer->bytes >= bytes;
}

/// Closes the gap, so that a probe from its home slot still finds every buffer.
void Temporaries::erase(Buffer *buffer) noexcept {
  int64_t gap = buffer - table;
  --count;
  for (int64_t i = (gap + 1) & (capacity - 1); table[i].data;
       i = (i + 1) & (capacity - 1)) {
    int64_t fromHome = (i - homeOf(table[i].data)) & (capacity - 1);
    if (fromHome >= ((i - gap) & (capacity - 1))) {
      table[gap] = table[i];
      gap = i;
    }
  }
  table[gap].data = nullptr;
}

void Temporaries::freeAll() noexcept {
  for (int64_t i = 0; count > 0 && i < capacity; ++i) {
    if (!table[i].data)
      continue;
    blocks.free(table[i].data, table[i].bytes);
    table[i].data = nullptr;
    --count;
  }
}
