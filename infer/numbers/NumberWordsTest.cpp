//===- NumberWordsTest.cpp - words that wrap, against brute force ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random arithmetic on numbers near 0, 2^31, 2^32, 2^62 and the ends of 64
// bits: what is proved of words holds for what 64 bits compute, and what is
// refuted does not.
//
//
//===----------------------------------------------------------------------===//

#include "test/lib/numbers/NumberWordsTest.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/NumberArithmetic.h"
#include "infer/numbers/NumberBounds.h"
#include "infer/numbers/NumberText.h"
#include "infer/numbers/SymbolExtents.h"

#include <functional>

using namespace broadloom;
using namespace broadloom::infer;

namespace {

//===----------------------------------------------------------------------===//
// What wraps in the program wraps in the analysis
//===----------------------------------------------------------------------===//

struct Word {
  Number number;
  std::function<int64_t(const Point &)> at;
};
struct WordCondition {
  ConditionId id;
  std::function<bool(const Point &)> at;
};

class WrappingTest : public WordsTest {
protected:
  Word makeWord(int depth) {
    if (depth == 0) {
      if (pick(3) == 0) {
        int64_t value = pickWord();
        return {numbers.word(value), [=](const Point &) { return value; }};
      }
      int i = pick(kLeaves);
      return {leaves[i], [=](const Point &p) { return p[i]; }};
    }
    Word a = makeWord(depth - 1), b = makeWord(pick(depth));
    auto f = a.at, g = b.at;
    int64_t by = 1 + pick(5);
    switch (pick(9)) {
    case 0:
    case 1:
    case 2:
      return {addWords(numbers, a.number, b.number), [=](const Point &p) {
                return int64_t(uint64_t(f(p)) + uint64_t(g(p)));
              }};
    case 3:
      return {subtractWords(numbers, a.number, b.number), [=](const Point &p) {
                return int64_t(uint64_t(f(p)) - uint64_t(g(p)));
              }};
    case 4:
      return {multiplyWords(numbers, a.number, b.number), [=](const Point &p) {
                return int64_t(uint64_t(f(p)) * uint64_t(g(p)));
              }};
    case 5:
      return {minimum(numbers, a.number, b.number),
              [=](const Point &p) { return std::min(f(p), g(p)); }};
    case 6:
      return {maximum(numbers, a.number, b.number),
              [=](const Point &p) { return std::max(f(p), g(p)); }};
    case 7: {
      Number quotient = divide(numbers, a.number, Number(by));
      return {quotient,
              [=](const Point &p) { return f(p) / by - (f(p) % by < 0); }};
    }
    default: {
      ConditionId less = lessThan(numbers, a.number, b.number);
      return {select(numbers, less, b.number, a.number),
              [=](const Point &p) { return f(p) < g(p) ? g(p) : f(p); }};
    }
    }
  }

  WordCondition makeCondition(int depth) {
    Word a = makeWord(pick(3)), b = makeWord(pick(2));
    auto f = a.at, g = b.at;
    WordCondition made;
    switch (pick(3)) {
    case 0:
      made = {equal(numbers, a.number, b.number),
              [=](const Point &p) { return f(p) == g(p); }};
      break;
    case 1:
      made = {lessThan(numbers, a.number, b.number),
              [=](const Point &p) { return f(p) < g(p); }};
      break;
    default:
      made = {atMost(numbers, a.number, b.number),
              [=](const Point &p) { return f(p) <= g(p); }};
      break;
    }
    if (depth == 0)
      return made;
    WordCondition other = makeCondition(depth - 1);
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
};

TEST_F(WrappingTest, rt13_proofsHoldOfWhatWraps) {
  int proved = 0, refuted = 0, followed = 0;
  for (int round = 0; round < 6000; ++round) {
    size_t mark = symbols.mark();
    Numbers::Scope scope(numbers);
    std::vector<WordCondition> facts;
    for (int i = pick(3); i > 0; --i) {
      facts.push_back(makeCondition(pick(2)));
      record(numbers, facts.back().id, "the test");
    }
    // Words are made under the facts, as in a program.
    WordCondition question = makeCondition(1);
    Truth answer = truthOf(numbers, question.id);
    int hits = 0;
    for (int i = 0; i < 60; ++i) {
      Point point = pickPoint();
      bool isReached = true;
      for (const WordCondition &fact : facts)
        isReached = isReached && fact.at(point);
      if (!isReached)
        continue;
      ++hits;
      ASSERT_FALSE(answer == Truth::Proved && !question.at(point))
          << "round " << round << ": " << describe(numbers, question.id)
          << " at " << toText(point);
      ASSERT_FALSE(answer == Truth::Refuted && question.at(point))
          << "round " << round << ": " << describe(numbers, question.id)
          << " at " << toText(point);
    }
    proved += answer == Truth::Proved && hits > 0;
    refuted += answer == Truth::Refuted && hits > 0;
    followed += answer != Truth::Unknown && !facts.empty() && hits > 0;
    symbols.rollBack(mark);
  }
  EXPECT_GT(proved, 100);
  EXPECT_GT(refuted, 100);
  EXPECT_GT(followed, 100);
}

TEST_F(WordsTest, rt13_aSumThatMayWrapIsNoSum) {
  Number n = leaves[0], h = leaves[2];
  Number next = addWords(numbers, h, Number(1));
  ConditionId inside = atMost(numbers, Number(0), next);
  Numbers::Scope scope(numbers);
  assume(numbers, atMost(numbers, Number(0), h));
  EXPECT_EQ(truthOf(numbers, inside), Truth::Unknown);
  assume(numbers, lessThan(numbers, next, n));
  EXPECT_EQ(truthOf(numbers, inside), Truth::Unknown);
  // Where h itself is bounded, it does not wrap.
  assume(numbers, lessThan(numbers, h, n));
  EXPECT_EQ(truthOf(numbers, inside), Truth::Proved);
}

TEST_F(WordsTest, rt13_twiceTheSameWordIsOne) {
  Number h = leaves[2], k = leaves[3];
  EXPECT_EQ(addWords(numbers, h, k), addWords(numbers, k, h));
  Number back = subtractWords(numbers, addWords(numbers, h, k), k);
  EXPECT_EQ(back, h);
  // 2^63 + 2^63 is 0.
  Number least = numbers.word(std::numeric_limits<int64_t>::min());
  EXPECT_TRUE(addWords(numbers, least, least).isConstant(0));
  EXPECT_EQ(numbers.getWord(subtractWords(numbers, least, Number(1))),
            std::numeric_limits<int64_t>::max());
}

TEST_F(WordsTest, ext5_extentsOfOneTensorHaveProductsThatFit) {
  Extent a = symbols.create(), b = symbols.create(), c = symbols.create();
  for (Extent extent : {a, b})
    numbers.limitExtent(extent, kMost, 7);
  numbers.limitExtent(c, kMost, 8);
  Number x = numberOf(numbers, a), y = numberOf(numbers, b),
         z = numberOf(numbers, c);
  EXPECT_EQ(multiplyWords(numbers, x, y), *multiply(numbers, x, y));
  EXPECT_NE(multiplyWords(numbers, x, z), *multiply(numbers, x, z));
  EXPECT_EQ(addWords(numbers, x, z), *add(numbers, x, z));
  EXPECT_EQ(isComputable(numbers, *multiply(numbers, x, y)), Numbers::kTrue);
  EXPECT_NE(isComputable(numbers, *multiply(numbers, x, z)), Numbers::kTrue);
}

} // namespace
