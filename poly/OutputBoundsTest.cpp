//===- OutputBoundsTest.cpp - loops over a relation's outputs -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/OutputBounds.h"
#include "poly/RelationQuestions.h"
#include "poly/RelationText.h"

#include <gtest/gtest.h>

#include <random>

#include <set>

using namespace broadloom;
using namespace broadloom::poly;

static Relation parse(const std::string &text) {
  ParsedRelation parsed = parseRelation(text);
  EXPECT_TRUE(parsed.relation) << text << ": " << parsed.error->message;
  return *parsed.relation;
}

namespace {

/// Runs the loops of a relation without unknowns.
struct Loops {
  const Relation &relation;
  std::set<Point> met;

  /// `values` has those of the first variables of the space.
  int64_t evaluate(const Form &form, const std::vector<int64_t> &values) {
    return int64_t(*relation.getSpace().evaluate(form, values));
  }

  void run(const OutputBounds &bounds, size_t loop,
           std::vector<int64_t> &values) {
    if (loop == bounds.variables.size()) {
      for (const Row &row : bounds.conditions) {
        int64_t value = evaluate(row.form, values);
        if (row.isZero ? value != 0 : value < 0)
          return;
      }
      met.insert(values);
      return;
    }
    const BoundedVariable &bounded = bounds.variables[loop];
    ASSERT_FALSE(bounded.lowers.empty() || bounded.uppers.empty());
    int64_t first = -1000, last = 1000;
    for (const Bound &bound : bounded.lowers) {
      int64_t value = evaluate(bound.form, values);
      first = std::max(first, -floorDivide(-value, bound.divisor));
    }
    for (const Bound &bound : bounded.uppers)
      last = std::min(last,
                      floorDivide(evaluate(bound.form, values), bound.divisor));
    for (int64_t i = first; i <= last; ++i) {
      values[bounded.variable] = i;
      run(bounds, loop + 1, values);
    }
  }

  static int64_t floorDivide(int64_t a, int64_t b) {
    return a / b - (a % b < 0);
  }
};

} // namespace

/// For inputs and symbols from -3 to 9, the loops meet the points and no other.
static void compare(const std::string &text) {
  Relation relation = parse(text);
  size_t numOutputs = relation.getSignature().outputs.size(),
         numGiven = relation.getNumVariables() - numOutputs;
  ASSERT_LE(numGiven, 2u);
  ASSERT_LE(numOutputs, 2u);
  for (int64_t a = -3; a <= (numGiven > 0 ? 9 : -3); ++a)
    for (int64_t b = -3; b <= (numGiven > 1 ? 9 : -3); ++b) {
      std::vector<int64_t> values = {a, b};
      values.resize(numGiven);
      values.resize(relation.getNumVariables());
      Loops loops = {relation, {}};
      for (const Rows &part : relation.getParts()) {
        OutputBounds bounds = boundOutputs(relation, part);
        ASSERT_EQ(bounds.limit, Limit::None) << text;
        loops.run(bounds, 0, values);
      }
      std::set<Point> expected;
      for (int64_t i = -25; i <= 25; ++i)
        for (int64_t j = -25; j <= (numOutputs > 1 ? 25 : -25); ++j) {
          Point point(values.begin(), values.begin() + numGiven);
          point.push_back(i);
          if (numOutputs > 1)
            point.push_back(j);
          if (contains(relation, point) == Truth::Proved)
            expected.insert(point);
        }
      EXPECT_EQ(loops.met, expected) << text << " at " << a << ", " << b;
    }
}

TEST(OutputBounds, MeetThePoints) {
  compare("(d) -> (r) : (d <= r <= d + 1)");
  compare("()[n] -> (i, j) : (0 <= i <= j < n)");
  compare("()[n] -> (i, j) : (0 <= j <= i < n, i + j <= 5)");
  compare("()[n] -> (i) : (0 <= 2*i < n)");
  compare("()[n] -> (i) : (2*i == n)");
  compare("()[n] -> (i, j) : (i + 2*j == n, 0 <= i <= 7)");
  compare("(i) -> (b, l) : (b == i floordiv 3, l == i mod 3)");
  compare("()[n] -> (i) : (0 <= i < n, i mod 3 == 1)");
  compare("()[n, m] -> (i, j) : (0 <= i < n, i floordiv 2 <= j <= m)");
  compare("()[n] -> (i, j) : (0 <= i floordiv 2 < n, j == i - 1, n >= 2)");
  compare("()[n] -> (i) : (n == 3, 0 <= i <= 2) or (i == n, n <= 0)");
  compare("()[n] -> (i) : (false)");
}

/// What loops with steps, quotients and remainders write is bounded.
TEST(OutputBounds, BoundImages) {
  std::mt19937 random(7);
  auto pick = [&](int least, int greatest) {
    return std::to_string(
        std::uniform_int_distribution<int>(least, greatest)(random));
  };
  auto makeOutput = [&](const std::string &name) {
    std::string form =
        pick(-2, 2) + "*e + " + pick(-2, 2) + "*f + " + pick(-1, 1) + "*n";
    switch (random() % 3) {
    case 0:
      return name + " == " + form;
    case 1:
      return name + " == (" + form + ") mod " + pick(2, 4);
    default:
      return name + " == (" + form + ") floordiv " + pick(2, 4);
    }
  };
  std::vector<std::string> texts = {
      "i == 2*e mod 3, j == 2*e - 2*f + n, 0 <= 2*e < n, 0 <= 2*f < m"};
  while (texts.size() < 200) {
    std::string first = makeOutput("i"), second = makeOutput("j");
    texts.push_back(first + ", " + second + ", 0 <= " + pick(1, 3) +
                    "*e < n, 0 <= " + pick(1, 3) + "*f < m");
  }
  unsigned numBounded = 0;
  for (const std::string &text : texts) {
    Relation relation =
        parse("()[n, m] -> (i, j) : exists (e, f) : (" + text + ")");
    for (const Rows &part : relation.getParts()) {
      OutputBounds bounds = boundOutputs(relation, part);
      if (bounds.limit != Limit::None)
        continue;
      ++numBounded;
      for (const BoundedVariable &variable : bounds.variables)
        EXPECT_FALSE(variable.lowers.empty() || variable.uppers.empty())
            << text;
    }
  }
  EXPECT_GE(numBounded, texts.size());
}

TEST(OutputBounds, TellWhatIsNotBounded) {
  Relation relation = parse("()[n] -> (i, j) : (0 <= i <= n, i <= j)");
  OutputBounds bounds = boundOutputs(relation, relation.getParts().front());
  ASSERT_EQ(bounds.variables.size(), 2u);
  EXPECT_FALSE(bounds.variables[0].uppers.empty());
  EXPECT_FALSE(bounds.variables[1].lowers.empty());
  EXPECT_TRUE(bounds.variables[1].uppers.empty());
}

TEST(OutputBounds, AreLimited) {
  Relation relation =
      parse("()[n] -> (i, j) : (4611686018427387905*i <= 4611686018427387903*j,"
            " 4611686018427387901*j <= 3*i + n, 0 <= i + 7*j)");
  OutputBounds bounds = boundOutputs(relation, relation.getParts().front());
  EXPECT_EQ(bounds.limit, Limit::Overflow);
}
