//===- PackedSetTest.cpp - counts and places against enumeration ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/PackedSet.h"
#include "poly/RelationQuestions.h"
#include "poly/RelationText.h"
#include "poly/SetUnion.h"

#include "gtest/gtest.h"

#include <random>

using namespace broadloom;
using namespace broadloom::poly;

namespace {

Relation parse(const std::string &text) {
  ParsedRelation parsed = parseSet(text);
  EXPECT_TRUE(parsed.relation.has_value())
      << text << ": " << (parsed.error ? parsed.error->message : "");
  return parsed.relation.value_or(Relation(Signature()));
}

/// Compares with all points between -`reach` and `reach`.
void compare(const Relation &set, const PackedSet &packed,
             const std::vector<int64_t> &symbols, int64_t reach) {
  size_t rank = set.getSignature().outputs.size();
  std::vector<int64_t> index(rank, -reach);
  int64_t count = 0;
  while (true) {
    std::vector<int64_t> point = symbols;
    point.insert(point.end(), index.begin(), index.end());
    if (contains(set, point) == Truth::Proved) {
      ASSERT_EQ(packed.place.evaluate(point), count) << printSet(set);
      ++count;
    }
    size_t axis = rank;
    while (axis > 0 && index[axis - 1] == reach)
      index[--axis] = -reach;
    if (axis == 0)
      break;
    ++index[axis - 1];
  }
  ASSERT_EQ(packed.count.evaluate(symbols), count)
      << printSet(set) << ", symbol " << (symbols.empty() ? -1 : symbols[0]);
}

std::string whyNot(const std::string &text) {
  PackedSetResult result = packSet(parse(text));
  return result.packed ? "packed" : result.because;
}

} // namespace

TEST(PackedSet, setsOfMatrices) {
  for (const char *text :
       {"(i, j)[n] : (0 <= j <= i, i < n)", "(i, j)[n] : (0 <= i <= j, j < n)",
        "(i, j)[n] : (0 <= j < i, i < n)", "(i, j)[n] : (0 <= i < j, j < n)",
        "(i, j)[n] : (0 <= i < n, 0 <= j < n, i - 2 <= j <= i + 1)",
        "(i, j)[n] : (0 <= i < n, 0 <= j < n, j <= i + 3)",
        "(i, j)[n] : (0 <= i < n, 0 <= j, i + j < n)",
        "(i, j)[n] : (0 <= i < n, i == j)", "(i)[n] : (0 <= i < n)",
        "(i, j, k)[n] : (0 <= k <= j, j <= i, i < n)",
        "(i, j, k)[n] : (0 <= i, 0 <= j, 0 <= k, i + j + k < n)",
        "(i, j)[n] : (0 <= i < 2*n, 0 <= j < n)"}) {
    Relation set = parse(text);
    PackedSetResult result = packSet(set);
    ASSERT_TRUE(result.packed) << text << ": " << result.because;
    for (int64_t n = 0; n < 7; ++n)
      compare(set, *result.packed, {n}, 13);
  }
}

TEST(PackedSet, twoSymbols) {
  for (const char *text : {"(i, j)[n, m] : (0 <= i < n, 0 <= j < m)",
                           "(i, j)[n, m] : (0 <= j <= i, i < n, j < m)",
                           "(i, j)[n, m] : (0 <= i < n, i <= j, j < n + m)"}) {
    Relation set = parse(text);
    PackedSetResult result = packSet(set);
    ASSERT_TRUE(result.packed) << text << ": " << result.because;
    for (int64_t n = 0; n < 5; ++n)
      for (int64_t m = 1; m < 5; ++m)
        compare(set, *result.packed, {n, m}, 9);
  }
}

TEST(PackedSet, formulas) {
  PackedSet lower = *packSet(parse("(i, j)[n] : (0 <= j <= i, i < n)")).packed;
  EXPECT_EQ(lower.count.evaluate({2000}), 2001000);
  EXPECT_EQ(lower.place.evaluate({2000, 1999, 1999}), 2000999);
  EXPECT_EQ(lower.count.evaluate({int64_t(1) << 30}),
            ((int64_t(1) << 30) * ((int64_t(1) << 30) + 1)) / 2);
  EXPECT_TRUE(lower.count.pieces.empty());
  EXPECT_TRUE(lower.place.pieces.empty());
  EXPECT_TRUE(lower.tellsSymbol);
  EXPECT_EQ(lower.bits, 26);
}

