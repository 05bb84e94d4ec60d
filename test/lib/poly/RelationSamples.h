//===- RelationSamples.h - random relations for tests -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random relations as text, and their points on a small box by enumeration.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_LIB_POLY_RELATIONSAMPLES_H
#define BROADLOOM_TEST_LIB_POLY_RELATIONSAMPLES_H

#include "poly/RelationText.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace broadloom::poly {

using Points = std::set<Point>;

inline int64_t remainder(int64_t a, int64_t b) { return ((a % b) + b) % b; }

/// Calls `use` with each point of a box.
template <typename Use>
void forEachPoint(size_t dimensions, int64_t most, Use use) {
  Point point(dimensions, -most);
  for (;;) {
    use(point);
    size_t i = 0;
    while (i < dimensions && point[i] == most)
      point[i++] = -most;
    if (i == dimensions)
      return;
    ++point[i];
  }
}

/// A relation as text, and its points.
struct Sample {
  std::string text;
  std::optional<Relation> relation;
  Points points;
};

/// How many variables there are, and their range.
struct Sizes {
  size_t inputs, symbols, outputs;
  int64_t most;
  size_t all() const { return inputs + symbols + outputs; }
};

class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  int64_t pick(int64_t least, int64_t greatest) {
    return std::uniform_int_distribution<int64_t>(least, greatest)(random);
  }
  bool flip(int percent) { return pick(1, 100) <= percent; }

  Sample make(Sizes sizes, const std::string &inputs,
              const std::string &outputs);

private:
  /// A condition as text, and whether it holds.
  struct Condition {
    std::string text;
    std::function<bool(const Point &)> holds;
  };
  Condition makeCondition(const std::vector<std::string> &names);

  std::mt19937 random;
};

inline std::string listNames(const std::string &base, size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i)
    text += (i ? ", " : "") + base + std::to_string(i);
  return text;
}

inline Generator::Condition
Generator::makeCondition(const std::vector<std::string> &names) {
  struct Term {
    size_t variable;
    int64_t coefficient, divisor;
    bool isMod;
    int64_t shift;
  };
  std::vector<Term> terms;
  int64_t constant = pick(-4, 4);
  std::string text = std::to_string(constant);
  for (size_t i = 0; i < names.size(); ++i) {
    if (!flip(60))
      continue;
    Term term = {i, pick(-2, 2), flip(20) ? pick(2, 4) : 1, flip(50),
                 pick(-1, 1)};
    terms.push_back(term);
    std::string name = names[i];
    if (term.divisor != 1)
      name = "((2*" + name + " + " + std::to_string(term.shift) +
             (term.isMod ? ") mod " : ") floordiv ") +
             std::to_string(term.divisor) + ")";
    text += " + " + std::to_string(term.coefficient) + "*" + name;
  }
  bool isEquality = flip(25);
  text += isEquality ? " == 0" : " >= 0";
  return {text, [=](const Point &point) {
            int64_t sum = constant;
            for (const Term &term : terms) {
              int64_t value = point[term.variable];
              if (term.divisor != 1) {
                int64_t numerator = 2 * value + term.shift,
                        rest = remainder(numerator, term.divisor);
                value = term.isMod ? rest : (numerator - rest) / term.divisor;
              }
              sum += term.coefficient * value;
            }
            return isEquality ? sum == 0 : sum >= 0;
          }};
}

inline Sample Generator::make(Sizes sizes, const std::string &inputs,
                              const std::string &outputs) {
  std::vector<std::string> names;
  for (size_t i = 0; i < sizes.inputs; ++i)
    names.push_back(inputs + std::to_string(i));
  for (size_t i = 0; i < sizes.symbols; ++i)
    names.push_back("s" + std::to_string(i));
  for (size_t i = 0; i < sizes.outputs; ++i)
    names.push_back(outputs + std::to_string(i));
  std::string most = std::to_string(sizes.most), head, body;
  head = "(" + listNames(inputs, sizes.inputs) + ")[" +
         listNames("s", sizes.symbols) + "] -> (" +
         listNames(outputs, sizes.outputs) + ") : ";
  Sample sample;
  Relation all = *parseRelation(head + "(false)").relation;
  size_t parts = flip(40) ? 2 : 1;
  for (size_t part = 0; part < parts; ++part) {
    bool hasExisting = flip(30);
    std::vector<std::string> own = names;
    if (hasExisting)
      own.push_back("e");
    std::string text = hasExisting ? "exists (e) : (" : "(";
    for (size_t i = 0; i < own.size(); ++i)
      text += (i ? ", -" : "-") + most + " <= " + own[i] + " <= " + most;
    std::vector<Condition> conditions;
    for (size_t i = 0, end = pick(0, 3); i < end; ++i) {
      conditions.push_back(makeCondition(own));
      text += ", " + conditions.back().text;
    }
    text += ")";
    size_t before = sample.points.size();
    Points found;
    forEachPoint(own.size(), sizes.most, [&](Point point) {
      for (const Condition &condition : conditions)
        if (!condition.holds(point))
          return;
      point.resize(names.size());
      found.insert(point);
    });
    // A part without a point is an error of the text.
    ParsedRelation parsed = parseRelation(head + text);
    EXPECT_EQ(!parsed.relation, found.empty()) << head + text;
    if (found.empty() || !parsed.relation)
      continue;
    sample.points.insert(found.begin(), found.end());
    body += (before ? " or " : "") + text;
  }
  sample.text = head + (body.empty() ? "(false)" : body);
  sample.relation = parseRelation(sample.text).relation;
  return sample;
}

} // namespace broadloom::poly

#endif // BROADLOOM_TEST_LIB_POLY_RELATIONSAMPLES_H
