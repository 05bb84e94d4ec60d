//===- Shapes.h - shapes, and what types say of them ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_FUZZ_GUARDS_SHAPES_H
#define BROADLOOM_TEST_FUZZ_GUARDS_SHAPES_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace broadloom::guards {

using Extents = std::vector<int64_t>;

/// `?` in a type.
constexpr int64_t kAny = -1;
/// Extents go from 0 to this.
constexpr int64_t kLargest = 3;
/// Of tensors of any rank, ranks go from 0 to this.
constexpr int kMostRank = 3;

/// What a type says of a shape.
struct Pattern {
  bool ranked = true;
  Extents extents;

  bool matches(const Extents &shape) const;
  bool operator==(const Pattern &other) const {
    return ranked == other.ranked && extents == other.extents;
  }
  /// tensor<?x2xf32>, tensor<*xf32>.
  std::string type(const std::string &element) const;
};

/// A rank, and nothing of the extents.
Pattern openPattern(size_t rank);
Pattern unrankedPattern();

/// Calls `visit` with all shapes of that rank.
template <typename Visit> void forEachShape(size_t rank, Visit visit) {
  Extents shape(rank, 0);
  for (;;) {
    visit(shape);
    size_t axis = rank;
    while (axis > 0 && shape[axis - 1] == kLargest)
      shape[--axis] = 0;
    if (axis == 0)
      return;
    ++shape[axis - 1];
  }
}

/// "2x3", "scalar" for no axes.
std::string toText(const Extents &extents);

int64_t countElements(const Extents &extents);

/// NumPy's definition (bcast-1 to bcast-4), by trying: on each axis the one
/// extent among those of the operands such that all of them are it or 1.
std::optional<Extents> broadcast(const std::vector<Extents> &shapes);

} // namespace broadloom::guards

#endif // BROADLOOM_TEST_FUZZ_GUARDS_SHAPES_H
