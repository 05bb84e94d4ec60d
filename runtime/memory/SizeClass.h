//===- SizeClass.h - the sizes of blocks of memory --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Requests are rounded up to size classes, so that a freed block serves the
// next request of its class.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_MEMORY_SIZECLASS_H
#define BROADLOOM_RUNTIME_MEMORY_SIZECLASS_H

#include "runtime/Rounding.h"

#include <cstdint>

/// Defined with the address sanitizer: every block has exactly the bytes of its
/// request and is given back to the system at once, so that each access outside
/// of it is detected.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BROADLOOM_EXACT_BLOCKS 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define BROADLOOM_EXACT_BLOCKS 1
#endif

namespace broadloom {

/// Size classes: multiples of 64 bytes up to 256, then four per doubling.
struct SizeClass {
  int32_t index;
  int64_t bytes;
};

/// The class of a request of at most 2^62 bytes; 0 bytes have the first one.
inline SizeClass sizeClassOf(int64_t bytes) noexcept {
  if (bytes <= 256) {
    int64_t units = bytes > 64 ? divideUp(bytes, 64) : 1;
    return {int32_t(units - 1), units * 64};
  }
  // With 2^log < bytes <= 2^(log+1), round up to a multiple of 2^(log-2).
  int log = 63 - __builtin_clzll(uint64_t(bytes - 1));
  int64_t step = int64_t(1) << (log - 2);
  int64_t quarters = divideUp(bytes, step); // 5 to 8
  return {int32_t((log - 8) * 4 + (quarters - 5) + 4), quarters * step};
}

inline int64_t bytesOfClass(int32_t index) noexcept {
  if (index < 4)
    return (index + 1) * 64;
  int log = (index - 4) / 4 + 8;
  return int64_t((index - 4) % 4 + 5) << (log - 2);
}

/// The number of classes of requests of at most 2^62 bytes.
constexpr int32_t kNumSizeClasses = (62 - 8) * 4 + 8;

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_MEMORY_SIZECLASS_H