TEST(PackedSet, whetherTheCountTellsTheSymbol) {
  auto tells = [](const char *text) {
    return packSet(parse(text)).packed->tellsSymbol;
  };
  EXPECT_TRUE(tells("(i, j)[n] : (0 <= i <= j, j < n)"));
  EXPECT_TRUE(tells("(i, j)[n] : (0 <= i < n, 0 <= j < n, i - 1 <= j)"));
  EXPECT_TRUE(tells("(i, j)[n] : (0 <= i < n, j == n - 1 - i)"));
  EXPECT_TRUE(tells("(i, j)[n] : (0 <= i < n, 0 <= j < n, i + j >= n - 1)"));
  EXPECT_TRUE(
      tells("(i, j)[n] : (0 <= i < n, 0 <= j < n, n - 2 <= i + j <= n)"));
  EXPECT_TRUE(tells("(i, j)[n] : (0 <= i < n, i - 700 <= j <= i)"));
  // None for 0, and none for 1.
  EXPECT_FALSE(tells("(i, j)[n] : (0 <= j < i, i < n)"));
  EXPECT_FALSE(tells("(i, j)[n] : (0 <= i < 3, 0 <= j < 3)"));
  EXPECT_FALSE(tells("(i, j)[n, m] : (0 <= i < n, 0 <= j < m)"));
}

TEST(PackedSet, reasons) {
  EXPECT_EQ(whyNot("(i, j)[n] : (0 <= i < n, 0 <= j)"),
            "'j' has no upper bound");
  EXPECT_EQ(whyNot("(i)[n] : (i < n)"), "'i' has no lower bound");
  EXPECT_EQ(whyNot("(i)[n] : (0 <= i < n, i mod 2 == 0)"),
            "it has quotients or what exists, so that it may have holes; write "
            "comparisons of sums alone");
  EXPECT_EQ(whyNot("(i)[n] : (0 <= i < n) or (n + 2 <= i < n + 4)"),
            "it is a union that is not known to be one conjunction, and there "
            "is no formula of other unions; write one conjunction");
  EXPECT_EQ(whyNot("(i, j)[n] : (0 <= i < n, 0 <= 2*j <= i)"),
            "'j' has a bound with a quotient; its factor must be 1 or -1");
  EXPECT_EQ(whyNot("(i)[n] : (0 <= i < n, n >= 5)"),
            "it has a condition on symbols alone, n - 5 >= 0");
  EXPECT_EQ(whyNot("(i)[n] : (0 <= i < n - 3)"),
            "'i' goes from 0 to n - 4, which may be less than that");
}

TEST(PackedSet, outside) {
  bool isKnown = true;
  Relation set = parse("(i, j)[n] : (0 <= j <= i, i < n)");
  Form n = Form::variable(0);
  EXPECT_FALSE(findOutside(set, {n, n}, isKnown));
  EXPECT_TRUE(isKnown);
  auto point = findOutside(set, {n, n - 1}, isKnown);
  ASSERT_TRUE(point);
  EXPECT_EQ(contains(set, *point), Truth::Proved);
}

