//===- RelationPropertyTest.cpp - random relations against enumeration ----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// BROADLOOM_POLY_NESTS multiplies how many relations are tried.
//
//===----------------------------------------------------------------------===//

#include "poly/RelationAlgebra.h"
#include "poly/RelationQuestions.h"
#include "test/lib/poly/RelationSamples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <map>

using namespace broadloom;
using namespace broadloom::poly;

namespace {

/// Compares answers with points, and counts the questions without an answer.
class Checker {
public:
  explicit Checker(unsigned seed) : seed(seed), generator(seed) {}

  void check();

  std::map<std::string, unsigned> asked, unknown;

private:
  void expect(const char *what, const RelationResult &result,
              const Points &points, size_t dimensions, int64_t most);
  void expect(const char *what, Truth truth, bool isTrue);
  void checkText(const Sample &sample, Sizes sizes);
  void checkTwo(const Sample &a, const Sample &b, Sizes sizes);
  void checkOne(const Sample &a, Sizes sizes);
  void checkOrder(const Sample &a, Sizes sizes);
  void checkCompose(const Sample &a, const Sample &b, Sizes first,
                    Sizes second);

  unsigned seed;
  Generator generator;
  std::string texts;
};

void Checker::expect(const char *what, const RelationResult &result,
                     const Points &points, size_t dimensions, int64_t most) {
  ++asked[what];
  unknown[what] += !result.relation;
  if (!result.relation)
    return;
  bool isFine = true;
  forEachPoint(dimensions, most, [&](const Point &point) {
    if (!isFine)
      return;
    Truth truth = contains(*result.relation, point);
    isFine = (truth == Truth::Proved) == (points.count(point) != 0);
    std::string values;
    for (int64_t value : point)
      values += " " + std::to_string(value);
    EXPECT_TRUE(isFine) << "seed " << seed << ", " << what << " at" << values
                        << ": " << print(*result.relation) << " of " << texts;
  });
}

void Checker::expect(const char *what, Truth truth, bool isTrue) {
  ++asked[what];
  unknown[what] += truth == Truth::Unknown;
  if (truth != Truth::Unknown)
    EXPECT_EQ(truth == Truth::Proved, isTrue)
        << "seed " << seed << ", " << what << " of " << texts;
}

void Checker::checkText(const Sample &sample, Sizes sizes) {
  std::string once = print(*sample.relation);
  ParsedRelation parsed = parseRelation(once);
  ASSERT_TRUE(parsed.relation) << once;
  EXPECT_EQ(print(*parsed.relation), once) << texts;
  expect("text", {parsed.relation}, sample.points, sizes.all(), sizes.most);
}

void Checker::checkTwo(const Sample &a, const Sample &b, Sizes sizes) {
  Points both, either = a.points, first;
  either.insert(b.points.begin(), b.points.end());
  for (const Point &point : a.points)
    (b.points.count(point) ? both : first).insert(point);
  expect("union", unite(*a.relation, *b.relation), either, sizes.all(),
         sizes.most);
  RelationResult common = intersect(*a.relation, *b.relation);
  expect("intersect", common, both, sizes.all(), sizes.most);
  RelationResult rest = subtract(*a.relation, *b.relation);
  expect("subtract", rest, first, sizes.all(), sizes.most);
  RelationAnswer answer = isSubset(*a.relation, *b.relation);
  expect("isSubset", answer.truth, first.empty());
  if (answer.point)
    EXPECT_TRUE(first.count(*answer.point)) << texts;
  expect("isEqual", isEqual(*a.relation, *b.relation).truth,
         a.points == b.points);
  if (common.relation && rest.relation) {
    RelationResult whole = unite(*common.relation, *rest.relation);
    if (whole.relation)
      expect("isEqual to itself", isEqual(*whole.relation, *a.relation).truth,
             true);
    expect("isSubset of itself", isSubset(*common.relation, *a.relation).truth,
           true);
    expect("isEmpty", isEmpty(*common.relation).truth, both.empty());
  }
}

void Checker::checkOne(const Sample &a, Sizes sizes) {
  size_t middle = sizes.inputs + sizes.symbols;
  Points back, from, to, rest;
  for (const Point &p : a.points) {
    Point turned(p.begin() + middle, p.end()),
        symbols(p.begin() + sizes.inputs, p.begin() + middle),
        inputs(p.begin(), p.begin() + sizes.inputs);
    Point output = symbols, input = symbols;
    output.insert(output.end(), turned.begin(), turned.end());
    input.insert(input.end(), inputs.begin(), inputs.end());
    to.insert(output);
    from.insert(input);
    turned.insert(turned.end(), symbols.begin(), symbols.end());
    turned.insert(turned.end(), inputs.begin(), inputs.end());
    back.insert(turned);
    rest.insert(Point(p.begin(), p.end() - 1));
  }
  expect("inverse", inverse(*a.relation), back, sizes.all(), sizes.most);
  expect("domain", domain(*a.relation), from, middle, sizes.most);
  expect("range", range(*a.relation), to, sizes.symbols + sizes.outputs,
         sizes.most);
  std::string last = a.relation->getSignature().outputs.back();
  expect("projectOut", projectOut(*a.relation, {last}), rest, sizes.all() - 1,
         sizes.most);
  expect("isEmpty", isEmpty(*a.relation).truth, a.points.empty());
}

void Checker::checkOrder(const Sample &a, Sizes sizes) {
  size_t middle = sizes.inputs + sizes.symbols;
  std::map<Point, std::vector<Point>> outputs;
  forEachPoint(middle, sizes.most, [&](const Point &p) { outputs[p]; });
  for (const Point &p : a.points)
    outputs[Point(p.begin(), p.begin() + middle)].push_back(p);
  Points least, greatest;
  for (const auto &[key, points] : outputs) {
    ++asked["count"];
    std::optional<int64_t> count = countOutputs(
        *a.relation, Point(key.begin(), key.begin() + sizes.inputs),
        Point(key.begin() + sizes.inputs, key.end()));
    unknown["count"] += !count;
    if (count)
      EXPECT_EQ(*count, int64_t(points.size())) << texts;
    if (points.empty())
      continue;
    least.insert(points.front());
    greatest.insert(points.back());
  }
  expect("minimum", lexicographicMinimum(*a.relation), least, sizes.all(),
         sizes.most);
  expect("maximum", lexicographicMaximum(*a.relation), greatest, sizes.all(),
         sizes.most);
}

void Checker::checkCompose(const Sample &a, const Sample &b, Sizes first,
                           Sizes second) {
  Points points;
  size_t middle = first.inputs + first.symbols;
  for (const Point &p : a.points)
    for (const Point &q : b.points) {
      if (!std::equal(p.begin() + middle, p.end(), q.begin()) ||
          !std::equal(p.begin() + first.inputs, p.begin() + middle,
                      q.begin() + second.inputs))
        continue;
      Point point(p.begin(), p.begin() + middle);
      point.insert(point.end(), q.end() - second.outputs, q.end());
      points.insert(point);
    }
  const char *what = first.inputs == 0 ? "apply" : "compose";
  expect(what,
         first.inputs == 0 ? apply(*a.relation, *b.relation)
                           : compose(*a.relation, *b.relation),
         points, middle + second.outputs, first.most);
}

void Checker::check() {
  Sizes sizes = {size_t(generator.pick(0, 2)), size_t(generator.pick(0, 1)),
                 size_t(generator.pick(1, 2)), 3};
  Sizes next = {sizes.outputs, sizes.symbols, size_t(generator.pick(1, 2)), 3};
  sizes.most = next.most = std::max(sizes.all(), next.all()) > 3 ? 2 : 4;
  Sample a = generator.make(sizes, "a", "b"),
         b = generator.make(sizes, "a", "b"),
         c = generator.make(next, "b", "c");
  texts = a.text + "\n  and " + b.text + "\n  and " + c.text;
  ASSERT_TRUE(a.relation && b.relation && c.relation) << texts;
  checkText(a, sizes);
  checkTwo(a, b, sizes);
  checkOne(a, sizes);
  checkOrder(b, sizes);
  checkCompose(a, c, sizes, next);
}

TEST(RelationProperty, enumeration) {
  unsigned count = 400;
  if (const char *text = getenv("BROADLOOM_POLY_NESTS"))
    count *= std::max(1, atoi(text));
  std::map<std::string, unsigned> asked, unknown;
  for (unsigned seed = 0; seed < count && !HasFailure(); ++seed) {
    Checker checker(seed);
    checker.check();
    for (auto [what, times] : checker.asked)
      asked[what] += times;
    for (auto [what, times] : checker.unknown)
      unknown[what] += times;
  }
  for (auto [what, times] : asked) {
    printf("%s: %u questions, %u unknown\n", what.c_str(), times,
           unknown[what]);
    EXPECT_LE(unknown[what] * 20, times) << what;
  }
}

//===----------------------------------------------------------------------===//
// Large numbers
//===----------------------------------------------------------------------===//

/// A part of up to 4 rows that `point` satisfies, with coefficients of any
/// size.
std::string makePartAround(Generator &generator, const Point &point,
                           const std::vector<std::string> &variables) {
  auto pickAnySize = [&] {
    int64_t size = int64_t(1) << generator.pick(0, 62);
    return generator.pick(-size, size - 1);
  };
  std::string part;
  for (int64_t row = 0, end = generator.pick(1, 4); row < end; ++row) {
    std::string text;
    __int128 sum = 0;
    for (size_t i = 0; i < point.size(); ++i) {
      int64_t coefficient = pickAnySize(), divisor = generator.pick(2, 9);
      bool hasMod = generator.flip(20);
      sum += __int128(coefficient) *
             (hasMod ? remainder(point[i], divisor) : point[i]);
      text +=
          (i ? " + " : "") + std::to_string(coefficient) + "*" +
          (hasMod ? "(" + variables[i] + " mod " + std::to_string(divisor) + ")"
                  : variables[i]);
    }
    bool isEquality = generator.flip(30);
    __int128 constant = -sum + (isEquality ? 0 : generator.pick(0, 3));
    if (constant > INT64_MAX || constant < -INT64_MAX)
      continue;
    part += (part.empty() ? "" : ", ") + text + " + " +
            std::to_string(int64_t(constant)) +
            (isEquality ? " == 0" : " >= 0");
  }
  return "(" + part + ")";
}

TEST(RelationProperty, largeNumbersAreNeverWrong) {
  unsigned count = 1500;
  if (const char *text = getenv("BROADLOOM_POLY_NESTS"))
    count *= std::max(1, atoi(text));
  unsigned answered = 0, asked = 0;
  for (unsigned seed = 0; seed < count && !HasFailure(); ++seed) {
    Generator generator(seed);
    Point point;
    for (size_t i = 0; i < 3; ++i) {
      int64_t size = int64_t(1) << generator.pick(0, 40);
      point.push_back(generator.pick(-size, size));
    }
    auto make = [&](const char *input, const char *output) {
      return "(" + std::string(input) + ")[s] -> (" + output +
             ") : " + makePartAround(generator, point, {input, "s", output});
    };
    std::string first = make("a", "b"), second = make("a", "b");
    ParsedRelation a = parseRelation(first), b = parseRelation(second);
    // Terms may cancel to numbers that do not fit, but the part has a point.
    for (const ParsedRelation *parsed : {&a, &b})
      if (parsed->error)
        EXPECT_EQ(parsed->error->message.find("no point"), std::string::npos)
            << first << " " << second;
    if (!a.relation || !b.relation)
      continue;
    auto expect = [&](const RelationResult &result, bool isIn) {
      ++asked;
      if (!result.relation)
        return;
      ++answered;
      EXPECT_NE(contains(*result.relation, point),
                isIn ? Truth::Refuted : Truth::Proved)
          << "seed " << seed << ": " << first << " and " << second;
    };
    const Relation &p = *a.relation, &q = *b.relation;
    ParsedRelation again = parseRelation(print(p));
    expect({again.relation}, true);
    expect(intersect(p, q), true);
    expect(unite(p, q), true);
    expect(subtract(p, q), false);
    EXPECT_NE(isEmpty(p).truth, Truth::Proved) << first;
    RelationAnswer subset = isSubset(p, q);
    if (subset.point) {
      EXPECT_NE(contains(p, *subset.point), Truth::Refuted) << first;
      EXPECT_NE(contains(q, *subset.point), Truth::Proved) << second;
    }
    RelationResult domains = domain(p), ranges = range(p);
    if (domains.relation)
      EXPECT_NE(contains(*domains.relation, {point[1], point[0]}),
                Truth::Refuted)
          << first;
    if (ranges.relation)
      EXPECT_NE(contains(*ranges.relation, {point[1], point[2]}),
                Truth::Refuted)
          << first;
  }
  printf("large numbers: %u of %u answered\n", answered, asked);
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

/// A relation with up to 6 variables and 24 rows.
std::string makeLarge(Generator &generator) {
  Sizes sizes = {2, size_t(generator.pick(0, 2)), 2, 0};
  std::vector<std::string> names = {"a0", "a1", "b0", "b1"};
  for (size_t i = 0; i < sizes.symbols; ++i)
    names.push_back("s" + std::to_string(i));
  std::string text =
      "(a0, a1)[" + listNames("s", sizes.symbols) + "] -> (b0, b1) : (";
  bool isDense = generator.flip(50);
  for (int64_t i = 0, end = generator.pick(6, 24); i < end; ++i) {
    text += (i ? ", " : "") + std::to_string(generator.pick(0, 40));
    for (const std::string &name : names)
      if (generator.flip(isDense ? 80 : 35))
        text +=
            " + " +
            std::to_string(generator.pick(isDense ? -5 : -1, isDense ? 5 : 1)) +
            "*" + name;
    text += generator.flip(95) ? " >= 0" : " == 0";
  }
  return text + ")";
}

/// What a question cost in ms, and whether it was answered.
struct Cost {
  double time;
  bool isAnswered;
};

template <typename Ask> Cost measure(Ask ask) {
  // Other programs may run beside.
  std::clock_t start = std::clock();
  bool isAnswered = ask();
  return {double(std::clock() - start) / (CLOCKS_PER_SEC / 1000), isAnswered};
}

TEST(RelationProperty, timesOfLargeQuestions) {
  Generator generator(1);
  unsigned count = 60;
  if (const char *text = getenv("BROADLOOM_POLY_NESTS"))
    count *= std::max(1, atoi(text));
  std::map<std::string, std::vector<Cost>> costs;
  while (count-- > 0) {
    std::optional<Relation> a, b;
    costs["parse"].push_back(measure([&] {
      a = parseRelation(makeLarge(generator)).relation;
      return true;
    }));
    b = parseRelation(makeLarge(generator)).relation;
    if (!a || !b)
      continue;
    auto add = [&](const char *what, auto ask) {
      costs[what].push_back(measure(ask));
    };
    add("isEmpty", [&] { return isEmpty(*a).truth != Truth::Unknown; });
    add("isSubset", [&] { return isSubset(*a, *b).truth != Truth::Unknown; });
    add("isEqual", [&] { return isEqual(*a, *a).truth != Truth::Unknown; });
    add("intersect", [&] { return bool(intersect(*a, *b).relation); });
    add("subtract", [&] { return bool(subtract(*a, *b).relation); });
    add("union", [&] { return bool(unite(*a, *b).relation); });
    add("compose",
        [&] { return bool(compose(*a, *inverse(*b).relation).relation); });
    add("domain", [&] { return bool(domain(*a).relation); });
    add("minimum", [&] { return bool(lexicographicMinimum(*a).relation); });
    add("count", [&] {
      Point symbols(a->getSignature().symbols.size(), 5);
      return bool(countOutputs(*a, {3, 4}, symbols));
    });
  }
  size_t asked = 0, soon = 0;
  for (auto &[what, all] : costs) {
    asked += all.size();
    soon += std::count_if(all.begin(), all.end(),
                          [](Cost cost) { return cost.time < 10; });
    std::sort(all.begin(), all.end(),
              [](Cost a, Cost b) { return a.time < b.time; });
    size_t answered = std::count_if(all.begin(), all.end(),
                                    [](Cost cost) { return cost.isAnswered; });
    printf("%s: %zu of %zu answered, %.3f ms, 99 of 100 under %.2f ms, at most "
           "%.2f ms\n",
           what.c_str(), answered, all.size(), all[all.size() / 2].time,
           all[all.size() * 99 / 100].time, all.back().time);
  }
  printf("%zu of %zu questions under 10 ms\n", soon, asked);
}

} // namespace
