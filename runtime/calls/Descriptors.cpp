//===- Descriptors.cpp - descriptors that a call keeps --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/Descriptors.h"

#include "runtime/calls/Descriptor.h"

#include <algorithm>
#include <cstring>
#include <utility>

using namespace broadloom;

static constexpr int64_t kFirstCapacity = 16;

static uint64_t hash(const BroadloomView &view) {
  uint64_t result = uint64_t(view.rank);
  auto add = [&](uint64_t word) {
    result = (result ^ word) * 0x9E3779B97F4A7C15u;
    result ^= result >> 32;
  };
  const char *bytes = static_cast<const char *>(view.descriptor);
  for (int64_t at = 0; at < descriptorBytes(view.rank); at += 8) {
    uint64_t word;
    std::memcpy(&word, bytes + at, sizeof(word));
    add(word);
  }
  return result;
}

BroadloomView &Descriptors::find(const BroadloomView &view) noexcept {
  for (uint64_t at = hash(view);; ++at) {
    BroadloomView &entry = entries[at & uint64_t(capacity - 1)];
    if (!entry.descriptor ||
        (entry.rank == view.rank &&
         std::memcmp(entry.descriptor, view.descriptor,
                     size_t(descriptorBytes(view.rank))) == 0))
      return entry;
  }
}

bool Descriptors::grow() noexcept {
  int64_t size = capacity ? 2 * capacity : kFirstCapacity;
  auto *table = memory.array<BroadloomView>(size);
  if (!table)
    return false;
  std::fill(table, table + size, BroadloomView{0, nullptr});
  BroadloomView *old = std::exchange(entries, table);
  int64_t oldCapacity = std::exchange(capacity, size);
  for (int64_t i = 0; i < oldCapacity; ++i)
    if (old[i].descriptor)
      find(old[i]) = old[i];
  return true;
}

bool Descriptors::keep(BroadloomView &view) noexcept {
  // The table is at most half full, so that a search takes few steps.
  if (2 * count >= capacity && !grow())
    return false;
  BroadloomView &entry = find(view);
  if (!entry.descriptor) {
    int64_t bytes = descriptorBytes(view.rank);
    void *kept = memory.allocate(bytes);
    if (!kept)
      return false;
    std::memcpy(kept, view.descriptor, size_t(bytes));
    entry = BroadloomView{view.rank, kept};
    ++count;
  }
  view.descriptor = entry.descriptor;
  return true;
}

void Descriptors::reset() noexcept {
  entries = nullptr;
  capacity = count = 0;
  memory.reset();
}
