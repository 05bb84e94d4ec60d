//===- RelationTest.cpp - relations, their text, and questions about them -===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/RelationAlgebra.h"
#include "poly/RelationQuestions.h"
#include "poly/RelationText.h"

#include <gtest/gtest.h>

using namespace broadloom;
using namespace broadloom::poly;

namespace {

Relation parse(const std::string &text) {
  ParsedRelation parsed = parseRelation(text);
  EXPECT_TRUE(parsed.relation.has_value())
      << text << ": " << (parsed.error ? parsed.error->message : "");
  return parsed.relation.value_or(Relation(Signature()));
}

std::string canonical(const std::string &text) {
  std::string once = print(parse(text));
  EXPECT_EQ(print(parse(once)), once);
  return once;
}

std::string text(const RelationResult &result) {
  return result.relation ? print(*result.relation) : describe(result.limit);
}

/// The error, with the text from its place on.
std::string error(const std::string &text) {
  ParsedRelation parsed = parseRelation(text);
  if (!parsed.error)
    return "none: " + print(*parsed.relation);
  return parsed.error->message + " at " + parsed.error->place;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

TEST(RelationText, canonical) {
  EXPECT_EQ(canonical("(d0)[s0] -> (r0) : (r0 - d0 >= 0, d0 - r0 + 1 >= 0)"),
            "(d0)[s0] -> (r0) : (d0 <= r0 <= d0 + 1)");
  EXPECT_EQ(canonical("()[s0] -> (r0, r1) : (0 <= r0 <= 1023, "
                      "0 <= r1 <= s0 - 1)"),
            "()[s0] -> (r0, r1) : (0 <= r0 <= 1023, 0 <= r1 <= s0 - 1)");
  EXPECT_EQ(canonical("()[n] -> (i, j) : (0 <= i <= j < n)"),
            "()[n] -> (i, j) : (0 <= i, i <= j <= n - 1)");
  EXPECT_EQ(canonical("(i) -> (j) : (2*j > 3 * i + 1, 4 == j)"),
            "(i) -> (j) : (i <= 2, j == 4)");
}

TEST(RelationText, quotients) {
  EXPECT_EQ(canonical("(i) -> (j) : (j == i floordiv 4)"),
            "(i) -> (j) : (j == i floordiv 4)");
  EXPECT_EQ(canonical("(i) -> (j) : (j - i mod 8 == 0)"),
            "(i) -> (j) : (j == i mod 8)");
  EXPECT_EQ(canonical("(i) -> (j) : (j == i - 8 * (i floordiv 8))"),
            "(i) -> (j) : (j == i mod 8)");
  EXPECT_EQ(canonical("() -> (i) : exists (e) : (i == 3*e + 1)"),
            "() -> (i) : ((i + 2) mod 3 == 0)");
  EXPECT_EQ(canonical("(i) -> (j) : (j == -((i + 1) ceildiv 2))"),
            "(i) -> (j) : (j == (i + 1) floordiv 2 - i - 1)");
}

TEST(RelationText, parts) {
  EXPECT_EQ(canonical("() -> (i) : (i >= 5) or (i < 0)"),
            "() -> (i) : (5 <= i) or (i <= -1)");
  EXPECT_EQ(canonical("() -> (i) : ()"), "() -> (i) : ()");
  EXPECT_EQ(canonical("() -> (i) : (false)"), "() -> (i) : (false)");
}

TEST(RelationText, errors) {
  EXPECT_EQ(error("(d0) -> (d0) : ()"), "'d0' is named twice at d0) : ()");
  EXPECT_EQ(error("(d0)[d0] -> (r0) : ()"),
            "'d0' is named twice at d0] -> (r0) : ()");
  EXPECT_EQ(error("(d0) -> (r0)[s0] : ()"),
            "symbols stand between the inputs and '->' at [s0] : ()");
  EXPECT_EQ(error("(d0) -> (r0) : (r0 <= x)"),
            "'x' is no input, output or symbol at x)");
  EXPECT_EQ(error("(d0) -> (r0) : (r0 <= 9223372036854775808)"),
            "a coefficient does not fit 63 bits at 9223372036854775808)");
  EXPECT_EQ(error("(d0) -> (r0) : (r0 <= 4611686018427387904*d0*2)"),
            "a coefficient does not fit 63 bits at 4611686018427387904*d0*2)");
  for (const char *rest : {"d0)", "and d0 == 1)"})
    EXPECT_EQ(error("(d0) -> (r0) : (r0 <= 2 " + std::string(rest)),
              "expected ')', or ',' and another comparison; numbers are "
              "multiplied by '*' at " +
                  std::string(rest));
  EXPECT_EQ(error("(d0) -> (r0) : (r0 * d0 <= 1)"),
            "neither side of '*' is a number at * d0 <= 1)");
  EXPECT_EQ(error("(d0) -> (r0) : (r0 mod d0 == 1)"),
            "the divisor of mod is not a positive number at d0 == 1)");
  EXPECT_EQ(error("(d0) -> (r0) : (r0 floordiv 0 == 1)"),
            "the divisor of floordiv is not a positive number at 0 == 1)");
  EXPECT_EQ(error("(d0) -> (r0) : (r0 >= 1, r0 <= 0)"),
            "no point satisfies these constraints at (r0 >= 1, r0 <= 0)");
  EXPECT_EQ(error("(d0) -> (r0) : (r0)"),
            "expected '<=', '<', '>=', '>' or '==' at )");
  EXPECT_EQ(error("(mod) -> (r0) : ()"),
            "'mod' is a word of the grammar at mod) -> (r0) : ()");
  EXPECT_EQ(error("(d0) -> (r0) : () x"),
            "expected the end of the relation at x");
  EXPECT_EQ(error("(d0) -> (r0) : (" + std::string(1000, '(')).substr(0, 47),
            "there are too many parentheses or signs here at");
  EXPECT_EQ(error("(d0) -> (r0) : exists (d0) : ()"),
            "'d0' is named twice at d0) : ()");
}

//===----------------------------------------------------------------------===//
// Algebra
//===----------------------------------------------------------------------===//

TEST(RelationAlgebra, composeAndInverse) {
  Relation shift = parse("(i) -> (j) : (j == i + 1)"),
           tile = parse("(i) -> (a, b) : (a == i floordiv 8, b == i mod 8)");
  EXPECT_EQ(text(compose(shift, tile)),
            "(i) -> (a, b) : (a == (i + 1) floordiv 8, b == (i + 1) mod 8)");
  EXPECT_EQ(text(inverse(shift)), "(j) -> (i) : (i == j - 1)");
  EXPECT_EQ(text(compose(shift, inverse(shift).relation.value())),
            "(i) -> (i_0) : (i_0 == i)");
  EXPECT_EQ(text(compose(tile, shift)),
            "the numbers of inputs and outputs do not fit");
}

TEST(RelationAlgebra, domainRangeApplyProject) {
  Relation even = parse("(i)[n] -> (j) : (j == 2*i, 0 <= i < n)");
  EXPECT_EQ(text(domain(even)), "()[n] -> (i) : (0 <= i <= n - 1)");
  EXPECT_EQ(text(range(even)),
            "()[n] -> (j) : (0 <= j <= 2*n - 2, j mod 2 == 0)");
  EXPECT_EQ(text(apply(parse("() -> (i) : (3 <= i <= 4)"), even)),
            "()[n] -> (j) : (6 <= j <= 2*n - 2, j <= 8, j mod 2 == 0)");
  EXPECT_EQ(text(projectOut(even, {"n"})), "(i) -> (j) : (0 <= i, j == 2*i)");
}

TEST(RelationAlgebra, setOperations) {
  Relation a = parse("() -> (i) : (0 <= i <= 9)"),
           b = parse("() -> (i) : (5 <= i <= 20)");
  EXPECT_EQ(text(intersect(a, b)), "() -> (i) : (5 <= i <= 9)");
  EXPECT_EQ(text(subtract(a, b)), "() -> (i) : (0 <= i <= 4)");
  EXPECT_EQ(text(subtract(b, a)), "() -> (i) : (10 <= i <= 20)");
  EXPECT_EQ(text(subtract(a, parse("() -> (i) : (i mod 2 == 0)"))),
            "() -> (i) : (0 <= i <= 9, i mod 2 == 1)");
}

TEST(RelationAlgebra, lexicographic) {
  EXPECT_EQ(
      text(lexicographicMinimum(parse("(i)[n] -> (j) : (i <= j, 0 <= j < n)"))),
      "(i)[n] -> (j) : (0 <= i <= n - 1, j == i) or (i <= -1, 1 <= n, j == 0)");
  EXPECT_EQ(text(lexicographicMaximum(
                parse("() -> (i, j) : (0 <= i <= 9, 0 <= j, i + j <= 11)"))),
            "() -> (i, j) : (i == 9, j == 2)");
  EXPECT_EQ(text(lexicographicMinimum(parse("() -> (i) : (i <= 9)"))),
            "() -> (i) : (false)");
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

TEST(RelationQuestions, answers) {
  Relation a = parse("()[n] -> (i) : (0 <= i < n)"),
           b = parse("()[n] -> (i) : (0 <= i <= n)");
  EXPECT_EQ(isSubset(a, b).truth, Truth::Proved);
  RelationAnswer answer = isSubset(b, a);
  EXPECT_EQ(answer.truth, Truth::Refuted);
  ASSERT_TRUE(answer.point.has_value());
  EXPECT_EQ(contains(b, *answer.point), Truth::Proved);
  EXPECT_EQ(contains(a, *answer.point), Truth::Refuted);
  EXPECT_EQ(isEqual(a, b).truth, Truth::Refuted);
  EXPECT_EQ(isEqual(a, a).truth, Truth::Proved);
  EXPECT_EQ(isEmpty(a).truth, Truth::Refuted);
  EXPECT_EQ(isEqual(parse("() -> (i) : exists (e) : (i == 2*e)"),
                    parse("() -> (i) : (i mod 2 == 0)"))
                .truth,
            Truth::Proved);
}

TEST(RelationQuestions, theLargestNumbersAreNeverWrong) {
  Relation a = parse("() -> (i, j) : (9223372036854775807*i - "
                     "9223372036854775806*j == 1)");
  EXPECT_NE(isEmpty(a).truth, Truth::Proved);
  Relation b = parse("() -> (i) : (i >= 9223372036854775807)");
  EXPECT_NE(isEmpty(b).truth, Truth::Proved);
}

TEST(RelationQuestions, count) {
  auto count = [](const std::string &text, std::vector<int64_t> inputs,
                  std::vector<int64_t> symbols) {
    return countOutputs(parse(text), inputs, symbols);
  };
  EXPECT_EQ(count("()[n] -> (i) : (0 <= i < n)", {}, {10}), 10);
  EXPECT_EQ(count("()[n] -> (i) : (0 <= i < n)", {}, {-1}), 0);
  EXPECT_EQ(count("()[n] -> (i) : (0 <= i)", {}, {10}), std::nullopt);
  EXPECT_EQ(count("()[n] -> (i, j) : (0 <= i <= j < n)", {}, {100}), 5050);
  EXPECT_EQ(
      count("() -> (i, j) : (0 <= i < 1000000, 0 <= j < 3000000)", {}, {}),
      3000000000000);
  EXPECT_EQ(count("() -> (i) : (0 <= i < 100, i mod 3 == 1)", {}, {}), 33);
  EXPECT_EQ(count("() -> (i) : (i floordiv 4 == 2)", {}, {}), 4);
  EXPECT_EQ(count("() -> (i) : (0 <= i < 10) or (5 <= i < 20)", {}, {}), 20);
  EXPECT_EQ(count("(d) -> (i) : (d <= i <= d + 1)", {7}, {}), 2);
}

} // namespace
