//===- BoundaryPlace.h - what is read beyond the ends of an axis *- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The modes of a boundary (bnd-1), and the index inside an axis that is read
// for one outside: one formula, which the runtime evaluates and the compiler
// emits.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_ABI_BOUNDARYPLACE_H
#define BROADLOOM_RUNTIME_ABI_BOUNDARYPLACE_H

#include <algorithm>
#include <cstdint>

namespace broadloom {

/// The numbers are those of loom::BoundaryMode.
enum class BoundaryKind : int32_t {
  /// A value that is no element of the axis.
  Constant,
  Replicate,
  Reflect,
  Symmetric,
  Wrap,
};

/// The index in an axis of `extent` elements that is read for `index`, which is
/// any number. `Arithmetic` has a type `Number` and operations on it: `get`,
/// `add`, `subtract`, `least`, `greatest`, and `modulo`, a remainder that is
/// not negative.
template <typename Arithmetic>
typename Arithmetic::Number findPlace(Arithmetic &a, BoundaryKind kind,
                                      typename Arithmetic::Number index,
                                      typename Arithmetic::Number extent) {
  auto zero = a.get(0), one = a.get(1);
  auto last = a.subtract(extent, one);
  if (kind == BoundaryKind::Replicate)
    return a.least(a.greatest(index, zero), last);
  // An axis without elements is never read. Nothing is divided by 0 there.
  if (kind == BoundaryKind::Wrap)
    return a.modulo(index, a.greatest(extent, one));
  // There and back again: with the ends twice, or once.
  bool isTwice = kind == BoundaryKind::Symmetric;
  auto half = isTwice ? extent : last;
  auto period = a.greatest(a.add(half, half), one);
  auto there = a.modulo(index, period);
  auto back = a.subtract(period, there);
  if (isTwice)
    back = a.subtract(back, one);
  return a.least(there, back);
}

/// Computes with numbers that are known.
struct PlaceArithmetic {
  using Number = int64_t;

  int64_t get(int64_t number) const { return number; }
  int64_t add(int64_t x, int64_t y) const { return x + y; }
  int64_t subtract(int64_t x, int64_t y) const { return x - y; }
  int64_t least(int64_t x, int64_t y) const { return std::min(x, y); }
  int64_t greatest(int64_t x, int64_t y) const { return std::max(x, y); }
  int64_t modulo(int64_t x, int64_t y) const {
    int64_t rest = x % y;
    return rest < 0 ? rest + y : rest;
  }
};

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_ABI_BOUNDARYPLACE_H
