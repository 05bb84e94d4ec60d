//===- DependencePropertyTest.cpp - meetings against enumeration ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/Dependence.h"
#include "poly/FormVariables.h"
#include "poly/Inside.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <set>

using namespace broadloom;
using namespace broadloom::poly;

namespace {

using Values = std::vector<int64_t>;

int64_t floorDivideForMeeting(int64_t a, int64_t b) {
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/// What a random nest is made of.
struct NestStyle {
  int64_t maxCoefficient = 1;
  bool hasSteps = false, hasQuotients = false, hasConditions = false,
       hasProducts = false;
  /// Whether all iterations of both accesses are inside.
  bool hasPremises = false;
  /// Whether iterations of the loops lie in any way to each other, and not an
  /// earlier one to a later one of one loop.
  bool hasDirections = false;
};

/// A sum of symbols and loop variables, perhaps with a quotient or remainder of
/// such a sum, or a product of a loop variable and a symbol.
struct Sum {
  Values coefficients;
  int64_t constant = 0;
  struct Part {
    Values coefficients;
    int64_t constant, by;
    bool isRemainder;
  };
  std::optional<Part> part;
  std::optional<std::pair<size_t, size_t>> product;

  static int64_t dot(const Values &coefficients, int64_t sum,
                     const Values &values) {
    for (size_t i = 0; i < coefficients.size(); ++i)
      sum += coefficients[i] * values[i];
    return sum;
  }
  int64_t get(const Values &values) const {
    int64_t sum = dot(coefficients, constant, values);
    if (part) {
      int64_t inner = dot(part->coefficients, part->constant, values);
      int64_t quotient = floorDivideForMeeting(inner, part->by);
      sum += part->isRemainder ? inner - part->by * quotient : quotient;
    }
    if (product)
      sum += values[product->first] * values[product->second];
    return sum;
  }
  Form getForm(Domain &domain, const std::vector<Form> &forms) const {
    auto add = [&](const Values &by, int64_t first) {
      Form sum = first;
      for (size_t i = 0; i < by.size(); ++i)
        sum = Form::combine(1, sum, by[i], forms[i]);
      return sum;
    };
    Form sum = add(coefficients, constant);
    if (part) {
      Form inner = add(part->coefficients, part->constant);
      sum = sum + (part->isRemainder ? domain.remainder(inner, part->by)
                                     : domain.floorDivide(inner, part->by));
    }
    if (product)
      sum = sum + forms[product->first] * forms[product->second];
    return sum;
  }
};

struct TestLoop {
  Sum lower, upper;
  int64_t step = 1;
};

/// Two accesses with some loops in common.
class TwoAccesses {
public:
  static constexpr size_t kSymbols = 2;

  TwoAccesses(unsigned seed, NestStyle style) : random(seed), style(style) {
    size_t depth = size_t(pick(1, 2));
    directions = earlierAt(size_t(pick(0, int64_t(depth) - 1)));
    for (size_t i = 0; i < depth; ++i)
      common.push_back(makeLoop(i));
    if (style.hasDirections) {
      directions.clear();
      for (size_t i = 0; i < depth; ++i)
        directions.push_back(Direction(pick(0, 3)));
    }
    rank = size_t(pick(1, 2));
    for (Side *side : {&a, &b}) {
      side->loops = common;
      if (pick(1, 4) == 1)
        side->loops.push_back(makeLoop(depth));
      size_t names = kSymbols + side->loops.size();
      for (size_t i = 0; i < rank; ++i)
        side->subscripts.push_back(makeSum(names, /*isSubscript=*/true));
      if (style.hasConditions && pick(1, 2) == 1)
        side->condition = makeSum(names, /*isSubscript=*/false);
      build(*side);
      if (style.hasPremises)
        side->inside = whenInside(side->domain, side->access).condition;
    }
  }

  struct Side {
    std::vector<TestLoop> loops;
    std::vector<Sum> subscripts;
    std::optional<Sum> condition;
    Domain domain;
    Access access;
    std::vector<std::pair<Variable, size_t>> symbols;
    /// The premise, if there is one.
    std::optional<Condition> inside;
  };

  Dependence ask() const {
    Premises premises;
    for (const Side *side : {&a, &b})
      if (side->inside)
        premises.push_back({side->domain, *side->inside, side->symbols});
    return findDependence({a.domain, a.access, a.symbols},
                          {b.domain, b.access, b.symbols}, directions,
                          premises);
  }

  /// Whether the meeting is one, by the nest.
  bool isTrue(const Meeting &meeting) const {
    Values symbols = meeting.symbols;
    symbols.resize(kSymbols);
    return holds(a, symbols) && holds(b, symbols) &&
           reaches(a, symbols, meeting.first, meeting.element) &&
           reaches(b, symbols, meeting.second, meeting.element) &&
           lies(meeting.first, meeting.second);
  }

  /// Whether some iterations meet for small values of symbols.
  bool meets() const {
    for (int64_t m = -2; m <= 4; ++m)
      for (int64_t n = -2; n <= 4; ++n) {
        if (!holds(a, {m, n}) || !holds(b, {m, n}))
          continue;
        std::multimap<Values, Values> reached;
        enumerate(a, {m, n}, [&](const Values &loops, const Values &element) {
          reached.insert({element, loops});
        });
        bool found = false;
        enumerate(b, {m, n}, [&](const Values &loops, const Values &element) {
          auto [it, end] = reached.equal_range(element);
          for (; it != end && !found; ++it)
            found = lies(it->second, loops);
        });
        if (found)
          return true;
      }
    return false;
  }

private:
  static constexpr int64_t kExtent = 6;

  int64_t pick(int64_t least, int64_t greatest) {
    return std::uniform_int_distribution<int64_t>(least, greatest)(random);
  }

  Values makeCoefficients(size_t names) {
    Values found;
    for (size_t i = 0; i < names; ++i)
      found.push_back(
          pick(0, 1) ? 0 : pick(-style.maxCoefficient, style.maxCoefficient));
    return found;
  }

  Sum makeSum(size_t names, bool isSubscript) {
    Sum sum = {makeCoefficients(names), pick(-2, 2), {}, {}};
    if (style.hasQuotients && pick(1, 3) == 1)
      sum.part = Sum::Part{makeCoefficients(names), pick(-2, 2), pick(2, 3),
                           pick(0, 1) == 1};
    if (style.hasProducts && isSubscript && pick(1, 2) == 1)
      sum.product = {size_t(pick(0, kSymbols - 1)),
                     size_t(pick(kSymbols, int64_t(names) - 1))};
    return sum;
  }

  TestLoop makeLoop(size_t depth) {
    size_t names = kSymbols + depth;
    return {makeSum(names, false), makeSum(names, false),
            style.hasSteps && pick(0, 1) ? pick(2, 3) : 1};
  }

  static void build(Side &side) {
    std::vector<Form> forms;
    for (size_t i = 0; i < kSymbols; ++i) {
      forms.push_back(side.domain.addSymbol("s" + std::to_string(i)));
      side.symbols.push_back({getVariable(forms.back()), i});
    }
    for (const TestLoop &loop : side.loops) {
      Form lower = loop.lower.getForm(side.domain, forms),
           upper = loop.upper.getForm(side.domain, forms);
      forms.push_back(side.domain.addLoop("i", {lower}, {upper}, loop.step));
    }
    if (side.condition)
      side.domain.require(
          isNotNegative(side.condition->getForm(side.domain, forms)));
    for (const Sum &sum : side.subscripts)
      side.access.push_back({sum.getForm(side.domain, forms), Form(kExtent)});
  }

  /// Whether the iterations have the directions.
  bool lies(const Values &x, const Values &y) const {
    for (size_t i = 0; i < directions.size(); ++i) {
      int64_t distance = y[i] - x[i];
      switch (directions[i]) {
      case Direction::Any:
        break;
      case Direction::Equal:
        if (distance != 0)
          return false;
        break;
      case Direction::Before:
        if (distance <= 0)
          return false;
        break;
      case Direction::After:
        if (distance >= 0)
          return false;
        break;
      }
    }
    return true;
  }

  static bool touches(const Side &side, const Values &values, Values &element) {
    if (side.condition && side.condition->get(values) < 0)
      return false;
    element.clear();
    for (const Sum &sum : side.subscripts) {
      element.push_back(sum.get(values));
      if (element.back() < 0 || element.back() >= kExtent)
        return false;
    }
    return true;
  }

  static bool reaches(const Side &side, const Values &symbols,
                      const Values &loops, const Values &element) {
    Values values = symbols;
    for (size_t i = 0; i < side.loops.size(); ++i) {
      int64_t lower = side.loops[i].lower.get(values);
      if (loops[i] < lower || loops[i] >= side.loops[i].upper.get(values) ||
          (loops[i] - lower) % side.loops[i].step != 0)
        return false;
      values.push_back(loops[i]);
    }
    Values found;
    return touches(side, values, found) && found == element;
  }

  /// Whether the premise of the access holds, by all of its iterations.
  static bool holds(const Side &side, const Values &symbols) {
    bool all = true;
    if (side.inside)
      enumerateAll(side, symbols, [&](const Values &values) {
        Values element;
        bool isReached = !side.condition || side.condition->get(values) >= 0;
        all &= !isReached || touches(side, values, element);
      });
    return all;
  }

  template <typename Visit>
  static void enumerate(const Side &side, Values symbols, Visit visit) {
    enumerateAll(side, std::move(symbols), [&](const Values &values) {
      Values element;
      if (touches(side, values, element))
        visit(Values(values.begin() + kSymbols, values.end()), element);
    });
  }

  template <typename Visit>
  static void enumerateAll(const Side &side, Values values, Visit visit,
                           size_t depth = 0) {
    if (depth == side.loops.size())
      return visit(values);
    const TestLoop &loop = side.loops[depth];
    int64_t end = loop.upper.get(values);
    values.push_back(loop.lower.get(values));
    for (; values.back() < end; values.back() += loop.step)
      enumerateAll(side, values, visit, depth + 1);
  }

  std::mt19937 random;
  NestStyle style;
  std::vector<TestLoop> common;
  Directions directions;
  size_t rank = 1;

public:
  Side a, b;
};

/// How many of `count` random questions have no answer, and how many are
/// refuted.
unsigned askAll(NestStyle style, unsigned count, unsigned *refuted = nullptr) {
  if (const char *text = getenv("BROADLOOM_POLY_NESTS"))
    count *= unsigned(std::max(1, atoi(text)));
  std::map<std::pair<Truth, Limit>, unsigned> answers;
  for (unsigned seed = 0; seed < count; ++seed) {
    TwoAccesses nest(seed, style);
    Dependence found = nest.ask();
    ++answers[{found.exists, found.limit}];
    if (found.exists == Truth::Proved) {
      EXPECT_TRUE(found.meeting && nest.isTrue(*found.meeting))
          << "seed " << seed;
    } else if (found.exists == Truth::Refuted) {
      EXPECT_FALSE(nest.meets()) << "seed " << seed;
    }
    if (::testing::Test::HasFailure())
      break;
  }
  unsigned unknown = 0;
  for (auto [answer, number] : answers) {
    if (refuted && answer.first == Truth::Refuted)
      *refuted = number;
    bool isUnknown = answer.first == Truth::Unknown;
    unknown += isUnknown ? number : 0;
    printf("%u: %s%s\n", number,
           answer.first == Truth::Proved    ? "meet"
           : answer.first == Truth::Refuted ? "never meet"
                                            : "unknown, ",
           isUnknown ? describe(answer.second) : "");
  }
  return unknown;
}

TEST(DependenceProperty, unitCoefficients) {
  NestStyle style;
  style.hasConditions = true;
  EXPECT_LE(askAll(style, 4000), 4u);
}

TEST(DependenceProperty, steps) {
  NestStyle style;
  style.hasSteps = true;
  EXPECT_LE(askAll(style, 2000), 20u);
}

TEST(DependenceProperty, everything) {
  NestStyle style;
  style.maxCoefficient = 2;
  style.hasSteps = style.hasQuotients = style.hasConditions = true;
  EXPECT_LE(askAll(style, 4000), 80u);
}

TEST(DependenceProperty, directions) {
  NestStyle style;
  style.hasConditions = style.hasDirections = true;
  EXPECT_LE(askAll(style, 4000), 4u);
  style.maxCoefficient = 2;
  style.hasSteps = style.hasQuotients = true;
  EXPECT_LE(askAll(style, 4000), 80u);
}

// Where all iterations are inside, fewer of them meet.
TEST(DependenceProperty, premises) {
  NestStyle style;
  style.hasConditions = style.hasDirections = true;
  unsigned without = 0, with = 0;
  askAll(style, 2000, &without);
  style.hasPremises = true;
  EXPECT_LE(askAll(style, 2000, &with), 20u);
  EXPECT_GT(with, without + 50);
  style.maxCoefficient = 2;
  style.hasSteps = style.hasQuotients = true;
  EXPECT_LE(askAll(style, 2000), 80u);
}

TEST(DependenceProperty, productsWithSymbols) {
  NestStyle style;
  style.hasProducts = true;
  EXPECT_LE(askAll(style, 2000), 400u);
}

} // namespace
