//===- ContractMaximumTest.cpp - maxima in place of sums ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/abi/ContractionKind.h"
#include "test/lib/runtime/ContractCases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>

using namespace broadloom;
using namespace broadloom::test;

namespace {

std::atomic<int64_t> tiles;

/// The largest element of the windows of a tile, in the layout of its rows.
void takeLargest(const BroadloomTile *tile) {
  auto *image = static_cast<const int32_t *>(tile->image);
  ++tiles;
  for (int64_t row = 0; row < tile->rows; ++row)
    for (int64_t o = 0; o < tile->channels; ++o) {
      int32_t most = INT32_MIN;
      for (int64_t t = 0; t < tile->taps; ++t)
        for (int64_t k = 0; k < tile->depth; ++k)
          most =
              std::max(most, image[row * tile->rowStride + t * tile->tapStride +
                                   k * tile->stride + o]);
      static_cast<int32_t *>(tile->bases[0])[row * tile->strides[0] + o] = most;
    }
}

// What lies outside the image does not count, and the weight has no channels.
TEST(ContractMaximum, sum1_theLargestElementOfEachWindow) {
  const Extents extents = {2, 30, 70, 5};
  // Of two axes: stride, dilation, padding before and behind.
  const std::vector<int64_t> window = {2, 1, 1, 1, 3, 2, 0, 2};
  std::mt19937 random(7);
  std::vector<int32_t> values(size_t(count(extents)));
  for (int32_t &value : values)
    value = -1 - int32_t(random() % 1000);
  Buffer image(extents, 4), weight({3, 2}, 1);
  Extents at(extents.size(), 0);
  size_t given = 0;
  do
    image.set(at, uint32_t(values[given++]));
  while (next(at, extents));
  for (int32_t threads : {1, 3}) {
    tiles = 0;
    ContractProgram launch(takeLargest, 2);
    BroadloomContraction &contraction = launch.contraction;
    contraction.window = window.data();
    contraction.windowRank = 2;
    contraction.kind = int32_t(ContractionKind::MaxPool);
    launch.bytes[1] = 1;
    CallContext call;
    call.setThreads(threads);
    BroadloomElementType type = typeOfBytes(4);
    call.setResultTypes(&type, 1);
    ASSERT_EQ(
        runProgram(call, launch.program, 4, {image.tensor(), weight.tensor()}),
        BROADLOOM_OK)
        << call.failure().message;
    EXPECT_GE(tiles, threads);
    BroadloomTensor out;
    ASSERT_EQ(call.takeResult(0, &out), BROADLOOM_OK);
    const Extents result = {2, 15, 24, 5};
    ASSERT_EQ(Extents(out.dims, out.dims + out.rank), result);
    Extents index(4, 0);
    do {
      int32_t most = INT32_MIN;
      for (int64_t t = 0; t < 3; ++t)
        for (int64_t k = 0; k < 2; ++k) {
          int64_t y = index[1] * 2 - 1 + t, x = index[2] * 3 + 2 * k;
          if (y >= 0 && y < 30 && x < 70)
            most = std::max(
                most,
                values[size_t(((index[0] * 30 + y) * 70 + x) * 5 + index[3])]);
        }
      ASSERT_EQ(int32_t(element(out, index)), most);
    } while (next(index, result));
    out.release(&out);
  }
}

} // namespace
