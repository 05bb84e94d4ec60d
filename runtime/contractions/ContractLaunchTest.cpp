//===- ContractLaunchTest.cpp - contractions against plain loops ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel is a loop over what a tile describes; the reference is in
// ContractCases.h.
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

std::atomic<int64_t> tiles, longestTile, manyTaps, sumsInParts;

/// sum + bias + other, of images whose zero is kPadding.
void kernel(const BroadloomTile *tile, bool depthwise) {
  auto *image = static_cast<const int32_t *>(tile->image);
  auto *weight = static_cast<const int32_t *>(tile->weight);
  ++tiles;
  if (tile->rows > longestTile)
    longestTile = tile->rows;
  if (tile->taps > 1)
    ++manyTaps;
  if (tile->sumsBefore)
    ++sumsInParts;
  for (int64_t row = 0; row < tile->rows; ++row)
    for (int64_t o = 0; o < tile->channels; ++o) {
      int64_t ownSum = row * kPanel + o;
      int32_t sum = 0;
      if (tile->sumsBefore)
        sum = static_cast<const int32_t *>(tile->sumsBefore)[ownSum];
      for (int64_t t = 0; t < tile->taps; ++t)
        for (int64_t k = 0; k < tile->depth; ++k) {
          int64_t at = row * tile->rowStride + t * tile->tapStride +
                       k * (depthwise ? tile->stride : 1) + (depthwise ? o : 0);
          int64_t with = t * tile->weightTapStride + k * tile->weightStride + o;
          sum += (image[at] - kPadding) * weight[with];
        }
      if (tile->sumsAfter) {
        static_cast<int32_t *>(tile->sumsAfter)[ownSum] = sum;
        continue;
      }
      auto elements = [&](int i) {
        return static_cast<int32_t *>(tile->bases[i]) + row * tile->strides[i];
      };
      elements(2)[o] = sum + elements(0)[o] + elements(1)[0];
    }
}
void overChannels(const BroadloomTile *tile) { kernel(tile, false); }
void byChannel(const BroadloomTile *tile) { kernel(tile, true); }

class Contractions : public testing::Test {
protected:
  void SetUp() override { tiles = longestTile = manyTaps = sumsInParts = 0; }

  static void put(Buffer &buffer, const std::vector<int32_t> &values) {
    if (isEmpty(buffer.extents))
      return;
    Extents index(buffer.extents.size(), 0);
    size_t i = 0;
    do
      buffer.set(index, uint32_t(values[i++]));
    while (next(index, buffer.extents));
  }

  void check(const ContractCase &c) {
    std::mt19937 random(unsigned(count(c.image) + 31 * c.channels));
    auto draw = [&](const Extents &extents) {
      std::vector<int32_t> values(size_t(count(extents)));
      for (int32_t &value : values)
        value = int32_t(random() % 41) - 20;
      return values;
    };
    Extents weights = weightExtents(c), result = resultOf(c);
    ContractData data{draw(c.image), draw(weights), draw(c.bias),
                      draw(c.other)};
    ContractProgram launch(c.depthwise ? byChannel : overChannels, 4);
    BroadloomContraction &contraction = launch.contraction;
    contraction.window = c.numbers.data();
    contraction.windowRank = int32_t(c.window.size());
    contraction.kind = int32_t(c.depthwise ? ContractionKind::Depthwise
                                           : ContractionKind::Products);
    contraction.packed = c.packed ? weights.data() : nullptr;
    contraction.padding = kPadding;
    contraction.ones = 2;
    contraction.operations = 2;

    Extents laidOut = weights;
    std::vector<int32_t> weight = data.weight;
    if (c.packed) {
      weight = pack(c, data.weight);
      laidOut = {(c.channels + kPanel - 1) / kPanel,
                 count(c.window) * c.image.back(), kPanel};
    }
    Buffer image(c.image, 4), w(laidOut, 4), bias(c.bias, 4), other(c.other, 4);
    put(image, data.image);
    put(w, weight);
    put(bias, data.bias);
    put(other, data.other);
    CallContext call;
    call.setThreads(c.threads);
    BroadloomElementType type = typeOfBytes(4);
    call.setResultTypes(&type, 1);
    int32_t status =
        runProgram(call, launch.program, 4,
                   {image.tensor(), w.tensor(), bias.tensor(), other.tensor()});
    ASSERT_EQ(status, BROADLOOM_OK) << call.failure().message;
    BroadloomTensor out;
    ASSERT_EQ(call.takeResult(0, &out), BROADLOOM_OK);
    compare(c, data, result, out);
    out.release(&out);
    if (count(result) < 20000)
      checkGivenMemory(
          c, data, result,
          [&] {
            return runProgram(
                call, launch.program, 4,
                {image.tensor(), w.tensor(), bias.tensor(), other.tensor()});
          },
          call);
  }