/// Random conjunctions: what is packed is exact.
TEST(PackedSet, property) {
  std::mt19937 random(7);
  auto pick = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  int numPacked = 0;
  for (int round = 0; round < 600; ++round) {
    size_t rank = size_t(pick(1, 3));
    std::vector<std::string> names = {"i", "j", "k"};
    names.resize(rank);
    std::string rows;
    for (const std::string &name : names)
      rows += (rows.empty() ? "0 <= " : ", 0 <= ") + name + " < n";
    for (int extra = pick(0, 2); extra > 0 && rank > 1; --extra) {
      int a = pick(0, int(rank) - 1), b = pick(0, int(rank) - 1);
      if (a == b)
        continue;
      const char *signs[] = {" - ", " + "};
      rows += ", " + names[size_t(a)] + signs[pick(0, 1)] + names[size_t(b)] +
              (pick(0, 1) ? " <= " : " >= ") + (pick(0, 2) ? "" : "n + ") +
              std::to_string(pick(-2, 3));
    }
    std::string text = "(";
    for (size_t i = 0; i < rank; ++i)
      text += (i ? ", " : "") + names[i];
    text += ")[n] : (" + rows + ")";
    ParsedRelation parsed = parseSet(text);
    if (!parsed.relation)
      continue;
    PackedSetResult result = packSet(*parsed.relation);
    if (!result.packed)
      continue;
    ++numPacked;
    for (int64_t n = 0; n < 6; ++n)
      compare(*parsed.relation, *result.packed, {n}, 6);
    if (!result.packed->tellsSymbol)
      continue;
    for (int64_t n = 0; n < 20; ++n)
      ASSERT_LT(*result.packed->count.evaluate({n}),
                *result.packed->count.evaluate({n + 1}))
          << text;
  }
  EXPECT_GT(numPacked, 200);
}

TEST(PackedSet, text) {
  EXPECT_EQ(printSet(parse("(i, j)[n] : (0 <= j <= i, i < n)")),
            "(i, j)[n] : (i <= n - 1, 0 <= j <= i)");
  EXPECT_EQ(parseSet("(i, j) -> (k) : ()").error->message, "expected ':'");
  EXPECT_EQ(parseSet("(i) : (i == 0) x").error->message,
            "expected the end of the set");
}

TEST(PackedSet, permuted) {
  Relation lower = parse("(i, j)[n] : (0 <= j <= i, i < n)");
  Relation upper = parse("(i, j)[n] : (0 <= i <= j, j < n)");
  EXPECT_EQ(isEqual(permute(lower, {1, 0}), upper).truth, Truth::Proved);
  EXPECT_EQ(isEqual(permute(lower, {0, 1}), upper).truth, Truth::Refuted);
  // Axes 1, 2 and 0.
  Relation box = parse("(i, j, k)[n, m] : (0 <= i < n, i <= j < m, k == 2)");
  EXPECT_EQ(isEqual(permute(box, {1, 2, 0}),
                    parse("(j, k, i)[n, m] : (0 <= i < n, i <= j < m, k == 2)"))
                .truth,
            Truth::Proved);
}

TEST(PackedSet, mirrored) {
  EXPECT_EQ(hasMirrored(parse("(i, j)[n] : (0 <= j <= i, i < n)")),
            Truth::Refuted);
  EXPECT_EQ(hasMirrored(parse("(i, j)[n] : (0 <= i < n, 0 <= j < n, "
                              "i - 1 <= j <= i + 1)")),
            Truth::Proved);
  EXPECT_EQ(hasMirrored(parse("(i, j)[n] : (0 <= i < n, 0 <= j < n, "
                              "i - 2 <= j <= i)")),
            Truth::Refuted);
}

TEST(PackedSet, intervalsOfAxes) {
  PackedSetResult upper = packSet(parse("(i, j)[n] : (0 <= i <= j, j < n)"));
  ASSERT_TRUE(upper.packed.has_value());
  ASSERT_EQ(upper.packed->axes.size(), 2u);
  const Form n = Form::variable(0), i = Form::variable(1);
  EXPECT_EQ(upper.packed->axes[0].lowers, std::vector<Form>{Form(0)});
  EXPECT_EQ(upper.packed->axes[0].uppers, std::vector<Form>{n - 1});
  EXPECT_EQ(upper.packed->axes[1].lowers, std::vector<Form>{i});
  EXPECT_EQ(upper.packed->axes[1].uppers, std::vector<Form>{n - 1});
}

