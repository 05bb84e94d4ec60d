//===- KeptPanels.cpp - weights that are laid out once --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/KeptPanels.h"

#include "runtime/memory/Allocator.h"

#include <new>
#include <tuple>

using namespace broadloom;

/// Precedes the panels in their block of memory.
struct alignas(kMemoryAlignment) KeptPanels::Entry {
  Key key;
  Entry *next;
  int64_t bytes;

  char *panels() { return reinterpret_cast<char *>(this + 1); }
  static Entry *of(char *panels) {
    return reinterpret_cast<Entry *>(panels) - 1;
  }
  static void release(Entry *entry) { freeMemory(entry, entry->bytes); }
};

bool KeptPanels::Key::operator==(const Key &other) const {
  auto all = [](const Key &key) {
    return std::tie(key.weight, key.elementBytes, key.taps, key.tapDepth,
                    key.channels, key.parts, key.stepStride, key.channelStride,
                    key.width, key.together, key.padding);
  };
  return all(*this) == all(other);
}

KeptPanels::~KeptPanels() {
  releaseAll(first);
  releaseAll(forgotten);
}

void KeptPanels::releaseAll(Entry *&list) noexcept {
  while (Entry *entry = list) {
    list = entry->next;
    Entry::release(entry);
  }
}

uint64_t KeptPanels::enter() noexcept {
  std::lock_guard<std::mutex> lock(mutex);
  ++readers;
  return now;
}

void KeptPanels::leave() noexcept {
  std::lock_guard<std::mutex> lock(mutex);
  if (--readers == 0)
    releaseAll(forgotten);
}

void KeptPanels::forget() noexcept {
  std::lock_guard<std::mutex> lock(mutex);
  ++now;
  while (Entry *entry = first) {
    first = entry->next;
    entry->next = forgotten;
    forgotten = entry;
  }
  if (readers == 0)
    releaseAll(forgotten);
}

KeptPanels::Entry *KeptPanels::search(const Key &key,
                                      uint64_t time) const noexcept {
  Entry *entry = time == now ? first : nullptr;
  while (entry && !(entry->key == key))
    entry = entry->next;
  return entry;
}

const char *KeptPanels::find(const Key &key, uint64_t time) noexcept {
  std::lock_guard<std::mutex> lock(mutex);
  Entry *entry = search(key, time);
  return entry ? entry->panels() : nullptr;
}

char *KeptPanels::make(int64_t bytes) noexcept {
  int64_t all;
  if (__builtin_add_overflow(bytes, int64_t(sizeof(Entry)), &all))
    return nullptr;
  void *memory = allocateMemory(all);
  return memory ? (new (memory) Entry{{}, nullptr, all})->panels() : nullptr;
}

void KeptPanels::discard(char *panels) noexcept {
  Entry::release(Entry::of(panels));
}

const char *KeptPanels::keep(const Key &key, char *panels,
                             uint64_t time) noexcept {
  std::lock_guard<std::mutex> lock(mutex);
  Entry *made = Entry::of(panels);
  if (Entry *entry = search(key, time)) {
    Entry::release(made);
    return entry->panels();
  }
  // A call that began before all was forgotten may have read old weights.
  Entry *&list = time == now ? first : forgotten;
  made->key = key;
  made->next = list;
  list = made;
  return panels;
}
