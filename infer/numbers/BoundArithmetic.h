//===- BoundArithmetic.h - arithmetic on bounds of integers -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums, products and quotients of bounds, and integers that must not wrap.
//
// Invariant: nothing here wraps; a bound that does not fit becomes "no bound".
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_NUMBERS_BOUNDARITHMETIC_H
#define BROADLOOM_INFER_NUMBERS_BOUNDARITHMETIC_H

#include "infer/numbers/Number.h"

#include <algorithm>

namespace broadloom::infer {

/// The nearest number that fits; the ends of int64_t are "no bound".
inline int64_t saturate(__int128 value) {
  if (value >= Bounds::kNone)
    return Bounds::kNone;
  return value <= -Bounds::kNone ? -Bounds::kNone : static_cast<int64_t>(value);
}

inline bool fits(__int128 value) {
  return value < Bounds::kNone && value > -Bounds::kNone;
}

/// Rounded down; `b` is not 0.
inline int64_t floorDivide(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

inline Bounds addBounds(Bounds a, Bounds b) {
  auto sum = [](int64_t x, int64_t y, int64_t none) {
    return x == none || y == none ? none
                                  : saturate(static_cast<__int128>(x) + y);
  };
  return {sum(a.lo, b.lo, -Bounds::kNone), sum(a.hi, b.hi, Bounds::kNone)};
}

inline Bounds multiplyBounds(Bounds a, Bounds b) {
  auto product = [](int64_t x, int64_t y) -> __int128 {
    return static_cast<__int128>(x) * y;
  };
  auto [lo, hi] = std::minmax({product(a.lo, b.lo), product(a.lo, b.hi),
                               product(a.hi, b.lo), product(a.hi, b.hi)});
  return {saturate(lo), saturate(hi)};
}

/// The bounds of a quotient that is rounded down; `by` is positive.
inline Bounds divideBounds(Bounds a, int64_t by) {
  return {a.lo == -Bounds::kNone ? a.lo : floorDivide(a.lo, by),
          a.hi == Bounds::kNone ? a.hi : floorDivide(a.hi, by)};
}

inline __int128 saturateWide(__int128 value) {
  return std::clamp(value, -WideBounds::kNone, WideBounds::kNone);
}

inline WideBounds addBounds(WideBounds a, WideBounds b) {
  constexpr __int128 none = WideBounds::kNone;
  return {a.lo == -none || b.lo == -none ? -none : saturateWide(a.lo + b.lo),
          a.hi == none || b.hi == none ? none : saturateWide(a.hi + b.hi)};
}

/// "No bound" times any number but 0 is "no bound".
inline WideBounds multiplyBounds(WideBounds a, WideBounds b) {
  auto product = [](__int128 x, __int128 y) -> __int128 {
    __int128 result;
    if (__builtin_mul_overflow(x, y, &result))
      return (x < 0) != (y < 0) ? -WideBounds::kNone : WideBounds::kNone;
    return saturateWide(result);
  };
  auto [lo, hi] = std::minmax({product(a.lo, b.lo), product(a.lo, b.hi),
                               product(a.hi, b.lo), product(a.hi, b.hi)});
  return {lo, hi};
}

inline WideBounds widen(Bounds bounds) {
  return {bounds.lo == -Bounds::kNone ? -WideBounds::kNone : bounds.lo,
          bounds.hi == Bounds::kNone ? WideBounds::kNone : bounds.hi};
}

/// The bounds of a number whose atoms have the bounds `ofAtom`.
template <typename OfAtom>
Bounds sumBounds(const Number &number, OfAtom ofAtom) {
  Bounds sum{number.constant, number.constant};
  for (const Term &term : number.terms) {
    Bounds product{term.factor, term.factor};
    for (AtomId id : term.atoms)
      product = multiplyBounds(product, ofAtom(id));
    sum = addBounds(sum, product);
  }
  return sum;
}

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_NUMBERS_BOUNDARITHMETIC_H
