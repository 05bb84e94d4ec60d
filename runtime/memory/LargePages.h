//===- LargePages.h - memory in large pages ---------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory of the system. Large blocks are mapped with large pages: to make 512
// small pages takes several times what it takes to fill them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_MEMORY_LARGEPAGES_H
#define BROADLOOM_RUNTIME_MEMORY_LARGEPAGES_H

#include <cstdint>

namespace broadloom {

/// Uninitialised memory of `bytes` bytes, aligned to kMemoryAlignment; null if
/// the system refuses it. Whether it is available (SystemMemory.h) is up to the
/// caller.
void *obtainMemory(int64_t bytes) noexcept;

/// Gives back what obtainMemory(bytes) gave.
void returnMemory(void *memory, int64_t bytes) noexcept;

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_MEMORY_LARGEPAGES_H
