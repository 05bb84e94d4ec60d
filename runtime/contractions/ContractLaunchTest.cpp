//===- ContractLaunchTest.cpp - contractions against plain loops ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/SizeClass.h"
#include "test/lib/runtime/ContractFixture.h"

using namespace broadloom;
using namespace broadloom::test;

namespace {

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

TEST_F(Contractions, sum1_windowsTapByTap) {
  // Much of what these windows cover is beyond the image, before it, behind it
  // or on both sides, and some taps are in no image at all.
  for (int32_t threads : {1, 2})
    for (int64_t channels : {3, 8, 21})
      for (int64_t size : {5, 7, 14})
        for (int64_t dilation : {1, 3, 12})
          for (int64_t stride : {1, 2})
            for (int64_t low : {0, 4, 13})
              for (int64_t high : {0, 12}) {
                ContractCase c{
                    {2, size, size + 2, 33},
                    {3, 2},
                    channels,
                    {stride, dilation, low, high, 1, dilation, high, low + 2},
                    false,
                    false,
                    true,
                    {channels},
                    {2, 1, 1, 1}};
                c.threads = threads;
                Extents result = resultOf(c);
                if (result[1] * result[2] == 0)
                  continue;
                check(c);
              }
}

TEST_F(Contractions, sum1_tapsWithoutWhatIsBeyondTheImage) {
  // Of a window that only its middle reads, one tap is added, in two parts of
  // the channels, and then the body.
  check({{1, 4, 4, 2048},
         {3, 3},
         8,
         {1, 4, 4, 4, 1, 4, 4, 4},
         false,
         false,
         true,
         {8},
         {1}});
  EXPECT_EQ(tiles, 2 * 3);
  EXPECT_EQ(longestTile, 16);
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

TEST_F(Contractions, sum1_windowsOfConsecutiveElements) {
  // Windows that are whole along all axes but one: over lines, over columns of
  // a line, over planes, of several images.
  auto checkWindow = [&](Extents image, Extents window,
                         std::vector<int64_t> numbers, bool packed) {
    check({image, window, 9, numbers, false, false, packed, {9}, {1}});
  };
  for (bool packed : {false, true}) {
    for (int64_t stride : {1, 2, 3}) {
      checkWindow({1, 5, 1, 40}, {5, 1}, {stride, 1, 0, 0, 1, 1, 0, 0}, packed);
      checkWindow({1, 13, 4, 5}, {3, 4}, {stride, 1, 0, 0, 2, 1, 0, 0}, packed);
      checkWindow({1, 6, 5}, {3}, {stride, 1, 0, 0}, packed);
      checkWindow({1, 9, 2, 3, 4}, {4, 2, 3},
                  {stride, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0}, packed);
    }
    checkWindow({4, 6, 3, 5}, {2, 3}, {2, 1, 0, 0, 1, 1, 0, 0}, packed);
    for (int64_t stride : {1, 2, 5, 7}) {
      checkWindow({3, 5, 2, 4}, {5, 2}, {stride, 1, 0, 0, 1, 1, 0, 0}, packed);
      checkWindow({3, 2, 4}, {2}, {stride, 1, 0, 0}, packed);
      checkWindow({3, 4, 4}, {2}, {3, 1, 0, 0}, packed);
    }
  }
  EXPECT_EQ(tilesOfImage, tiles);
  // Rows that are not evenly spaced, or whose elements are not consecutive.
  tiles = tilesOfImage = 0;
  checkWindow({3, 7, 3, 5}, {2, 3}, {2, 1, 0, 0, 1, 1, 0, 0}, true);
  checkWindow({1, 13, 4, 5}, {3, 3}, {1, 1, 0, 0, 1, 1, 0, 0}, true);
  checkWindow({1, 13, 4, 5}, {3, 4}, {1, 1, 1, 0, 1, 1, 0, 0}, true);
  checkWindow({1, 13, 4, 5}, {3, 4}, {1, 2, 0, 0, 1, 1, 0, 0}, true);
  checkWindow({1, 13, 4, 5}, {3, 4}, {1, 1, 0, 0, 1, 1, 0, 1}, true);
  EXPECT_EQ(tilesOfImage, 0);
  EXPECT_GT(tiles, 0);
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

TEST_F(Contractions, sum1_threadsShareAnyExtents) {
  std::mt19937 random(11);
  auto draw = [&](int64_t least, int64_t most) {
    return least + int64_t(random() % uint64_t(most - least + 1));
  };
  for (int turn = 0; turn < 60; ++turn) {
    auto threads = int32_t(draw(2, 5));
    int64_t channels = draw(1, 90);
    // Rows of an image, padded lines, gathered windows; few and many blocks.
    check({{draw(1, 2), draw(20, 150), draw(150, 500)},
           {},
           channels,
           {},
           false,
           false,
           turn % 2 == 0,
           {channels},
           {1},
           threads});
    bool depthwise = turn % 3 == 0;
    int64_t depth = depthwise ? channels + 60 : draw(30, 60);
    check({{1, draw(3, 18), draw(3, 18), depth},
           {3, 3},
           depthwise ? depth : channels,
           {1, 1, 1, 1, 1, 1, draw(0, 1), 1},
           depthwise,
           false,
           turn % 2 == 0 && !depthwise,
           {depthwise ? depth : channels},
           {1},
           threads});
  }
}

TEST_F(Contractions, sum1_byChannelOverMoreThanTwoAxes) {
  std::mt19937 random(11);
  auto draw = [&](int64_t from, int64_t to) {
    return from + int64_t(random() % uint32_t(to - from + 1));
  };
  for (int turn = 0; turn < 60; ++turn) {
    int64_t channels = draw(1, 20);
    ContractCase c{{draw(1, 2)}, {},    channels,   {},  true,
                   false,        false, {channels}, {1}, int32_t(draw(1, 3))};
    for (int64_t axis = draw(3, 4); axis > 0; --axis) {
      c.image.push_back(draw(1, 7));
      c.window.push_back(draw(1, 3));
      for (int64_t number : {draw(1, 2), draw(1, 2), draw(0, 3), draw(0, 3)})
        c.numbers.push_back(number);
    }
    c.image.push_back(channels);
    check(c);
  }
  EXPECT_GT(sumsInParts, 0);
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

TEST_F(Contractions, plansServeLaunchesOfTheSameExtents) {
  // Rows of the image, lines, gathered windows and channels; an operand that is
  // repeated along the channels, and images and weights that are copied, of
  // which no plan is kept.
  for (int32_t threads : {1, 2}) {
    auto product = [&](int64_t rows, Extents other,
                       Layout layout = Layout::RowMajor) {
      ContractCase c{{1, rows, 40}, {},    70,    {},  false,
                     false,         false, other, {1}, threads};
      c.layout = layout;
      return c;
    };
    checkInTurn({product(9, {70}), product(9, {70}), product(200, {70}),
                 product(9, {70}), product(9, {1}), product(9, {1}),
                 product(9, {9, 70}), product(200, {70})});
    checkInTurn({product(9, {70}), product(9, {70}, Layout::Transposed),
                 product(9, {70}), product(9, {70}, Layout::Transposed)});
    for (bool depthwise : {false, true}) {
      auto window = [&](int64_t width) {
        return ContractCase{{1, 4, width, 9},
                            {3, 3},
                            9,
                            {1, 1, 1, 1, 1, 1, 1, 1},
                            depthwise,
                            false,
                            false,
                            {9},
                            {1},
                            threads};
      };
      checkInTurn({window(20), window(20), window(3), window(3), window(20),
                   window(0), window(20)});
    }
  }
  // Threads change between launches.
  ContractCase one{{1, 200, 100}, {}, 70, {}, false, false, true, {70}, {1}, 1};
  ContractCase two = one;
  two.threads = 2;
  checkInTurn({one, one, two, two, one});
}

#ifndef BROADLOOM_EXACT_BLOCKS
TEST_F(Contractions, plansRepeatTheTilesOfSmallLaunches) {
  ContractCase c{{1, 9, 40}, {}, 8, {}, false, false, true, {8}, {1}};
  checkInTurn({c});
  // The second launch, into the caller's memory.
  EXPECT_EQ(tilesOfPlans, 1);
  tilesOfPlans = 0;
  // Without a difference, nothing is planned again.
  checkInTurn({c, c, c});
  EXPECT_EQ(tilesOfPlans, 5);
  tilesOfPlans = 0;
  ContractCase longer = c;
  longer.image[1] = 10;
  checkInTurn({c, longer, c});
  EXPECT_EQ(tilesOfPlans, 3);
}
#endif

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