  /// The same into memory of the caller's where the axes lie in the other
  /// order, so that the result is computed elsewhere first.
  template <typename Run>
  void checkGivenMemory(const ContractCase &c, const ContractData &data,
                        const Extents &result, Run run, CallContext &call) {
    std::vector<int32_t> memory(size_t(count(result)), 77);
    std::vector<int64_t> strides;
    int64_t stride = 1;
    for (int64_t extent : result) {
      strides.push_back(stride);
      stride *= extent;
    }
    BroadloomTensor given, out;
    broadloomTensorBorrow(typeOfBytes(4), int32_t(result.size()), result.data(),
                          strides.data(), memory.data(), &given);
    ASSERT_EQ(call.setOutput(0, &given), BROADLOOM_OK);
    ASSERT_EQ(run(), BROADLOOM_OK) << call.failure().message;
    ASSERT_EQ(call.takeResult(0, &out), BROADLOOM_OK);
    EXPECT_EQ(out.data, memory.data());
    compare(c, data, result, out);
  }

  void compare(const ContractCase &c, const ContractData &data,
               const Extents &result, const BroadloomTensor &out) {
    ASSERT_EQ(Extents(out.dims, out.dims + out.rank), result);
    if (isEmpty(result))
      return;
    Extents index(result.size(), 0);
    do
      ASSERT_EQ(int32_t(element(out, index)),
                sumAt(c, data, index) + broadcast(data.bias, c.bias, index) +
                    broadcast(data.other, c.other, index))
          << "at " << formatExtents(index.data(), int64_t(index.size()))
          << " of " << formatExtents(result.data(), int64_t(result.size()));
    while (next(index, result));
  }
};

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

TEST_F(Contractions, sum1_productsOfMatrices) {
  for (int64_t rows : {0, 1, 2, 7, 24, 100})
    for (int64_t channels : {1, 3, 8, 9, 24})
      for (int64_t depth : {0, 1, 5, 16})
        for (bool grouped : {false, true})
          check({{2, rows, depth},
                 {},
                 channels,
                 {},
                 false,
                 grouped,
                 false,
                 {channels},
                 {1}});
}

TEST_F(Contractions, sum1_windowsInTwoDimensions) {
  for (int64_t width : {1, 5, 20, 33})
    for (int64_t stride : {1, 2})
      for (int64_t dilation : {1, 2})
        for (int64_t pad : {0, 1, 2})
          for (bool packed : {false, true})
            check({{2, 6, width, 3},
                   {3, 2},
                   11,
                   {stride, dilation, pad, 1, stride, dilation, 1, pad},
                   false,
                   false,
                   packed,
                   {11},
                   {1}});
  EXPECT_GT(manyTaps, 0);
}

TEST_F(Contractions, sum1_windowsThatReachFarBeyondTheImage) {
  int64_t far = int64_t(1) << 40;
  check({{1, 2, 1, 3},
         {1, 1},
         8,
         {1, 1, 0, 0, far / 16, 1, 0, far},
         false,
         false,
         true,
         {8},
         {1}});
  check({{1, 2, 20, 3},
         {2, 3},
         8,
         {1, far, 0, far, 1, 1, 1, 1},
         false,
         false,
         true,
         {8},
         {1}});
}

TEST_F(Contractions, sum1_windowsInOneAndThreeDimensions) {
  check({{3, 40, 4}, {5}, 9, {2, 1, 2, 2}, false, false, false, {9}, {1}});
  check({{1, 17, 4}, {1}, 9, {1, 1, 0, 0}, false, false, true, {9}, {1}});
  for (int64_t stride : {1, 2})
    check({{2, 4, 5, 6, 3},
           {2, 3, 2},
           9,
           {stride, 1, 1, 0, 1, 2, 1, 1, 1, 1, 0, 1},
           false,
           false,
           true,
           {9},
           {1}});
}

