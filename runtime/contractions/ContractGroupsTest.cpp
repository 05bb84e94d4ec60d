//===- ContractGroupsTest.cpp - channels that are parts -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/runtime/ContractFixture.h"

using namespace broadloom;
using namespace broadloom::test;

namespace {

/// Parts of `inside` channels of the image and `outside` of the sums.
ContractCase inParts(int64_t parts, int64_t inside, int64_t outside) {
  int64_t channels = parts * outside;
  ContractCase c{{parts * inside}, {}, channels, {}, false, false, false,
                 {channels},       {1}};
  c.parts = parts;
  return c;
}

TEST_F(Contractions, sum1_partsOfChannels) {
  std::mt19937 random(5);
  auto draw = [&](int64_t least, int64_t most) {
    return least + int64_t(random() % uint64_t(most - least + 1));
  };
  for (int turn = 0; turn < 400; ++turn) {
    ContractCase c = inParts(draw(1, 5), draw(1, 7), draw(1, 20));
    int64_t channels = c.image.back();
    c.image = {draw(1, 2)};
    // Lines that are longer and shorter than a tile, and windows that are
    // gathered.
    for (int64_t axis = draw(1, 3); axis > 0; --axis) {
      c.image.push_back(draw(1, 12));
      c.window.push_back(draw(1, 3));
      for (int64_t number : {draw(1, 2), draw(1, 2), draw(0, 3), draw(0, 3)})
        c.numbers.push_back(number);
    }
    c.image.push_back(channels);
    c.threads = int32_t(draw(1, 3));
    c.packed = draw(0, 1) == 1;
    c.given = c.packed && draw(0, 1) == 1;
    if (c.given)
      c.weightLayout = draw(0, 1) ? Layout::Transposed : Layout::Spread;
    check(c);
  }
}

TEST_F(Contractions, sum1_partsOfManyLines) {
  // Several blocks of lines, and several panels of a part.
  for (int32_t threads : {1, 2, 5})
    for (bool packed : {false, true})
      for (int64_t outside : {5, 8, 21}) {
        ContractCase c = inParts(3, 20, outside);
        c.image = {2, 50, 40, 60};
        c.window = {3, 3};
        c.numbers = {1, 1, 1, 1, 1, 1, 1, 1};
        c.threads = threads;
        c.packed = packed;
        check(c);
      }
}

TEST_F(Contractions, sum1_partsOfOneElement) {
  // Without parts these would read the image where it is.
  for (int64_t columns : {1, 2, 9, 300})
    for (int64_t inside : {1, 4, 33})
      for (bool packed : {false, true}) {
        ContractCase c = inParts(4, inside, 6);
        c.image = {2, columns, 4 * inside};
        c.window = {1};
        c.numbers = {1, 1, 0, 0};
        c.packed = packed;
        checkInTurn({c, c});
      }
}

TEST_F(Contractions, gapsBehindParts) {
  ContractCase c = inParts(3, 4, 5);
  c.image = {2, 6, 7, 12};
  c.window = {3, 2};
  c.numbers = {1, 1, 1, 1, 1, 1, 0, 1};
  c.packed = true;
  c.gap = 3;
  checkInTurn({c, c});
}

TEST_F(Contractions, abi9_panelsOfPartsAreKept) {
  // The panels of the first call serve the second one.
  for (bool keeps : {true, false}) {
    keepsPanels = keeps;
    for (int64_t outside : {3, 8, 11}) {
      ContractCase c = inParts(2, 3, outside);
      c.image = {1, 9, 6};
      c.window = {3};
      c.numbers = {1, 1, 1, 1};
      c.packed = c.given = true;
      checkInTurn({c, c});
    }
  }
}

TEST_F(Contractions, partsThatDoNotDivideAreAnError) {
  struct Wrong {
    int64_t groups, channelsIn, weightIn, channels;
    const char *message;
  };
  const char *parts = "the groups of a contraction do not divide its channels";
  for (auto [groups, channelsIn, weightIn, channels, message] :
       {Wrong{2, 5, 2, 4, parts}, Wrong{2, 4, 2, 5, parts},
        Wrong{
            2, 4, 4, 4,
            "the image and the weight of a contraction differ in channels"}}) {
    Buffer image({1, 6, channelsIn}, 4), weight({3, weightIn, channels}, 4);
    ContractProgram launch(overChannels, 2);
    std::vector<int64_t> window = {1, 1, 0, 0};
    launch.contraction.window = window.data();
    launch.contraction.windowRank = 1;
    launch.contraction.groups = groups;
    CallContext call;
    BroadloomElementType type = typeOfBytes(4);
    call.setResultTypes(&type, 1);
    EXPECT_EQ(
        runProgram(call, launch.program, 4, {image.tensor(), weight.tensor()}),
        BROADLOOM_INVALID_ARGUMENT);
    EXPECT_EQ(call.failure().message, message);
  }
}

} // namespace
