//===- Tables.h - memory for one function of the runtime --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory that is needed until a function returns. For most programs it is
// inside the object, so that it does not occupy the call's arena.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CALLS_TABLES_H
#define BROADLOOM_RUNTIME_CALLS_TABLES_H

#include "runtime/memory/Allocator.h"

namespace broadloom {

class Tables {
public:
  Tables() = default;
  Tables(const Tables &) = delete;
  Tables &operator=(const Tables &) = delete;
  ~Tables() {
    if (memory)
      freeMemory(memory, memoryBytes);
  }

  /// Called once; null if there is no memory.
  char *allocate(int64_t bytes) noexcept {
    if (bytes <= int64_t(sizeof(local)))
      return local;
    memory = allocateMemory(bytes);
    memoryBytes = bytes;
    return static_cast<char *>(memory);
  }

private:
  void *memory = nullptr;
  int64_t memoryBytes = 0;
  alignas(kMemoryAlignment) char local[2048];
};

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CALLS_TABLES_H