TEST_F(Contractions, sum1_channelByChannel) {
  for (int64_t channels : {1, 5, 8, 19})
    for (int64_t width : {1, 2, 9, 30})
      for (int64_t stride : {1, 2})
        for (int64_t dilation : {1, 3})
          check({{2, 5, width, channels},
                 {3, 3},
                 channels,
                 {stride, dilation, 3, 3, stride, dilation, 3, 4},
                 true,
                 false,
                 false,
                 {channels},
                 {1}});
}

TEST_F(Contractions, sum1_longSumsInParts) {
  // Panels that the first cache does not hold, rows that map to the same
  // sets of it, images that the second cache does not hold.
  auto checkProduct = [&](int64_t rows, int64_t depth, bool packed,
                          int32_t threads) {
    check({{1, rows, depth},
           {},
           65,
           {},
           false,
           false,
           packed,
           {65},
           {rows, 1},
           threads});
  };
  checkProduct(3, 3100, false, 2);
  checkProduct(30, 3100, false, 1);
  checkProduct(97, 4096, false, 2);
  checkProduct(30, 3100, true, 1);
  EXPECT_GT(sumsInParts, 0);
}

TEST_F(Contractions, sum1_windowsInParts) {
  // Parts of a tap, and several taps at a time; with padding of 3, some lines
  // have no tap in the image.
  for (Extents window : {Extents{3, 3}, Extents{5, 1}})
    for (int64_t stride : {1, 2})
      for (int64_t dilation : {1, 2})
        for (int32_t threads : {1, 2})
          check({{2, 6, 17, 390},
                 window,
                 11,
                 {stride, dilation, 3, 5, stride, 1, 1, 1},
                 false,
                 false,
                 stride == 1,
                 {11},
                 {1},
                 threads});
  EXPECT_GT(sumsInParts, 0);
}

TEST_F(Contractions, sum1_manyChannelsInParts) {
  for (int64_t width : {9, 200})
    for (int64_t channels : {300, 500})
      for (int64_t stride : {1, 2})
        check({{2, 5, width, channels},
               {3, 3},
               channels,
               {stride, 1, 1, 2, stride, 1, 2, 1},
               true,
               false,
               false,
               {channels},
               {1}});
}

TEST_F(Contractions, sum2_operandsThatBroadcast) {
  const std::vector<Extents> shapes = {
      {},        {1},           {9},          {20, 9},     {20, 1},
      {4, 1, 9}, {3, 4, 20, 9}, {3, 1, 1, 9}, {1, 4, 1, 1}};
  for (const Extents &bias : shapes) {
    Extents other = bias;
    if (!other.empty())
      other.back() = 1;
    for (bool depthwise : {false, true})
      check({{3, 4, 20, 9},
             {3, 3},
             9,
             {1, 1, 1, 1, 1, 1, 1, 1},
             depthwise,
             false,
             false,
             bias,
             other});
  }
}

TEST_F(Contractions, sum1_threadsShareBlocksAndPanels) {
  for (int32_t threads : {2, 3, 7}) {
    check({{1, 5000, 32}, {}, 40, {}, false, false, true, {40}, {1}, threads});
    check(
        {{1, 12, 2048}, {}, 400, {}, false, false, true, {400}, {1}, threads});
    check({{2, 40, 40, 16},
           {3, 3},
           24,
           {1, 1, 1, 1, 1, 1, 1, 1},
           false,
           false,
           false,
           {24},
           {1},
           threads});
    check({{4, 40, 5, 16},
           {3, 3},
           24,
           {1, 1, 1, 1, 1, 1, 1, 1},
           false,
           false,
           true,
           {24},
           {1},
           threads});
  }
}

TEST_F(Contractions, longLinesAreOneTile) {
  check({{1, 2, 50, 3},
         {1, 3},
         8,
         {1, 1, 0, 0, 1, 1, 0, 0},
         false,
         false,
         true,
         {8},
         {1}});
  EXPECT_EQ(longestTile, 48);
}

TEST_F(Contractions, operandsThatDoNotFitAreAnError) {
  Buffer image({2, 4}, 4), weight({5, 3}, 4);
  ContractProgram launch(overChannels, 2);
  CallContext call;
  BroadloomElementType type = typeOfBytes(4);
  call.setResultTypes(&type, 1);
  EXPECT_EQ(
      runProgram(call, launch.program, 4, {image.tensor(), weight.tensor()}),
      BROADLOOM_INVALID_ARGUMENT);
  EXPECT_EQ(call.failure().message,
            "the image and the weight of a contraction differ in channels");
}

} // namespace