TEST(PackedSet, unionsThatAreConjunctions) {
  for (auto [text, joined] : {
           std::pair("(i, j)[n] : (0 <= j <= i, i < n) or (0 <= i < j, j < n)",
                     "(i, j)[n] : (0 <= i < n, 0 <= j < n)"),
           std::pair("(i, j)[n] : (0 <= j <= i, i < n) or (j == 0, 0 <= i < n)",
                     "(i, j)[n] : (0 <= j <= i, i < n)"),
           std::pair("(i, j)[n] : (0 <= j < i, i < n) or (j == i, 0 <= i < n)",
                     "(i, j)[n] : (0 <= j <= i, i < n)"),
           // Diagonals, of which each has bounds of one axis.
           std::pair(
               "(i, j)[n] : (j == i, 0 <= i < n) or (i == j + 1, 0 <= j, "
               "i < n) or (j == i + 1, 0 <= i, j < n)",
               "(i, j)[n] : (0 <= i < n, 0 <= j < n, i - 1 <= j <= i + 1)"),
           std::pair("(i, j)[n] : (j == i, 0 <= j < n) or (0 <= j < i, i < n)",
                     "(i, j)[n] : (0 <= j <= i, i < n)"),
       }) {
    Relation found = *joinParts(parse(text)).relation;
    EXPECT_EQ(found.getParts().size(), 1u) << text;
    EXPECT_EQ(isEqual(found, parse(text)).truth, Truth::Proved) << text;
    EXPECT_EQ(isEqual(found, parse(joined)).truth, Truth::Proved) << text;
  }
  // A hole, a corner that is missing, and a gap for most symbols.
  for (const char *text :
       {"(i, j)[n] : (0 <= j < i, i < n) or (0 <= i < j, j < n)",
        "(i, j)[n] : (0 <= i < n, j == 0) or (i == 0, 0 <= j < n)",
        "(i)[n] : (0 <= i < n) or (5 <= i < n + 5)",
        "(i, j)[n] : (i == j + 1, 0 <= j, i < n) or (j == i + 1, 0 <= i, j < "
        "n)",
        "(i, j)[n] : (j == i, 0 <= i < n) or (i == j + 2, 0 <= j, i < n)",
        "(i)[n] : (0 <= i < n, i mod 2 == 0) or (0 <= i < n, i mod 2 == 1)"})
    EXPECT_GT(joinParts(parse(text)).relation->getParts().size(), 1u) << text;
}

// Diagonals side by side are a band; others are none.
TEST(PackedSet, unionsOfDiagonals) {
  for (int diagonals = 1; diagonals < 32; ++diagonals) {
    std::string text = "(i, j)[n] : ", separator;
    int first = 5, last = -1, count = 0;
    for (int number = 0; number < 5; ++number) {
      if (!(diagonals >> number & 1))
        continue;
      int above = number - 2;
      // The bounds that do not follow, of one axis or the other.
      text += separator + "(j == i + " + std::to_string(above) +
              (above < 0 ? ", 0 <= j, i < n)" : ", 0 <= i, j < n)");
      separator = " or ";
      first = std::min(first, number);
      last = number;
      ++count;
    }
    Relation set = parse(text), joined = *joinParts(set).relation;
    EXPECT_EQ(joined.getParts().size(),
              last - first + 1 == count ? 1u : size_t(count))
        << text;
    for (int64_t n = 0; n < 6; ++n)
      for (int64_t i = -1; i < 7; ++i)
        for (int64_t j = -1; j < 7; ++j)
          ASSERT_EQ(contains(joined, {n, i, j}), contains(set, {n, i, j}))
              << text << " is not " << printSet(joined);
  }
}

