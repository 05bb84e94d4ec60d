//===- NumberFactsTest.cpp - what facts say of numbers --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/Conditions.h"
#include "infer/numbers/NumberArithmetic.h"
#include "infer/numbers/Numbers.h"
#include "infer/numbers/SymbolExtents.h"

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
  Number n = numberOf(numbers, extents[0]), m = numberOf(numbers, extents[1]),
         k = numberOf(numbers, extents[2]);
  record(numbers, atMost(numbers, n, k), "the first guard");
  record(numbers, atMost(numbers, k, m), "the second guard");
  EXPECT_EQ(truthOf(numbers, atMost(numbers, n, m)), Truth::Proved);
  EXPECT_EQ(truthOf(numbers, equal(numbers, n, m)), Truth::Unknown);
  record(numbers, atMost(numbers, m, n), "the third guard");
  Answer answer = decide(numbers, equal(numbers, n, k));
  EXPECT_TRUE(answer.isProved());
  EXPECT_NE(symbols.origin(answer.fact()), "");
  // Twice a half is at most the whole, and differs from it by the rest.
  Number half = divide(numbers, n, Number(2));
  EXPECT_EQ(
      truthOf(numbers, atMost(numbers, *multiply(numbers, half, Number(2)), n)),
      Truth::Proved);
  EXPECT_EQ(
      truthOf(numbers, equal(numbers,
                             *add(numbers, *multiply(numbers, half, Number(2)),
                                  remainder(numbers, n, Number(2))),
                             n)),
      Truth::Proved);
}

TEST_F(NumberFactsTest, sf6_theFactThatDecides) {
  Number n = numberOf(numbers, extents[0]), m = numberOf(numbers, extents[1]),
         k = numberOf(numbers, extents[2]);
  auto why = [&](ConditionId condition) {
    Answer answer = decide(numbers, condition);
    EXPECT_TRUE(answer.isProved());
    return std::string(symbols.origin(answer.fact()));
  };
  record(numbers, atMost(numbers, Number(3), n), "at least 3");
  record(numbers, atMost(numbers, n, Number(9)), "at most 9");
  EXPECT_EQ(why(atMost(numbers, Number(2), n)), "at least 3");
  EXPECT_EQ(why(atMost(numbers, n, Number(10))), "at most 9");
  EXPECT_EQ(why(numbers.negate(equal(numbers, n, Number(2)))), "at least 3");
  EXPECT_EQ(why(numbers.negate(equal(numbers, n, Number(11)))), "at most 9");
  // Of several facts about the same numbers, the one that is needed.
  record(numbers, atMost(numbers, *add(numbers, n, m), *add(numbers, k, n)),
         "m, k");
  record(numbers, atMost(numbers, *add(numbers, n, m), Number(100)), "n + m");
  EXPECT_EQ(why(atMost(numbers, m, *add(numbers, k, Number(1)))), "m, k");
  // Nothing is known of others.
  EXPECT_EQ(why(atMost(numbers, Number(0), k)), "");
}

TEST_F(NumberFactsTest, hasFacts) {
  EXPECT_FALSE(numbers.hasFacts());
  record(numbers, equal(numbers, numberOf(numbers, extents[0]), Number(4)),
         "a");
  EXPECT_TRUE(numbers.hasFacts());
}

TEST_F(NumberFactsTest, rt8_aGuardThatTwoExtentsBroadcast) {
  auto either = [&](ConditionId a, ConditionId b) {
    return numbers.either(a, b);
  };
  Number n = numberOf(numbers, extents[0]), m = numberOf(numbers, extents[1]),
         k = numberOf(numbers, extents[2]), one(1);
  record(numbers,
         either(equal(numbers, n, m),
                either(equal(numbers, n, one), equal(numbers, m, one))),
         "a guard");
  EXPECT_TRUE(symbols.knownCompatible(extents[0], extents[1]));
  // Another extent is 1.
  record(numbers,
         either(equal(numbers, m, k),
                either(equal(numbers, n, one), equal(numbers, k, one))),
         "another guard");
  EXPECT_FALSE(symbols.knownCompatible(extents[1], extents[2]));
}

} // namespace
