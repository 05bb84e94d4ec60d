//===- LaunchPlans.cpp - plans that a call keeps --------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/LaunchPlans.h"

#include "runtime/memory/Allocator.h"

#include <cstring>
#include <utility>

using namespace broadloom;

static constexpr int64_t kFirstCapacity = 16;

static void *allocateZeros(int64_t bytes) {
  void *block = allocateMemory(bytes);
  return block ? memset(block, 0, size_t(bytes)) : nullptr;
}

bool LaunchPlans::grow() noexcept {
  int64_t wanted = capacity ? 2 * capacity : kFirstCapacity;
  auto *fresh =
      static_cast<Entry *>(allocateZeros(wanted * int64_t(sizeof(Entry))));
  if (!fresh)
    return false;
  Entry *old = std::exchange(table, fresh);
  int64_t oldCapacity = std::exchange(capacity, wanted);
  for (int64_t i = 0; i < oldCapacity; ++i)
    if (old[i].block)
      search(old[i].key) = old[i];
  freeMemory(old, oldCapacity * int64_t(sizeof(Entry)));
  return true;
}

void *LaunchPlans::make(const Key &key, int64_t bytes) noexcept {
  if (2 * (count + 1) > capacity && !grow())
    return nullptr;
  void *block = allocateZeros(bytes);
  if (!block)
    return nullptr;
  Entry &entry = search(key);
  if (entry.block)
    freeMemory(entry.block, entry.bytes);
  else
    ++count;
  entry = Entry{key, block, bytes};
  return block;
}

void LaunchPlans::clear() noexcept {
  for (int64_t i = 0; i < capacity; ++i)
    if (table[i].block)
      freeMemory(table[i].block, table[i].bytes);
  freeMemory(table, capacity * int64_t(sizeof(Entry)));
  table = nullptr;
  capacity = count = 0;
}
