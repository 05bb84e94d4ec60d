//===- Formula.h - broadcasting, written once -------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formula of broadcasting over any kind of number: the runtime evaluates
// it on integers, the compiler emits instructions from it (bcast-2, bcast-3).
// Below it, its evaluation on the concrete extents of a call: without
// allocation, for any number of operands of any ranks.
//
// Invariant: a conflict has the first axis that fails, and the first two
// operands that differ there; whether it fails does not depend on the order of
// the operands (bcast-5).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SHAPE_FORMULA_H
#define BROADLOOM_SHAPE_FORMULA_H

#include <cstddef>
#include <cstdint>

namespace broadloom {

/// Whether two extents broadcast: they are equal, or one of them is 1.
/// `Ops` has `one()`, `equal(a, b)` and `either(p, q)`.
template <typename Ops, typename Value>
constexpr auto compatibleFormula(Ops &&ops, Value a, Value b) {
  return ops.either(ops.equal(a, b), ops.either(ops.equal(a, ops.one()),
                                                ops.equal(b, ops.one())));
}

/// The extent of the broadcast of two compatible extents: the other one if one
/// is 1. `Ops` has `one()`, `equal(a, b)` and `select(p, a, b)`.
template <typename Ops, typename Value>
constexpr Value joinFormula(Ops &&ops, Value a, Value b) {
  return ops.select(ops.equal(a, ops.one()), b, a);
}

/// The formula's arithmetic on concrete extents.
struct ConcreteOps {
  constexpr int64_t one() const { return 1; }
  constexpr bool equal(int64_t a, int64_t b) const { return a == b; }
  constexpr bool either(bool p, bool q) const { return p || q; }
  constexpr int64_t select(bool p, int64_t a, int64_t b) const {
    return p ? a : b;
  }
};

constexpr bool compatibleExtents(int64_t a, int64_t b) {
  return compatibleFormula(ConcreteOps{}, a, b);
}

/// The result of broadcastExtents for extents that do not broadcast.
constexpr int64_t kIncompatible = -1;

/// Extent of the broadcast of two concrete extents, or kIncompatible (bcast-2,
/// ext-3).
constexpr int64_t broadcastExtents(int64_t a, int64_t b) {
  return compatibleExtents(a, b) ? joinFormula(ConcreteOps{}, a, b)
                                 : kIncompatible;
}

/// The concrete extents of one operand, borrowed.
struct ExtentSpan {
  const int64_t *extents = nullptr;
  int64_t rank = 0;

  /// The extent on `axis` of a shape of rank `resultRank` (bcast-1).
  constexpr int64_t alignedTo(int64_t resultRank, int64_t axis) const {
    return axis < resultRank - rank ? 1 : extents[axis - (resultRank - rank)];
  }
};

/// Two operands that do not broadcast. `axis` counts the result's axes;
/// operand i's own axis is `axis - (resultRank - rank of i)`.
struct Conflict {
  int64_t axis = -1;
  int64_t resultRank = 0;
  int32_t first = -1;
  int32_t second = -1;
  int64_t firstExtent = 0;
  int64_t secondExtent = 0;
};

/// Rank of the broadcast of `count` operands; `spanOf(i)` gives the ExtentSpan
/// of operand i.
template <typename SpanOf>
constexpr int64_t broadcastRank(size_t count, SpanOf spanOf) {
  int64_t rank = 0;
  for (size_t i = 0; i < count; ++i)
    if (spanOf(i).rank > rank)
      rank = spanOf(i).rank;
  return rank;
}

/// The broadcast of `count` operands (bcast-4), written to `result`, which has
/// space for broadcastRank extents, or is null for a check alone. False if they
/// do not broadcast: `conflict` then has the first axis that fails and the
/// first two operands that differ there, and `result` has on each axis the
/// first extent that is not 1.
template <typename SpanOf>
constexpr bool broadcastSpans(size_t count, SpanOf spanOf, int64_t *result,
                              Conflict *conflict = nullptr) {
  bool good = true;
  int64_t rank = broadcastRank(count, spanOf);
  for (int64_t axis = 0; axis < rank; ++axis) {
    int64_t extent = 1;
    size_t holder = 0; // the operand that `extent` comes from
    for (size_t i = 0; i < count; ++i) {
      int64_t next = spanOf(i).alignedTo(rank, axis);
      if (next == extent)
        continue;
      if (int64_t joined = broadcastExtents(extent, next);
          joined != kIncompatible) {
        if (joined != extent)
          holder = i;
        extent = joined;
        continue;
      }
      if (good && conflict)
        *conflict = Conflict{
            axis,   rank, static_cast<int32_t>(holder), static_cast<int32_t>(i),
            extent, next};
      good = false;
    }
    if (result)
      result[axis] = extent;
  }
  return good;
}

/// The same for an array of operands.
constexpr int64_t broadcastRank(const ExtentSpan *operands, size_t count) {
  int64_t rank = 0;
  for (size_t i = 0; i < count; ++i)
    rank = operands[i].rank > rank ? operands[i].rank : rank;
  return rank;
}
constexpr bool broadcastSpans(const ExtentSpan *operands, size_t count,
                              int64_t *result, Conflict *conflict = nullptr) {
  return broadcastSpans(
      count, [operands](size_t i) { return operands[i]; }, result, conflict);
}

} // namespace broadloom

#endif // BROADLOOM_SHAPE_FORMULA_H
