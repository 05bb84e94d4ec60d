//===- NumbersTest.cpp - numbers and facts against brute force ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is proved holds for all extents that satisfy the facts, and what is
// refuted for none: random numbers, facts and questions, tried on every small
// extent.
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/Numbers.h"

#include "gtest/gtest.h"

#include <array>
#include <functional>
#include <random>

using namespace broadloom;
using namespace broadloom::infer;

namespace {

constexpr int kSymbols = 3;
constexpr int64_t kLargest = 6;
using Point = std::array<int64_t, kSymbols>;

/// A number with its meaning.
struct Meant {
  Number number;
  std::function<int64_t(const Point &)> at;
};
struct MeantCondition {
  ConditionId id;
  std::function<bool(const Point &)> at;
};

int64_t divideDown(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

class NumbersTest : public ::testing::Test {
protected:
  NumbersTest() {
    for (int i = 0; i < kSymbols; ++i)
      extents[i] = symbols.create();
  }

  int pick(int count) {
    return std::uniform_int_distribution<int>(0, count - 1)(random);
  }

  Meant makeLeaf() {
    if (pick(3) == 0) {
      int64_t n = pick(5) - 1;
      return {Number(n), [=](const Point &) { return n; }};
    }
    int i = pick(kSymbols);
    return {numbers.numberOf(extents[i]), [=](const Point &p) { return p[i]; }};
  }

  Meant makeNumber(int depth) {
    if (depth == 0)
      return makeLeaf();
    Meant a = makeNumber(depth - 1), b = makeNumber(pick(depth));
    auto f = a.at, g = b.at;
    int64_t by = 1 + pick(4);
    switch (pick(8)) {
    case 0:
    case 1:
      return {numbers.add(a.number, b.number),
              [=](const Point &p) { return f(p) + g(p); }};
    case 2:
      return {numbers.subtract(a.number, b.number),
              [=](const Point &p) { return f(p) - g(p); }};
    case 3:
      return {numbers.multiply(a.number, b.number),
              [=](const Point &p) { return f(p) * g(p); }};
    case 4:
      return {numbers.divide(a.number, Number(by)),
              [=](const Point &p) { return divideDown(f(p), by); }};
    case 5:
      return {numbers.remainder(a.number, Number(by)),
              [=](const Point &p) { return f(p) - by * divideDown(f(p), by); }};
    case 6:
      return {numbers.minimum(a.number, b.number),
              [=](const Point &p) { return std::min(f(p), g(p)); }};
    default:
      return {numbers.maximum(a.number, b.number),
              [=](const Point &p) { return std::max(f(p), g(p)); }};
    }
  }

  MeantCondition makeCondition(int depth) {
    Meant a = makeNumber(pick(3)), b = makeNumber(pick(2));
    auto f = a.at, g = b.at;
    MeantCondition made;
    if (pick(2))
      made = {numbers.equal(a.number, b.number),
              [=](const Point &p) { return f(p) == g(p); }};
    else
      made = {numbers.atMost(a.number, b.number),
              [=](const Point &p) { return f(p) <= g(p); }};
    if (depth == 0)
      return made;
    MeantCondition other = makeCondition(depth - 1);
    auto x = made.at, y = other.at;
    switch (pick(4)) {
    case 0:
      return {numbers.both(made.id, other.id),
              [=](const Point &p) { return x(p) && y(p); }};
    case 1:
      return {numbers.either(made.id, other.id),
              [=](const Point &p) { return x(p) || y(p); }};
    case 2:
      return {numbers.negate(made.id), [=](const Point &p) { return !x(p); }};
    default:
      return made;
    }
  }

  template <typename Visit> static void forEachPoint(Visit visit) {
    Point point{};
    for (point[0] = 0; point[0] <= kLargest; ++point[0])
      for (point[1] = 0; point[1] <= kLargest; ++point[1])
        for (point[2] = 0; point[2] <= kLargest; ++point[2])
          visit(point);
  }

  std::mt19937 random{20240607};
  Symbols symbols;
  Numbers numbers{symbols};
  std::array<Extent, kSymbols> extents;
};

TEST_F(NumbersTest, sf6_proofsHoldForAllExtents) {
  int proved = 0, refuted = 0, followed = 0;
  for (int round = 0; round < 4000; ++round) {
    size_t mark = symbols.mark();
    Numbers::Scope scope(numbers);
    std::vector<MeantCondition> facts;
    for (int i = pick(4); i > 0; --i) {
      facts.push_back(makeCondition(1));
      numbers.record(facts.back().id, "the test");
    }
    MeantCondition question = makeCondition(1);
    Truth before = numbers.truthOf(question.id);
    proved += before == Truth::Proved;
    refuted += before == Truth::Refuted;
    followed += before != Truth::Unknown && !facts.empty();
    forEachPoint([&](const Point &point) {
      for (const MeantCondition &fact : facts)
        if (!fact.at(point))
          return;
      ASSERT_FALSE(before == Truth::Proved && !question.at(point))
          << "round " << round << " at " << point[0] << "," << point[1] << ","
          << point[2];
      ASSERT_FALSE(before == Truth::Refuted && question.at(point))
          << "round " << round << " at " << point[0] << "," << point[1] << ","
          << point[2];
    });
    if (HasFatalFailure())
      return;
    symbols.rollBack(mark);
  }
  // Most queries have no answer, but not all of them.
  EXPECT_GT(proved, 100);
  EXPECT_GT(refuted, 100);
  EXPECT_GT(followed, 100);
}

TEST_F(NumbersTest, sf6_normalFormsMeanTheSame) {
  for (int round = 0; round < 2000; ++round) {
    Meant made = makeNumber(3);
    Bounds bounds = numbers.naturalBoundsOf(made.number);
    forEachPoint([&](const Point &point) {
      int64_t value = made.at(point);
      ASSERT_LE(bounds.lo, value) << "round " << round;
      ASSERT_GE(bounds.hi, value) << "round " << round;
      if (made.number.isConstant()) {
        ASSERT_EQ(made.number.constant, value) << "round " << round;
      }
    });
    if (HasFatalFailure())
      return;
  }
}

TEST_F(NumbersTest, rt8_aScopeTakesBackWhatItLearned) {
  Number n = numbers.numberOf(extents[0]), m = numbers.numberOf(extents[1]);
  ConditionId same = numbers.equal(numbers.multiply(n, m), Number(6));
  ConditionId least = numbers.atMost(Number(3), n);
  {
    Numbers::Scope scope(numbers);
    numbers.assume(same);
    numbers.assume(least);
    EXPECT_EQ(numbers.truthOf(same), Truth::Proved);
    EXPECT_EQ(numbers.boundsOf(n).lo, 3);
    // A quotient that is made here has no bound of its own for it.
    Number half = numbers.divide(numbers.subtract(n, Number(3)), Number(2));
    EXPECT_EQ(numbers.boundsOf(half).lo, 0);
    EXPECT_LT(numbers.naturalBoundsOf(half).lo, 0);
  }
  EXPECT_EQ(numbers.truthOf(same), Truth::Unknown);
  EXPECT_EQ(numbers.boundsOf(n).lo, 0);
}

/// What has been found of a number does not outlive the facts that say it,
/// whichever table has them.
TEST_F(NumbersTest, rt8_boundsAreThoseOfTheFactsOfNow) {
  Number n = numbers.numberOf(extents[0]), m = numbers.numberOf(extents[1]);
  Number half = numbers.divide(n, Number(2));
  Number product = numbers.multiply(numbers.multiply(half, m), half);
  for (int64_t least : {0, 6, 4}) {
    size_t mark = symbols.mark();
    symbols.assumeBounds(extents[0], least, least + 5);
    EXPECT_EQ(numbers.boundsOf(half).lo, least / 2);
    EXPECT_FALSE(numbers.isWord(product));
    {
      Numbers::Scope scope(numbers);
      numbers.assume(numbers.atMost(m, Number(9)));
      EXPECT_TRUE(numbers.isWord(product));
      numbers.assume(numbers.atMost(Number(least + 2), n));
      EXPECT_EQ(numbers.boundsOf(half).lo, least / 2 + 1);
    }
    EXPECT_EQ(numbers.boundsOf(half).lo, least / 2);
    EXPECT_FALSE(numbers.isWord(product));
    symbols.rollBack(mark);
  }
  EXPECT_EQ(numbers.boundsOf(half).lo, 0);
}

TEST_F(NumbersTest, sf6_quotientsOfQuotientsAreOne) {
  Number n = numbers.numberOf(extents[0]);
  auto halve = [&](const Number &x) {
    return numbers.add(
        numbers.divide(numbers.subtract(x, Number(1)), Number(2)), Number(1));
  };
  EXPECT_EQ(numbers.toString(halve(halve(n))), "(s0 + 3) / 4");
}

/// What is known of a quotient is known of what is divided.
TEST_F(NumbersTest, sf6_boundsOfAQuotientAreOnesOfTheDividend) {
  Number n = numbers.numberOf(extents[0]);
  Number next = numbers.add(n, Number(1));
  Number half = numbers.divide(next, Number(2)),
         quarter = numbers.divide(next, Number(4));
  ConditionId enough = numbers.atMost(Number(1), quarter),
              few = numbers.atMost(n, Number(6));
  EXPECT_EQ(numbers.truthOf(enough), Truth::Unknown);
  Numbers::Scope scope(numbers);
  numbers.assume(numbers.atMost(Number(2), half));
  EXPECT_EQ(numbers.truthOf(enough), Truth::Proved);
  EXPECT_EQ(numbers.boundsOf(n).lo, 3);
  EXPECT_EQ(numbers.truthOf(few), Truth::Unknown);
  numbers.assume(numbers.atMost(half, Number(3)));
  EXPECT_EQ(numbers.truthOf(few), Truth::Proved);
  EXPECT_EQ(numbers.boundsOf(n).hi, 6);
}

TEST_F(NumbersTest, numbersAndConditionsInWords) {
  Number n = numbers.numberOf(extents[0]), m = numbers.numberOf(extents[1]);
  Number one(1), two(2), four(4);
  auto text = [&](const Number &number) { return numbers.toString(number); };
  Number half = numbers.divide(numbers.add(n, one), two);
  EXPECT_EQ(text(numbers.subtract(half, two)), "(s0 + 1) / 2 - 2");
  EXPECT_EQ(text(numbers.multiply(m, half)), "s1*((s0 + 1) / 2)");
  EXPECT_EQ(text(numbers.multiply(half, Number(-1))), "-((s0 + 1) / 2)");
  EXPECT_EQ(text(numbers.divide(numbers.multiply(n, m), four)), "s0*s1 / 4");
  EXPECT_EQ(text(numbers.divide(n, numbers.multiply(m, m))), "s0 / (s1*s1)");
  EXPECT_EQ(text(numbers.remainder(half, four)), "((s0 + 1) / 2) mod 4");
  EXPECT_EQ(text(numbers.unknown()), "?");

  auto say = [&](ConditionId id) { return numbers.describe(id); };
  ConditionId isOne = numbers.equal(n, one), same = numbers.equal(n, m);
  EXPECT_EQ(say(isOne), "s0 = 1");
  EXPECT_EQ(say(numbers.negate(same)), "s0 != s1");
  EXPECT_EQ(say(numbers.atMost(one, numbers.subtract(n, four))), "s0 >= 5");
  EXPECT_EQ(say(numbers.atMost(n, four)), "s0 <= 4");
  EXPECT_EQ(say(numbers.negate(numbers.atMost(n, four))), "s0 > 4");
  EXPECT_EQ(say(numbers.lessThan(m, n)), "s0 > s1");
  EXPECT_EQ(say(numbers.equal(numbers.remainder(n, two), Number())),
            "s0 mod 2 = 0");
  ConditionId either = numbers.either(isOne, same);
  EXPECT_EQ(say(either), "s0 = 1 or s0 = s1");
  EXPECT_EQ(say(numbers.negate(either)), "s0 != 1 and s0 != s1");
  EXPECT_EQ(say(numbers.both(either, numbers.atMost(m, four))),
            "(s0 = 1 or s0 = s1) and s1 <= 4");
  // Too much to read, and nothing that has a name.
  ConditionId many = numbers.kFalse;
  for (int64_t i = 2; i < 9; ++i)
    many = numbers.either(many, numbers.equal(n, Number(i)));
  EXPECT_EQ(say(many), "");
  EXPECT_EQ(say(numbers.equal(numbers.unknown(), n)), "");
}

TEST_F(NumbersTest, sf6_remaindersTellOfOtherDivisors) {
  Number n = numbers.numberOf(extents[0]);
  auto isRest = [&](int64_t divisor, int64_t rest) {
    return numbers.truthOf(
        numbers.equal(numbers.remainder(n, Number(divisor)), Number(rest)));
  };
  {
    Numbers::Scope scope(numbers);
    numbers.assume(numbers.equal(numbers.remainder(n, Number(12)), Number(0)));
    EXPECT_EQ(isRest(4, 0), Truth::Proved);
    EXPECT_EQ(isRest(4, 1), Truth::Refuted);
    EXPECT_EQ(isRest(6, 0), Truth::Proved);
    EXPECT_EQ(isRest(8, 0), Truth::Unknown);
    EXPECT_EQ(isRest(5, 0), Truth::Unknown);
    EXPECT_EQ(numbers.truthOf(numbers.equal(n, Number(18))), Truth::Refuted);
  }
  EXPECT_EQ(isRest(4, 0), Truth::Unknown);
  Numbers::Scope scope(numbers);
  numbers.assume(numbers.equal(numbers.remainder(n, Number(12)), Number(7)));
  EXPECT_EQ(isRest(4, 3), Truth::Proved);
  EXPECT_EQ(isRest(6, 1), Truth::Proved);
  EXPECT_EQ(isRest(6, 0), Truth::Refuted);
}

TEST_F(NumbersTest, sf6_remaindersByExtents) {
  Number n = numbers.numberOf(extents[0]), m = numbers.numberOf(extents[1]),
         one(1);
  Number rest = numbers.remainder(numbers.add(n, one), numbers.add(m, one));
  EXPECT_TRUE(numbers.isNotNegative(rest));
  EXPECT_EQ(numbers.truthOf(numbers.atMost(rest, m)), Truth::Proved);
  EXPECT_EQ(numbers.truthOf(numbers.atMost(one, rest)), Truth::Unknown);
  // Of what may be 0 nothing says that the rest is less.
  Number open = numbers.remainder(Number(2), n);
  EXPECT_TRUE(numbers.isNotNegative(open));
  EXPECT_EQ(numbers.truthOf(numbers.atMost(open, Number(2))), Truth::Proved);
  EXPECT_EQ(numbers.truthOf(numbers.lessThan(open, n)), Truth::Unknown);
}

TEST_F(NumbersTest, sf6_productsOfExtentsThatHaveBecomeEqual) {
  Number n = numbers.numberOf(extents[0]), m = numbers.numberOf(extents[1]),
         k = numbers.numberOf(extents[2]);
  // Made before it is known that two extents are one.
  Number kn = numbers.multiply(k, n), km = numbers.multiply(k, m);
  ConditionId same = numbers.equal(kn, km);
  ConditionId times = numbers.equal(kn, numbers.multiply(km, Number(2)));
  EXPECT_EQ(numbers.truthOf(same), Truth::Unknown);
  {
    Numbers::Scope scope(numbers);
    numbers.record(numbers.equal(n, m), "a guard");
    EXPECT_EQ(numbers.truthOf(same), Truth::Proved);
    EXPECT_EQ(numbers.truthOf(times), Truth::Unknown);
    numbers.record(numbers.equal(m, Number(4)), "another");
    EXPECT_EQ(
        numbers.truthOf(numbers.equal(kn, numbers.multiply(k, Number(4)))),
        Truth::Proved);
  }
}

TEST_F(NumbersTest, sf6_choicesBetweenWhatFactsMakeOneNumber) {
  Number n = numbers.numberOf(extents[0]), m = numbers.numberOf(extents[1]);
  ConditionId open = numbers.equal(numbers.numberOf(extents[2]), Number(5));
  EXPECT_NE(numbers.select(open, n, Number(1)), Number(1));
  // Neither of them alone says that `n` is 1.
  numbers.record(numbers.equal(numbers.add(n, m), Number(3)), "a guard");
  numbers.record(numbers.equal(numbers.add(m, Number(1)), Number(3)),
                 "another");
  EXPECT_EQ(numbers.select(open, n, Number(1)), Number(1));
  EXPECT_EQ(numbers.select(open, Number(1), n), Number(1));
}

} // namespace
