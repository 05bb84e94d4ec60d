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
#include "infer/numbers/Conditions.h"
#include "infer/numbers/NumberArithmetic.h"
#include "infer/numbers/NumberBounds.h"
#include "infer/numbers/NumberText.h"
#include "infer/numbers/SymbolExtents.h"

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
    return {numberOf(numbers, extents[i]),
            [=](const Point &p) { return p[i]; }};
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
      return {*add(numbers, a.number, b.number),
              [=](const Point &p) { return f(p) + g(p); }};
    case 2:
      return {*subtract(numbers, a.number, b.number),
              [=](const Point &p) { return f(p) - g(p); }};
    case 3:
      return {*multiply(numbers, a.number, b.number),
              [=](const Point &p) { return f(p) * g(p); }};
    case 4:
      return {divide(numbers, a.number, Number(by)),
              [=](const Point &p) { return divideDown(f(p), by); }};
    case 5:
      return {remainder(numbers, a.number, Number(by)),
              [=](const Point &p) { return f(p) - by * divideDown(f(p), by); }};
    case 6:
      return {minimum(numbers, a.number, b.number),
              [=](const Point &p) { return std::min(f(p), g(p)); }};
    default:
      return {maximum(numbers, a.number, b.number),
              [=](const Point &p) { return std::max(f(p), g(p)); }};
    }
  }

  MeantCondition makeCondition(int depth) {
    Meant a = makeNumber(pick(3)), b = makeNumber(pick(2));
    auto f = a.at, g = b.at;
    MeantCondition made;
    if (pick(2))
      made = {equal(numbers, a.number, b.number),
              [=](const Point &p) { return f(p) == g(p); }};
    else
      made = {atMost(numbers, a.number, b.number),
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
      record(numbers, facts.back().id, "the test");
    }
    MeantCondition question = makeCondition(1);
    Truth before = truthOf(numbers, question.id);
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
  Number n = numberOf(numbers, extents[0]), m = numberOf(numbers, extents[1]);
  ConditionId same = equal(numbers, *multiply(numbers, n, m), Number(6));
  ConditionId least = atMost(numbers, Number(3), n);
  {
    Numbers::Scope scope(numbers);
    assume(numbers, same);
    assume(numbers, least);
    EXPECT_EQ(truthOf(numbers, same), Truth::Proved);
    EXPECT_EQ(boundsOf(numbers, n).lo, 3);
    // A quotient that is made here has no bound of its own for it.
    Number half = divide(numbers, *subtract(numbers, n, Number(3)), Number(2));
    EXPECT_EQ(boundsOf(numbers, half).lo, 0);
    EXPECT_LT(numbers.naturalBoundsOf(half).lo, 0);
  }
  EXPECT_EQ(truthOf(numbers, same), Truth::Unknown);
  EXPECT_EQ(boundsOf(numbers, n).lo, 0);
}

/// What has been found of a number does not outlive the facts that say it,
/// whichever table has them.
TEST_F(NumbersTest, rt8_boundsAreThoseOfTheFactsOfNow) {
  Number n = numberOf(numbers, extents[0]), m = numberOf(numbers, extents[1]);
  Number half = divide(numbers, n, Number(2));
  Number product = *multiply(numbers, *multiply(numbers, half, m), half);
  for (int64_t least : {0, 6, 4}) {
    size_t mark = symbols.mark();
    symbols.assumeBounds(extents[0], least, least + 5);
    EXPECT_EQ(boundsOf(numbers, half).lo, least / 2);
    EXPECT_FALSE(isWord(numbers, product));
    {
      Numbers::Scope scope(numbers);
      assume(numbers, atMost(numbers, m, Number(9)));
      EXPECT_TRUE(isWord(numbers, product));
      assume(numbers, atMost(numbers, Number(least + 2), n));
      EXPECT_EQ(boundsOf(numbers, half).lo, least / 2 + 1);
    }
    EXPECT_EQ(boundsOf(numbers, half).lo, least / 2);
    EXPECT_FALSE(isWord(numbers, product));
    symbols.rollBack(mark);
  }
  EXPECT_EQ(boundsOf(numbers, half).lo, 0);
}

TEST_F(NumbersTest, sf6_quotientsOfQuotientsAreOne) {
  Number n = numberOf(numbers, extents[0]);
  auto halve = [&](const Number &x) {
    return *add(numbers,
                divide(numbers, *subtract(numbers, x, Number(1)), Number(2)),
                Number(1));
  };
  EXPECT_EQ(toString(numbers, halve(halve(n))), "(s0 + 3) / 4");
}

