//===- KeptPanelsTest.cpp - weights that are laid out once ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/KeptPanels.h"
#include "test/lib/runtime/ContractFixture.h"

using namespace broadloom;
using namespace broadloom::test;

namespace {

ContractCase givenOnce(Extents image, int64_t channels, int32_t threads,
                       Layout layout) {
  ContractCase c{image, {}, channels, {}, false, false, true, {channels}, {1}};
  c.threads = threads;
  c.given = true;
  c.weightLayout = layout;
  return c;
}

TEST_F(Contractions, abi9_weightsThatAreLaidOutOnce) {
  for (bool keeps : {true, false}) {
    keepsPanels = keeps;
    for (int64_t channels : {1, 7, 8, 9, 70})
      for (Layout layout : {Layout::RowMajor, Layout::Transposed,
                            Layout::Reversed, Layout::Spread, Layout::Offset})
        for (int32_t threads : {1, 2}) {
          auto product = [&](int64_t rows, int64_t depth) {
            return givenOnce({1, rows, depth}, channels, threads, layout);
          };
          checkInTurn({product(1, 40), product(9, 40), product(9, 40),
                       product(200, 40), product(1, 40)});
          checkInTurn({product(3, 300)});
        }
  }
}

TEST_F(Contractions, abi9_panelsAreThoseOfTheWeightAndItsLayout) {
  KeptPanels kept;
  char weights[2];
  KeptPanels::Key key{weights, 4, 1, 2, 3, 1, 3, 1, 8, 1, 0};
  uint64_t time = kept.enter();
  EXPECT_EQ(kept.find(key, time), nullptr);
  char *made = KeptPanels::make(64), *again = KeptPanels::make(64);
  ASSERT_TRUE(made && again);
  EXPECT_EQ(kept.keep(key, made, time), made);
  // Of two threads, the first one's stay.
  EXPECT_EQ(kept.keep(key, again, time), made);
  EXPECT_EQ(kept.find(key, time), made);
  for (int64_t KeptPanels::Key::*field :
       {&KeptPanels::Key::elementBytes, &KeptPanels::Key::taps,
        &KeptPanels::Key::tapDepth, &KeptPanels::Key::channels,
        &KeptPanels::Key::parts, &KeptPanels::Key::stepStride,
        &KeptPanels::Key::channelStride, &KeptPanels::Key::width,
        &KeptPanels::Key::together}) {
    KeptPanels::Key other = key;
    ++(other.*field);
    EXPECT_EQ(kept.find(other, time), nullptr);
  }
  KeptPanels::Key other = key;
  ++other.padding;
  EXPECT_EQ(kept.find(other, time), nullptr);
  other = key;
  ++other.weight;
  EXPECT_EQ(kept.find(other, time), nullptr);
  EXPECT_EQ(KeptPanels::make(INT64_MAX), nullptr);
  kept.leave();
}

TEST_F(Contractions, abi9_panelsAreForgottenWhenNoCallReadsThem) {
  KeptPanels kept;
  char weights[2];
  KeptPanels::Key key{weights, 4, 1, 2, 3, 1, 3, 1, 8, 1, 0};
  uint64_t before = kept.enter();
  char *old = KeptPanels::make(64);
  ASSERT_TRUE(old);
  kept.keep(key, old, before);
  kept.forget();
  uint64_t after = kept.enter();
  EXPECT_NE(before, after);
  // The earlier call may still read what it has found.
  memset(old, 1, 64);
  // Neither call finds the old panels.
  EXPECT_EQ(kept.find(key, before), nullptr);
  EXPECT_EQ(kept.find(key, after), nullptr);
  // What the earlier call has laid out is of the old weight.
  char *late = KeptPanels::make(64), *fresh = KeptPanels::make(64);
  ASSERT_TRUE(late && fresh);
  EXPECT_EQ(kept.keep(key, late, before), late);
  EXPECT_EQ(kept.find(key, after), nullptr);
  EXPECT_EQ(kept.keep(key, fresh, after), fresh);
  EXPECT_EQ(kept.find(key, after), fresh);
  kept.leave();
  memset(late, 1, 64);
  kept.leave();
  uint64_t last = kept.enter();
  EXPECT_EQ(last, after);
  EXPECT_EQ(kept.find(key, last), fresh);
  kept.leave();
}

TEST_F(Contractions, abi9_weightsOfWindowsThatAreLaidOutOnce) {
  for (bool keeps : {true, false}) {
    keepsPanels = keeps;
    for (int64_t channels : {1, 7, 8, 9, 70})
      for (Layout layout : {Layout::RowMajor, Layout::Transposed,
                            Layout::Reversed, Layout::Spread, Layout::Offset})
        for (int32_t threads : {1, 2}) {
          ContractCase c{
              {2, 7, 6, 3}, {3, 2}, channels, {1, 1, 1, 1, 2, 1, 0, 1},
              false,        false,  true,     {channels},
              {1}};
          c.threads = threads;
          c.given = true;
          c.weightLayout = layout;
          checkInTurn({c, c});
          // One column, and one element.
          c.window = {3, 1};
          checkInTurn({c, c});
          c.window = {1, 1};
          checkInTurn({c, c});
        }
  }
}

#ifndef BROADLOOM_EXACT_BLOCKS
TEST_F(Contractions, abi9_plansHoldForOneWeight) {
  ContractCase c = givenOnce({1, 9, 40}, 9, 1, Layout::RowMajor);
  // The second launch of each has the same weight, of two panels.
  checkInTurn({c, c});
  EXPECT_EQ(tilesOfPlans, 4);
}
#endif

} // namespace
