//===- PropertyTest.h - what shapes mean, for tests -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The independent formulation that tests compare the algebra with: a shape with
// unknown extents means the set of concrete shapes that it can be. What
// broadcasts is found by trying them all on NumPy's definition for numbers;
// proved means that all of them broadcast, refuted that none does, and an
// extent is inferred where all give the same.
//
// Invariant: nothing here calls broadcast or verify.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SHAPE_PROPERTYTEST_H
#define BROADLOOM_SHAPE_PROPERTYTEST_H

#include "shape/Answer.h"
#include "shape/Shape.h"

#include <functional>
#include <optional>
#include <set>
#include <vector>

namespace broadloom::testing {

constexpr int64_t kAny = -1;
// One more value than the static extents in use, so that `?` is never only
// what is written elsewhere.
constexpr int64_t kLargest = 4;

using Extents = std::vector<int64_t>;

/// NumPy's definition for one axis of any number of operands.
inline std::optional<int64_t> meet(const Extents &values) {
  std::set<int64_t> notOne(values.begin(), values.end());
  notOne.erase(1);
  if (notOne.size() > 1)
    return std::nullopt;
  return notOne.empty() ? 1 : *notOne.begin();
}

/// Calls `visit` with every concrete reading of `extents`.
inline void forEachReading(const Extents &extents,
                           const std::function<void(const Extents &)> &visit) {
  Extents reading = extents;
  std::function<void(size_t)> go = [&](size_t i) {
    if (i == extents.size())
      return visit(reading);
    for (int64_t n = 0; n <= kLargest; ++n)
      if (extents[i] == kAny || extents[i] == n) {
        reading[i] = n;
        go(i + 1);
      }
  };
  go(0);
}

/// What one axis means.
struct Meaning {
  Truth truth;
  std::set<int64_t> results;
};

inline Meaning meaningOf(const Extents &extents) {
  Meaning meaning;
  bool all = true, any = false;
  forEachReading(extents, [&](const Extents &reading) {
    std::optional<int64_t> result = meet(reading);
    all &= result.has_value();
    any |= result.has_value();
    if (result)
      meaning.results.insert(*result);
  });
  meaning.truth = all ? Truth::Proved : any ? Truth::Unknown : Truth::Refuted;
  return meaning;
}

/// All shapes of rank 0 to `rank` with extents from {?, 0, 1, 2, 3}.
inline std::vector<Extents> allShapes(size_t rank) {
  std::vector<Extents> shapes = {{}};
  for (size_t begin = 0, r = 0; r < rank; ++r) {
    size_t end = shapes.size();
    for (size_t i = begin; i < end; ++i)
      for (int64_t n = kAny; n <= 3; ++n) {
        Extents longer = shapes[i];
        longer.push_back(n);
        shapes.push_back(longer);
      }
    begin = end;
  }
  return shapes;
}

inline Shape shapeOf(const Extents &extents) {
  return Shape::fromIntegers(extents.data(), extents.size());
}

inline int64_t extentFromRight(const Extents &extents, size_t fromRight) {
  return fromRight < extents.size() ? extents[extents.size() - 1 - fromRight]
                                    : 1;
}

/// Whether a shape is the type of a concrete one.
inline bool describes(const Shape &type, const Extents &extents) {
  if (!type.isRanked())
    return true;
  if (type.rank() != extents.size())
    return false;
  for (size_t axis = 0; axis < extents.size(); ++axis)
    if (type[axis].isFixed() && type[axis].value() != extents[axis])
      return false;
  return true;
}

} // namespace broadloom::testing

#endif // BROADLOOM_SHAPE_PROPERTYTEST_H