/// What is known of a quotient is known of what is divided.
TEST_F(NumbersTest, sf6_boundsOfAQuotientAreOnesOfTheDividend) {
  Number n = numberOf(numbers, extents[0]);
  Number next = *add(numbers, n, Number(1));
  Number half = divide(numbers, next, Number(2)),
         quarter = divide(numbers, next, Number(4));
  ConditionId enough = atMost(numbers, Number(1), quarter),
              few = atMost(numbers, n, Number(6));
  EXPECT_EQ(truthOf(numbers, enough), Truth::Unknown);
  Numbers::Scope scope(numbers);
  assume(numbers, atMost(numbers, Number(2), half));
  EXPECT_EQ(truthOf(numbers, enough), Truth::Proved);
  EXPECT_EQ(boundsOf(numbers, n).lo, 3);
  EXPECT_EQ(truthOf(numbers, few), Truth::Unknown);
  assume(numbers, atMost(numbers, half, Number(3)));
  EXPECT_EQ(truthOf(numbers, few), Truth::Proved);
  EXPECT_EQ(boundsOf(numbers, n).hi, 6);
}

TEST_F(NumbersTest, numbersAndConditionsInWords) {
  Number n = numberOf(numbers, extents[0]), m = numberOf(numbers, extents[1]);
  Number one(1), two(2), four(4);
  auto text = [&](const Number &number) { return toString(numbers, number); };
  Number half = divide(numbers, *add(numbers, n, one), two);
  EXPECT_EQ(text(*subtract(numbers, half, two)), "(s0 + 1) / 2 - 2");
  EXPECT_EQ(text(*multiply(numbers, m, half)), "s1*((s0 + 1) / 2)");
  EXPECT_EQ(text(*multiply(numbers, half, Number(-1))), "-((s0 + 1) / 2)");
  EXPECT_EQ(text(divide(numbers, *multiply(numbers, n, m), four)), "s0*s1 / 4");
  EXPECT_EQ(text(divide(numbers, n, *multiply(numbers, m, m))), "s0 / (s1*s1)");
  EXPECT_EQ(text(remainder(numbers, half, four)), "((s0 + 1) / 2) mod 4");
  EXPECT_EQ(text(numbers.unknown()), "?");

  auto say = [&](ConditionId id) { return describe(numbers, id); };
  ConditionId isOne = equal(numbers, n, one), same = equal(numbers, n, m);
  EXPECT_EQ(say(isOne), "s0 = 1");
  EXPECT_EQ(say(numbers.negate(same)), "s0 != s1");
  EXPECT_EQ(say(atMost(numbers, one, *subtract(numbers, n, four))), "s0 >= 5");
  EXPECT_EQ(say(atMost(numbers, n, four)), "s0 <= 4");
  EXPECT_EQ(say(numbers.negate(atMost(numbers, n, four))), "s0 > 4");
  EXPECT_EQ(say(lessThan(numbers, m, n)), "s0 > s1");
  EXPECT_EQ(say(equal(numbers, remainder(numbers, n, two), Number())),
            "s0 mod 2 = 0");
  ConditionId either = numbers.either(isOne, same);
  EXPECT_EQ(say(either), "s0 = 1 or s0 = s1");
  EXPECT_EQ(say(numbers.negate(either)), "s0 != 1 and s0 != s1");
  EXPECT_EQ(say(numbers.both(either, atMost(numbers, m, four))),
            "(s0 = 1 or s0 = s1) and s1 <= 4");
  // Too much to read, and nothing that has a name.
  ConditionId many = numbers.kFalse;
  for (int64_t i = 2; i < 9; ++i)
    many = numbers.either(many, equal(numbers, n, Number(i)));
  EXPECT_EQ(say(many), "");
  EXPECT_EQ(say(equal(numbers, numbers.unknown(), n)), "");
}

TEST_F(NumbersTest, sf6_remaindersTellOfOtherDivisors) {
  Number n = numberOf(numbers, extents[0]);
  auto isRest = [&](int64_t divisor, int64_t rest) {
    return truthOf(
        numbers,
        equal(numbers, remainder(numbers, n, Number(divisor)), Number(rest)));
  };
  {
    Numbers::Scope scope(numbers);
    assume(numbers,
           equal(numbers, remainder(numbers, n, Number(12)), Number(0)));
    EXPECT_EQ(isRest(4, 0), Truth::Proved);
    EXPECT_EQ(isRest(4, 1), Truth::Refuted);
    EXPECT_EQ(isRest(6, 0), Truth::Proved);
    EXPECT_EQ(isRest(8, 0), Truth::Unknown);
    EXPECT_EQ(isRest(5, 0), Truth::Unknown);
    EXPECT_EQ(truthOf(numbers, equal(numbers, n, Number(18))), Truth::Refuted);
  }
  EXPECT_EQ(isRest(4, 0), Truth::Unknown);
  Numbers::Scope scope(numbers);
  assume(numbers, equal(numbers, remainder(numbers, n, Number(12)), Number(7)));
  EXPECT_EQ(isRest(4, 3), Truth::Proved);
  EXPECT_EQ(isRest(6, 1), Truth::Proved);
  EXPECT_EQ(isRest(6, 0), Truth::Refuted);
}

