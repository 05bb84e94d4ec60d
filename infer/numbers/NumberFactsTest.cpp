//===- NumberFactsTest.cpp - what facts say of numbers --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/Numbers.h"

#include "gtest/gtest.h"

using namespace broadloom;
using namespace broadloom::infer;

namespace {

class NumberFactsTest : public ::testing::Test {
protected:
  NumberFactsTest() {
    for (Extent &extent : extents)
      extent = symbols.create();
  }

  Symbols symbols;
  Numbers numbers{symbols};
  Extent extents[3];
};

TEST_F(NumberFactsTest, sf6_whatFollowsFromSeveralFacts) {
  Number n = numbers.numberOf(extents[0]), m = numbers.numberOf(extents[1]),
         k = numbers.numberOf(extents[2]);
  numbers.record(numbers.atMost(n, k), "the first guard");
  numbers.record(numbers.atMost(k, m), "the second guard");
  EXPECT_EQ(numbers.truthOf(numbers.atMost(n, m)), Truth::Proved);
  EXPECT_EQ(numbers.truthOf(numbers.equal(n, m)), Truth::Unknown);
  numbers.record(numbers.atMost(m, n), "the third guard");
  Answer answer = numbers.decide(numbers.equal(n, k));
  EXPECT_TRUE(answer.isProved());
  EXPECT_NE(symbols.origin(answer.fact()), "");
  // Twice a half is at most the whole, and differs from it by the rest.
  Number half = numbers.divide(n, Number(2));
  EXPECT_EQ(
      numbers.truthOf(numbers.atMost(numbers.multiply(half, Number(2)), n)),
      Truth::Proved);
  EXPECT_EQ(numbers.truthOf(
                numbers.equal(numbers.add(numbers.multiply(half, Number(2)),
                                          numbers.remainder(n, Number(2))),
                              n)),
            Truth::Proved);
}

TEST_F(NumberFactsTest, sf6_theFactThatDecides) {
  Number n = numbers.numberOf(extents[0]), m = numbers.numberOf(extents[1]),
         k = numbers.numberOf(extents[2]);
  auto why = [&](ConditionId condition) {
    Answer answer = numbers.decide(condition);
    EXPECT_TRUE(answer.isProved());
    return std::string(symbols.origin(answer.fact()));
  };
  numbers.record(numbers.atMost(Number(3), n), "at least 3");
  numbers.record(numbers.atMost(n, Number(9)), "at most 9");
  EXPECT_EQ(why(numbers.atMost(Number(2), n)), "at least 3");
  EXPECT_EQ(why(numbers.atMost(n, Number(10))), "at most 9");
  EXPECT_EQ(why(numbers.negate(numbers.equal(n, Number(2)))), "at least 3");
  EXPECT_EQ(why(numbers.negate(numbers.equal(n, Number(11)))), "at most 9");
  // Of several facts about the same numbers, the one that is needed.
  numbers.record(numbers.atMost(numbers.add(n, m), numbers.add(k, n)), "m, k");
  numbers.record(numbers.atMost(numbers.add(n, m), Number(100)), "n + m");
  EXPECT_EQ(why(numbers.atMost(m, numbers.add(k, Number(1)))), "m, k");
  // Nothing is known of others.
  EXPECT_EQ(why(numbers.atMost(Number(0), k)), "");
}

TEST_F(NumberFactsTest, hasFacts) {
  EXPECT_FALSE(numbers.hasFacts());
  numbers.record(numbers.equal(numbers.numberOf(extents[0]), Number(4)), "a");
  EXPECT_TRUE(numbers.hasFacts());
}

TEST_F(NumberFactsTest, rt8_aGuardThatTwoExtentsBroadcast) {
  auto either = [&](ConditionId a, ConditionId b) {
    return numbers.either(a, b);
  };
  Number n = numbers.numberOf(extents[0]), m = numbers.numberOf(extents[1]),
         k = numbers.numberOf(extents[2]), one(1);
  numbers.record(either(numbers.equal(n, m),
                        either(numbers.equal(n, one), numbers.equal(m, one))),
                 "a guard");
  EXPECT_TRUE(symbols.knownCompatible(extents[0], extents[1]));
  // Another extent is 1.
  numbers.record(either(numbers.equal(m, k),
                        either(numbers.equal(n, one), numbers.equal(k, one))),
                 "another guard");
  EXPECT_FALSE(symbols.knownCompatible(extents[1], extents[2]));
}

} // namespace
