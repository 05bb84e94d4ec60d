//===- InsidePropertyTest.cpp - random nests against enumeration ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/FirstFailure.h"
#include "poly/Inside.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

using namespace broadloom;
using namespace broadloom::poly;

namespace {

using Values = std::vector<int64_t>;

/// A number of a nest: for the library, and as a function of the values of
/// symbols and of the loops so far.
struct Number {
  Form form;
  std::function<int64_t(const Values &)> get;
};

int64_t floorDivideTest(int64_t a, int64_t b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/// What a random nest is made of.
struct Style {
  unsigned symbols = 2, loops = 2;
  int64_t maxCoefficient = 1;
  bool hasSteps = false, hasQuotients = false, hasConditions = false,
       hasProducts = false;
};

struct TestLoop {
  std::vector<Number> lowers, uppers;
  int64_t step;
};

/// Iterations that stand behind the loops so far.
struct TestCondition {
  size_t depth;
  bool isElse;
  /// With whether it is an equality.
  std::vector<std::pair<Number, bool>> rows;
};

class Nest {
public:
  Nest(unsigned seed, Style style) : random(seed), style(style) {
    for (unsigned i = 0; i < style.symbols; ++i)
      addVariable(domain.addSymbol(std::string(1, char('m' + i))));
    extent = addVariable(domain.addSymbol("N"));
    domain.assume(isAtMost(0, extent.form));
    for (unsigned i = 0; i < style.loops; ++i)
      addLoop(std::string(1, char('i' + i)));
    unsigned rank = pick(1, 2);
    for (unsigned i = 0; i < rank; ++i) {
      subscripts.push_back(makeNumber(/*isSubscript=*/true));
      access.push_back({subscripts.back().form, extent.form});
    }
  }

  struct Found {
    std::optional<Values> iteration;
    int64_t axis = 0, index = 0;
  };

  /// The first iteration outside, by running the nest.
  Found run(const Values &symbols) const {
    Found found;
    Values values = symbols;
    runFrom(0, values, found);
    return found;
  }

  Domain domain;
  Access access;

private:
  int64_t pick(int64_t least, int64_t greatest) {
    return std::uniform_int_distribution<int64_t>(least, greatest)(random);
  }
  bool flip(int percent) { return pick(1, 100) <= percent; }

  Number addVariable(Form form) {
    size_t number = variables.size();
    variables.push_back(
        {form, [number](const Values &values) { return values[number]; }});
    return variables.back();
  }

  static Number add(Number a, int64_t coefficient, Number b) {
    return {a.form + Form(coefficient) * b.form, [=](const Values &values) {
              return a.get(values) + coefficient * b.get(values);
            }};
  }

  Number makeSum() {
    int64_t constant = pick(-2, 2);
    Number sum = {constant, [=](const Values &) { return constant; }};
    for (const Number &variable : variables)
      if (flip(45))
        sum = add(sum, pick(-style.maxCoefficient, style.maxCoefficient),
                  variable);
    return sum;
  }

  Number makeNumber(bool isSubscript) {
    Number number = makeSum();
    if (style.hasQuotients && flip(40)) {
      int64_t by = pick(2, 4);
      Number inner = number;
      bool isRemainder = flip(50);
      number.form = isRemainder ? domain.remainder(inner.form, by)
                                : domain.floorDivide(inner.form, by);
      number.get = [=](const Values &values) {
        int64_t value = inner.get(values),
                quotient = floorDivideTest(value, by);
        return isRemainder ? value - by * quotient : quotient;
      };
      if (flip(50))
        number = add(number, pick(-1, 1), makeSum());
    }
    if (style.hasProducts && isSubscript) {
      for (size_t i = style.symbols + 1; i < variables.size(); ++i) {
        if (!flip(60))
          continue;
        Number loop = variables[i], symbol = variables[pick(0, style.symbols)];
        Number product = {loop.form * symbol.form, [=](const Values &values) {
                            return loop.get(values) * symbol.get(values);
                          }};
        number = add(number, flip(70) ? 1 : -1, product);
      }
    }
    return number;
  }

  void addLoop(std::string name) {
    TestLoop loop;
    auto make = [&](std::vector<Number> &bounds) {
      std::vector<Form> forms;
      for (int64_t i = 0, count = flip(30) ? 2 : 1; i < count; ++i) {
        bounds.push_back(makeNumber(/*isSubscript=*/false));
        forms.push_back(bounds.back().form);
      }
      return forms;
    };
    std::vector<Form> lowers = make(loop.lowers), uppers = make(loop.uppers);
    loop.step = style.hasSteps && flip(50) ? pick(2, 4) : 1;
    addVariable(domain.addLoop(name, lowers, uppers, loop.step));
    loops.push_back(loop);
    if (!style.hasConditions || !flip(50))
      return;
    TestCondition condition = {loops.size(), flip(40), {}};
    Rows rows;
    for (int64_t i = 0, count = pick(1, 2); i < count; ++i) {
      bool isEquality = flip(25);
      condition.rows.push_back({makeNumber(/*isSubscript=*/false), isEquality});
      rows.push_back({condition.rows.back().first.form, isEquality});
    }
    if (condition.isElse)
      domain.requireNot(rows);
    else
      for (Row &row : rows)
        domain.require(row);
    conditions.push_back(condition);
  }

  bool reaches(size_t depth, const Values &values) const {
    for (const TestCondition &condition : conditions) {
      if (condition.depth != depth)
        continue;
      bool holds = std::all_of(condition.rows.begin(), condition.rows.end(),
                               [&](const auto &row) {
                                 int64_t value = row.first.get(values);
                                 return row.second ? value == 0 : value >= 0;
                               });
      if (holds == condition.isElse)
        return false;
    }
    return true;
  }

  void runFrom(size_t depth, Values &values, Found &found) const {
    if (!reaches(depth, values))
      return;
    if (depth == loops.size()) {
      for (size_t axis = 0; axis < subscripts.size(); ++axis) {
        int64_t index = subscripts[axis].get(values);
        if (index >= 0 && index < values[style.symbols])
          continue;
        found.iteration =
            Values(values.begin() + style.symbols + 1, values.end());
        found.axis = axis;
        found.index = index;
        return;
      }
      return;
    }
    int64_t least = INT64_MIN, end = INT64_MAX;
    for (const Number &lower : loops[depth].lowers)
      least = std::max(least, lower.get(values));
    for (const Number &upper : loops[depth].uppers)
      end = std::min(end, upper.get(values));
    for (int64_t i = least; i < end && !found.iteration;
         i += loops[depth].step) {
      values.push_back(i);
      runFrom(depth + 1, values, found);
      values.pop_back();
    }
  }

  std::mt19937 random;
  Style style;
  std::vector<Number> variables, subscripts;
  Number extent;
  std::vector<TestLoop> loops;
  std::vector<TestCondition> conditions;
};

/// Compares all answers about a nest for small values of its symbols. Returns
/// why there is no condition.
Limit check(unsigned seed, Style style) {
  Nest nest(seed, style);
  Inside inside = whenInside(nest.domain, nest.access),
         surely = whenSurelyInside(nest.domain, nest.access);
  int64_t most = style.symbols > 2 ? 3 : 5;
  size_t calls = 0;
  Values symbols(style.symbols + 1, -2);
  symbols.back() = 0;
  for (;;) {
    Nest::Found found = nest.run(symbols);
    std::string text = "seed " + std::to_string(seed) + ", symbols";
    for (int64_t value : symbols)
      text += " " + std::to_string(value);
    if (inside.condition) {
      std::optional<bool> holds = inside.condition->evaluate(symbols);
      EXPECT_TRUE(holds.has_value()) << text;
      EXPECT_EQ(holds, !found.iteration)
          << text << ": " << inside.condition->print().substr(0, 500);
    }
    if (surely.condition && surely.condition->evaluate(symbols) == true)
      EXPECT_FALSE(found.iteration)
          << text << ": " << surely.condition->print().substr(0, 500);
    // One call in seven, since each is a search.
    if (calls++ % 7 == 0) {
      FirstFailure first = findFirstFailure(nest.domain, nest.access, symbols);
      EXPECT_TRUE(first.isFound) << text;
      EXPECT_EQ(first.failure.has_value(), found.iteration.has_value()) << text;
      if (first.failure && found.iteration) {
        EXPECT_EQ(first.failure->iteration, *found.iteration) << text;
        EXPECT_EQ(int64_t(first.failure->axis), found.axis) << text;
        EXPECT_EQ(first.failure->index, found.index) << text;
      }
    }
    if (::testing::Test::HasFailure())
      return inside.limit;
    size_t i = 0;
    while (i < symbols.size() && symbols[i] == most) {
      symbols[i] = i + 1 == symbols.size() ? 0 : -2;
      ++i;
    }
    if (i == symbols.size())
      return inside.limit;
    ++symbols[i];
  }
}

/// How many nests of a style have no condition, of `count`.
std::map<Limit, unsigned> checkAll(Style style, unsigned count) {
  std::map<Limit, unsigned> limits;
  unsigned scale = 1;
  if (const char *text = getenv("BROADLOOM_POLY_NESTS"))
    scale = std::max(1, atoi(text));
  for (unsigned seed = 0; seed < count * scale; ++seed) {
    style.loops = 1 + seed % 3;
    style.symbols = 1 + seed / 3 % 3;
    ++limits[check(seed, style)];
    if (::testing::Test::HasFailure())
      break;
  }
  for (auto [limit, nests] : limits)
    if (limit != Limit::None)
      ::testing::Test::RecordProperty(describe(limit), int(nests));
  for (auto [limit, nests] : limits)
    printf("%u nests: %s\n", nests, describe(limit));
  return limits;
}

TEST(InsideProperty, unitCoefficientsAreAlwaysExact) {
  Style style;
  style.hasConditions = true;
  std::map<Limit, unsigned> limits = checkAll(style, 1000);
  EXPECT_EQ(limits.size(), 1u);
}

TEST(InsideProperty, steps) {
  Style style;
  style.hasSteps = true;
  checkAll(style, 600);
}

TEST(InsideProperty, quotientsAndRemainders) {
  Style style;
  style.hasQuotients = true;
  checkAll(style, 600);
}

TEST(InsideProperty, anyCoefficients) {
  Style style;
  style.maxCoefficient = 3;
  checkAll(style, 600);
}

TEST(InsideProperty, everything) {
  Style style;
  style.maxCoefficient = 2;
  style.hasSteps = style.hasQuotients = style.hasConditions = true;
  checkAll(style, 600);
}

TEST(InsideProperty, productsWithSymbols) {
  Style style;
  style.hasProducts = true;
  checkAll(style, 600);
}

TEST(InsideProperty, conditionsWithProducts) {
  Style style;
  style.hasProducts = style.hasConditions = true;
  checkAll(style, 600);
}

} // namespace
