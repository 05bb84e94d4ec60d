//===- FloatFormat.cpp - the bits of small floating-point types -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/io/FloatFormat.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace broadloom::io;

namespace {
/// The bit layout of a type: sign, exponent, fraction.
struct Layout {
  int exponentBits;
  int fractionBits;
  /// Exponent of the smallest normal value, a power of two.
  int minExponent;
  /// Bits of the largest finite value.
  uint64_t largest;
  bool infinity;

  uint64_t sign() const { return 1ull << (exponentBits + fractionBits); }
};
} // namespace

static constexpr Layout ieee(int exponentBits, int fractionBits) {
  return {exponentBits, fractionBits, 2 - (1 << (exponentBits - 1)),
          (((1ull << exponentBits) - 1) << fractionBits) - 1, true};
}

static Layout layoutOf(BroadloomElementType type) {
  switch (type) {
  case BROADLOOM_F8E4M3FN:
    // All exponents are finite; only the last pattern is NaN.
    return {4, 3, -6, 0x7e, false};
  case BROADLOOM_F8E5M2:
    return ieee(5, 2);
  case BROADLOOM_F16:
    return ieee(5, 10);
  case BROADLOOM_BF16:
    return ieee(8, 7);
  case BROADLOOM_F32:
    return ieee(8, 23);
  default:
    return ieee(11, 52);
  }
}

bool broadloom::io::isFloatType(BroadloomElementType type) {
  switch (type) {
  case BROADLOOM_F8E4M3FN:
  case BROADLOOM_F8E5M2:
  case BROADLOOM_F16:
  case BROADLOOM_BF16:
  case BROADLOOM_F32:
  case BROADLOOM_F64:
    return true;
  default:
    return false;
  }
}

bool broadloom::io::hasInfinity(BroadloomElementType type) {
  return layoutOf(type).infinity;
}

double broadloom::io::largestFinite(BroadloomElementType type) {
  return floatFromBits(type, layoutOf(type).largest);
}

double broadloom::io::floatFromBits(BroadloomElementType type, uint64_t bits) {
  Layout layout = layoutOf(type);
  double sign = bits & layout.sign() ? -1.0 : 1.0;
  uint64_t magnitude = bits & (layout.sign() - 1);
  if (magnitude > layout.largest)
    return std::copysign(layout.infinity && magnitude == layout.largest + 1
                             ? HUGE_VAL
                             : std::nan(""),
                         sign);
  uint64_t fraction = magnitude & ((1ull << layout.fractionBits) - 1);
  int exponent = static_cast<int>(magnitude >> layout.fractionBits);
  if (exponent > 0)
    fraction |= 1ull << layout.fractionBits;
  int scale = layout.minExponent - layout.fractionBits +
              (exponent > 0 ? exponent - 1 : 0);
  return sign * std::ldexp(static_cast<double>(fraction), scale);
}

uint64_t broadloom::io::floatToBits(BroadloomElementType type, double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  if (type == BROADLOOM_F64)
    return bits;
  Layout layout = layoutOf(type);
  uint64_t sign = std::signbit(value) ? layout.sign() : 0;
  uint64_t infinity = layout.largest + 1;
  if (std::isnan(value))
    return sign |
           (layout.infinity ? infinity | 1ull << (layout.fractionBits - 1)
                            : infinity);
  if (std::isinf(value))
    return sign | infinity;
  if (value == 0)
    return sign;

  // value = mantissa * 2^exponent, rounded to a multiple of the distance
  // between the target's values around it, 2^quantum.
  int exponent;
  uint64_t mantissa = static_cast<uint64_t>(
      std::ldexp(std::frexp(std::fabs(value), &exponent), 53));
  exponent -= 53;
  int binade = std::max(exponent + 52, layout.minExponent);
  int quantum = binade - layout.fractionBits;
  int shift = quantum - exponent; // at least 29: no target has 25 bits
  uint64_t rounded = 0;
  if (shift < 64) {
    rounded = mantissa >> shift;
    uint64_t rest = mantissa & ((1ull << shift) - 1);
    uint64_t half = 1ull << (shift - 1);
    if (rest > half || (rest == half && (rounded & 1)))
      ++rounded;
  }
  // The leading bit of `rounded` adds the 1 by which the exponent field of a
  // normal value exceeds that of a subnormal one, and a carry adds the next.
  uint64_t magnitude = (static_cast<uint64_t>(binade - layout.minExponent)
                        << layout.fractionBits) +
                       rounded;
  return sign | (magnitude > layout.largest ? infinity : magnitude);
}
