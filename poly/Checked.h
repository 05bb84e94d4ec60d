//===- Checked.h - integer arithmetic that reports overflow -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums and products of 64 and 128 bits, which say whether they are exact, and
// division that rounds down.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_POLY_CHECKED_H
#define BROADLOOM_POLY_CHECKED_H

#include <cstdint>
#include <limits>

namespace broadloom::poly {

using Wide = __int128;

constexpr Wide kWideMax = Wide(~static_cast<unsigned __int128>(0) >> 1);

/// sum += a * b, or false.
inline bool addProduct(int64_t a, int64_t b, int64_t &sum) {
  int64_t product;
  return !__builtin_mul_overflow(a, b, &product) &&
         !__builtin_add_overflow(sum, product, &sum);
}

inline bool fitsWord(Wide value) {
  return value >= std::numeric_limits<int64_t>::min() &&
         value <= std::numeric_limits<int64_t>::max();
}

/// a * b, or false. Compilers call a function for this that not every runtime
/// library has.
inline bool multiply(Wide a, Wide b, Wide &product) {
  if (fitsWord(a) && fitsWord(b)) {
    product = a * b;
    return true;
  }
  Wide size = b < 0 ? -b : b;
  if (size > 1 && (a > kWideMax / size || a < -kWideMax / size))
    return false;
  product = a * b;
  return true;
}

inline bool addProduct(Wide a, Wide b, Wide &sum) {
  Wide product;
  return multiply(a, b, product) && !__builtin_add_overflow(sum, product, &sum);
}

/// a / b, rounded down; b is positive.
template <typename Integer> Integer floorDivide(Integer a, Integer b) {
  Integer quotient = a / b;
  return a % b < 0 ? quotient - 1 : quotient;
}

} // namespace broadloom::poly

#endif // BROADLOOM_POLY_CHECKED_H
