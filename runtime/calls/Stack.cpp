//===- Stack.cpp - what is left of a thread's stack -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/Stack.h"

#include <algorithm>
#include <cstdint>
#include <pthread.h>

namespace {

/// Addresses: the stack grows down from `end`, and is short below `reserve`.
struct Bounds {
  uintptr_t begin = 0, reserve = 0, end = 0;
};

Bounds findBounds() noexcept {
  Bounds bounds;
#ifdef __linux__
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0)
    return bounds;
  void *begin = nullptr;
  size_t size = 0;
  if (pthread_attr_getstack(&attributes, &begin, &size) == 0) {
    bounds.begin = reinterpret_cast<uintptr_t>(begin);
    bounds.end = bounds.begin + size;
    bounds.reserve = bounds.begin + std::min<size_t>(size / 4, 1 << 20);
  }
  pthread_attr_destroy(&attributes);
#endif
  return bounds;
}

} // namespace

bool broadloom::hasStackLeft() noexcept {
  // Cached, because the system call takes microseconds.
  thread_local const Bounds bounds = findBounds();
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  return here < bounds.begin || here >= bounds.end || here >= bounds.reserve;
}
