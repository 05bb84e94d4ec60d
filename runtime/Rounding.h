//===- Rounding.h - division that rounds up ---------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For counts and sizes, which are not negative and far from overflow.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_ROUNDING_H
#define BROADLOOM_RUNTIME_ROUNDING_H

#include <type_traits>

namespace broadloom {

/// The number of parts of `size` that `count` has; the last one may be smaller.
template <typename T>
constexpr T divideUp(T count, std::common_type_t<T> size) {
  return (count + size - 1) / size;
}

/// The least multiple of `multiple` from `count` on.
template <typename T>
constexpr T roundUp(T count, std::common_type_t<T> multiple) {
  return divideUp(count, multiple) * multiple;
}

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_ROUNDING_H
