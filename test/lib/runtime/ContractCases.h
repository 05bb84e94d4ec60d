//===- ContractCases.h - contractions and their reference ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference goes over the whole contraction with index arithmetic of its
// own, on integers, whose sums are exact in any order.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_LIB_RUNTIME_CONTRACTCASES_H
#define BROADLOOM_TEST_LIB_RUNTIME_CONTRACTCASES_H

#include "test/lib/runtime/TestPrograms.h"

#include <cstdint>
#include <vector>

namespace broadloom::test {

inline constexpr int32_t kPanel = 8;
inline constexpr int32_t kTileRows = 3;
/// What counts as 0 in an image.
inline constexpr int32_t kPadding = 5;

/// A contraction of an image with a bias and one more operand in its body.
struct ContractCase {
  Extents image, window;
  int64_t channels;
  std::vector<int64_t> numbers; // stride, dilation, pads of each axis
  bool depthwise = false, grouped = false, packed = false;
  Extents bias, other;
  int32_t threads = 1;
  /// How the image lies in memory.
  Layout layout = Layout::RowMajor;
  /// Whether the runtime lays out a packed weight, which lies so in memory.
  bool given = false;
  Layout weightLayout = Layout::RowMajor;
  /// How many elements rows of the result have between them in a larger tensor,
  /// of which it is a part; 0 for memory of its own.
  int64_t gap = 0;
  /// The parts of the channels (BroadloomContraction::groups).
  int64_t parts = 1;
};

inline int64_t count(const Extents &extents) {
  int64_t product = 1;
  for (int64_t extent : extents)
    product *= extent;
  return product;
}

inline Extents resultOf(const ContractCase &c) {
  Extents result = c.image;
  for (size_t axis = 0; axis < c.window.size(); ++axis) {
    const int64_t *n = c.numbers.data() + 4 * axis;
    int64_t room =
        c.image[axis + 1] + n[2] + n[3] - (c.window[axis] - 1) * n[1] - 1;
    result[axis + 1] = room < 0 ? 0 : room / n[0] + 1;
  }
  result.back() = c.channels;
  return result;
}

/// The element of a tensor of `extents` that broadcasts to `index`.
inline int32_t broadcast(const std::vector<int32_t> &values,
                         const Extents &extents, const Extents &index) {
  int64_t at = 0;
  for (size_t axis = 0; axis < extents.size(); ++axis) {
    int64_t own = index[index.size() - extents.size() + axis];
    at = at * extents[axis] + (extents[axis] == 1 ? 0 : own);
  }
  return values[size_t(at)];
}

struct ContractData {
  std::vector<int32_t> image, weight, bias, other;
};

/// What the contraction is at `index` of the result, from sum-1.
inline int32_t sumAt(const ContractCase &c, const ContractData &data,
                     const Extents &index) {
  int64_t channelsIn = c.image.back(), o = index.back();
  int64_t steps = c.depthwise ? 1 : channelsIn / c.parts;
  int64_t first = c.depthwise ? o : o / (c.channels / c.parts) * steps;
  int64_t perGroup = count(c.window) * steps * c.channels;
  int32_t sum = 0;
  Extents step(c.window.size(), 0);
  for (int64_t t = 0; t < count(c.window); ++t) {
    int64_t rest = t, at = index[0];
    bool inside = true;
    for (size_t axis = c.window.size(); axis-- > 0;) {
      step[axis] = rest % c.window[axis];
      rest /= c.window[axis];
    }
    for (size_t axis = 0; axis + 2 < c.image.size(); ++axis) {
      int64_t from = index[axis + 1];
      if (!c.window.empty()) {
        const int64_t *n = c.numbers.data() + 4 * axis;
        from = from * n[0] + step[axis] * n[1] - n[2];
      }
      inside = inside && from >= 0 && from < c.image[axis + 1];
      at = at * c.image[axis + 1] + from;
    }
    if (!inside)
      continue;
    for (int64_t k = 0; k < steps; ++k) {
      int64_t with = (t * steps + k) * c.channels + o;
      if (c.grouped)
        with += index[0] * perGroup;
      sum += (data.image[size_t(at * channelsIn + first + k)] - kPadding) *
             data.weight[size_t(with)];
    }
  }
  return sum;
}

/// The extents of the weight in panels, of which each has channels of one part.
inline Extents panelExtents(const ContractCase &c) {
  int64_t panelsOfPart = (c.channels / c.parts + kPanel - 1) / kPanel;
  return {c.parts * panelsOfPart, count(c.window) * (c.image.back() / c.parts),
          kPanel};
}

/// The weight in panels, as a compiler lays it out.
inline std::vector<int32_t> pack(const ContractCase &c,
                                 const std::vector<int32_t> &weight) {
  Extents extents = panelExtents(c);
  int64_t depth = extents[1], panelsOfPart = extents[0] / c.parts;
  int64_t own = c.channels / c.parts;
  std::vector<int32_t> packed(size_t(count(extents)), 0);
  for (int64_t k = 0; k < depth; ++k)
    for (int64_t o = 0; o < c.channels; ++o) {
      int64_t panel = o / own * panelsOfPart + o % own / kPanel;
      packed[size_t((panel * depth + k) * kPanel + o % own % kPanel)] =
          weight[size_t(k * c.channels + o)];
    }
  return packed;
}

inline Extents weightExtents(const ContractCase &c) {
  Extents weight;
  if (c.grouped)
    weight.push_back(c.image[0]);
  weight.insert(weight.end(), c.window.begin(), c.window.end());
  if (!c.depthwise)
    weight.push_back(c.image.back() / c.parts);
  weight.push_back(c.channels);
  return weight;
}

/// A launch of a contraction whose operands and result are of 32 bits.
struct ContractProgram {
  ContractProgram(void (*kernel)(const BroadloomTile *), int32_t numOperands)
      : bytes(size_t(numOperands) + 1, 4), results{numOperands} {
    contraction.kernel = kernel;
    contraction.panel = kPanel;
    contraction.tileRows = kTileRows;
    contraction.together = 1;
    contraction.sumBytes = 4;
    program.numOperands = numOperands;
    program.numResults = 1;
    program.numValues = numOperands + 1;
    program.valueBytes = bytes.data();
    program.results = results;
    program.contraction = &contraction;
  }
  ContractProgram(const ContractProgram &) = delete;

  std::vector<int32_t> bytes;
  int32_t results[1];
  BroadloomContraction contraction{};
  BroadloomProgram program{};
};

} // namespace broadloom::test

#endif // BROADLOOM_TEST_LIB_RUNTIME_CONTRACTCASES_H