// As many as a relation has parts; where one is missing, the error says what
// the proof met.
TEST(PackedSet, unionsOfManyDiagonals) {
  auto write = [](int count, int missing) {
    std::string text = "(i, j)[n] : ", separator;
    for (int number = 0; number < count; ++number) {
      int above = number - count / 2;
      if (above == missing)
        continue;
      text += separator + "(j == i + " + std::to_string(above) +
              (above < 0 ? ", 0 <= j, i < n)" : ", 0 <= i, j < n)");
      separator = " or ";
    }
    return text;
  };
  for (int count : {41, 64}) {
    Relation joined = *joinParts(parse(write(count, 99))).relation;
    ASSERT_EQ(joined.getParts().size(), 1u);
    std::string first = std::to_string(count / 2),
                last = std::to_string((count - 1) / 2);
    EXPECT_EQ(
        isEqual(joined, parse("(i, j)[n] : (0 <= i < n, 0 <= j < n, i - " +
                              first + " <= j <= i + " + last + ")"))
            .truth,
        Truth::Proved);
  }
  EXPECT_EQ(whyNot(write(11, 3)),
            "it is a union that is not known to be one conjunction, and there "
            "is no formula of other unions; write one conjunction");
  EXPECT_EQ(whyNot(write(61, 3)),
            "it is a union that is not known to be one conjunction, because "
            "there are too many cases, and there is no formula of other "
            "unions; write one conjunction");
  EXPECT_EQ(parseSet(write(65, 99)).error->message,
            "there are more than 64 parts");
}

// The smallest form of two comparisons may be a quotient, also of a union.
TEST(PackedSet, comparisonsThatAreQuotients) {
  for (int factor = 2; factor < 5; ++factor)
    for (int shift = -2; shift < 3; ++shift) {
      std::string times = std::to_string(factor) + "*j + ", text, separator;
      for (int number = 0; number < factor; ++number) {
        text += separator + "(0 <= j < n, i == " + times +
                std::to_string(shift + number) + ")";
        separator = " or ";
      }
      std::string all = "(0 <= j < n, " + times + std::to_string(shift) +
                        " <= i <= " + times +
                        std::to_string(shift + factor - 1) + ")";
      for (const std::string &rows : {text, all}) {
        Relation set = parse("(j, i)[n] : " + rows);
        // Also as it is printed.
        for (const Relation &same : {set, parse(printSet(set))}) {
          PackedSetResult result = packSet(same);
          ASSERT_TRUE(result.packed) << rows << ": " << result.because;
          for (int64_t n = 0; n < 4; ++n)
            compare(set, *result.packed, {n}, 16);
        }
      }
    }
  EXPECT_EQ(whyNot("(i, j)[n] : (0 <= i < n, j == i floordiv 2)"),
            "'j' has a bound with a quotient; its factor must be 1 or -1");
  // No equality tells these.
  for (const char *text :
       {"(i, j)[n] : (0 <= i < n, 0 <= j <= i floordiv 2)",
        "(i, j)[n] : (0 <= i < n, i mod 3 <= j <= i)",
        "(i, j)[n] : (0 <= i < n, j == i floordiv 2 + i floordiv 3)"})
    EXPECT_EQ(whyNot(text),
              "it has quotients or what exists, so that it may have holes; "
              "write comparisons of sums alone");
}

// Boxes of a matrix, of which some make one, by enumeration.
TEST(PackedSet, unionProperty) {
  std::mt19937 random(11);
  auto pick = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  int numJoined = 0;
  for (int round = 0; round < 200; ++round) {
    std::string cut = std::string(pick(0, 1) ? "i + j" : "i - j"),
                at = std::to_string(pick(-2, 3)),
                gap = pick(0, 3) ? "" : " + 1";
    std::string box = "(0 <= i < n, 0 <= j < n";
    if (pick(0, 1))
      box += ", i <= j + " + std::to_string(pick(0, 2));
    std::string text = "(i, j)[n] : " + box + ", " + cut + " <= " + at +
                       ") or " + box + ", " + cut + " > " + at + gap + ")";
    if (!pick(0, 2))
      text += " or " + box + ", i == " + std::to_string(pick(0, 2)) + ")";
    // A part without points is an error of the text.
    ParsedRelation parsed = parseSet(text);
    if (!parsed.relation)
      continue;
    const Relation &set = *parsed.relation;
    Relation joined = *joinParts(set).relation;
    numJoined += joined.getParts().size() == 1;
    for (int64_t n = 0; n < 5; ++n)
      for (int64_t i = -1; i < 6; ++i)
        for (int64_t j = -1; j < 6; ++j)
          ASSERT_EQ(contains(joined, {n, i, j}), contains(set, {n, i, j}))
              << text << " is not " << printSet(joined);
  }
  EXPECT_GT(numJoined, 50);
}