TEST_F(NumbersTest, sf6_remaindersByExtents) {
  Number n = numberOf(numbers, extents[0]), m = numberOf(numbers, extents[1]),
         one(1);
  Number rest =
      remainder(numbers, *add(numbers, n, one), *add(numbers, m, one));
  EXPECT_TRUE(isNotNegative(numbers, rest));
  EXPECT_EQ(truthOf(numbers, atMost(numbers, rest, m)), Truth::Proved);
  EXPECT_EQ(truthOf(numbers, atMost(numbers, one, rest)), Truth::Unknown);
  // Of what may be 0 nothing says that the rest is less.
  Number open = remainder(numbers, Number(2), n);
  EXPECT_TRUE(isNotNegative(numbers, open));
  EXPECT_EQ(truthOf(numbers, atMost(numbers, open, Number(2))), Truth::Proved);
  EXPECT_EQ(truthOf(numbers, lessThan(numbers, open, n)), Truth::Unknown);
}

TEST_F(NumbersTest, sf6_productsOfExtentsThatHaveBecomeEqual) {
  Number n = numberOf(numbers, extents[0]), m = numberOf(numbers, extents[1]),
         k = numberOf(numbers, extents[2]);
  // Made before it is known that two extents are one.
  Number kn = *multiply(numbers, k, n), km = *multiply(numbers, k, m);
  ConditionId same = equal(numbers, kn, km);
  ConditionId times = equal(numbers, kn, *multiply(numbers, km, Number(2)));
  EXPECT_EQ(truthOf(numbers, same), Truth::Unknown);
  {
    Numbers::Scope scope(numbers);
    record(numbers, equal(numbers, n, m), "a guard");
    EXPECT_EQ(truthOf(numbers, same), Truth::Proved);
    EXPECT_EQ(truthOf(numbers, times), Truth::Unknown);
    record(numbers, equal(numbers, m, Number(4)), "another");
    EXPECT_EQ(
        truthOf(numbers, equal(numbers, kn, *multiply(numbers, k, Number(4)))),
        Truth::Proved);
  }
}

TEST_F(NumbersTest, sf6_choicesBetweenWhatFactsMakeOneNumber) {
  Number n = numberOf(numbers, extents[0]), m = numberOf(numbers, extents[1]);
  ConditionId open = equal(numbers, numberOf(numbers, extents[2]), Number(5));
  EXPECT_NE(select(numbers, open, n, Number(1)), Number(1));
  // Neither of them alone says that `n` is 1.
  record(numbers, equal(numbers, *add(numbers, n, m), Number(3)), "a guard");
  record(numbers, equal(numbers, *add(numbers, m, Number(1)), Number(3)),
         "another");
  EXPECT_EQ(select(numbers, open, n, Number(1)), Number(1));
  EXPECT_EQ(select(numbers, open, Number(1), n), Number(1));
}

/// Constants that do not fit 64 bits give nothing; other numbers have a result.
TEST_F(NumbersTest, sf6_overflowIsNothing) {
  constexpr int64_t most = Bounds::kNone - 1;
  EXPECT_EQ(add(numbers, Number(most - 1), Number(1)), Number(most));
  EXPECT_FALSE(add(numbers, Number(most), Number(1)));
  EXPECT_FALSE(subtract(numbers, Number(-most), Number(1)));
  EXPECT_EQ(subtract(numbers, Number(0), Number(most)), Number(-most));
  EXPECT_FALSE(multiply(numbers, Number(most), Number(2)));
  EXPECT_EQ(multiply(numbers, Number(most), Number(-1)), Number(-most));
  // Nothing stays nothing.
  std::optional<Number> large = multiply(numbers, Number(most), Number(most));
  EXPECT_FALSE(add(numbers, large, Number(1)));
  EXPECT_FALSE(subtract(numbers, large, large));
  EXPECT_FALSE(multiply(numbers, Number(0), large));
  EXPECT_FALSE(orUnknown(numbers, large).isConstant());
  // Quotients and remainders of constants fit, also where their product does
  // not.
  EXPECT_EQ(divide(numbers, Number(most), Number(-1)), Number(-most));
  EXPECT_EQ(remainder(numbers, Number(most), Number(-most + 1)),
            Number(-most + 2));
  Number n = numberOf(numbers, extents[0]);
  std::optional<Number> sum = add(numbers, n, Number(most));
  ASSERT_TRUE(sum);
  sum = add(numbers, *sum, Number(most));
  ASSERT_TRUE(sum);
  EXPECT_TRUE(numbers.isNoWord(*sum));
}

} // namespace
