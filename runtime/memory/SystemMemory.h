//===- SystemMemory.h - how much memory the machine has ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memory of the system, including the limits of a container.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_MEMORY_SYSTEMMEMORY_H
#define BROADLOOM_RUNTIME_MEMORY_SYSTEMMEMORY_H

#include <cstdint>

namespace broadloom {

/// The memory limit of this process in bytes; a large number if the system has
/// none.
int64_t totalMemory() noexcept;

/// The bytes that are available without swapping; a large number if the system
/// does not tell. Takes some ten microseconds.
int64_t availableMemory() noexcept;

/// Whether a request is granted. Large ones are compared with the available
/// memory: the system would grant them and end the process later.
bool isAvailable(int64_t bytes) noexcept;

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_MEMORY_SYSTEMMEMORY_H
