//===- NumberChainsTest.cpp - numbers made of numbers, in long chains -----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/Conditions.h"
#include "infer/numbers/NumberArithmetic.h"
#include "infer/numbers/NumberText.h"
#include "infer/numbers/Numbers.h"
#include "infer/numbers/SymbolExtents.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

using namespace broadloom;
using namespace broadloom::infer;

namespace {

class NumberChainsTest : public ::testing::Test {
protected:
  int pick(int count) {
    return std::uniform_int_distribution<int>(0, count - 1)(random);
  }

  /// The value of a number of n and m, whose symbols are looked into.
  int64_t valueOf(const Number &number, int64_t n, int64_t m) {
    int64_t sum = number.constant;
    for (const Term &term : number.terms) {
      int64_t product = term.factor;
      for (AtomId id : term.atoms) {
        // Parts are shared.
        auto known = values.find({id, n, m});
        if (known == values.end())
          known = values
                      .emplace(std::tuple(id, n, m),
                               valueOf(numbers.getAtom(id), n, m))
                      .first;
        product *= known->second;
      }
      sum += product;
    }
    return sum;
  }
  int64_t valueOf(const Atom &atom, int64_t n, int64_t m) {
    using Kind = Atom::Kind;
    if (atom.kind == Kind::Symbol) {
      if (const Number *made = getDefinition(numbers, atom.symbol))
        return valueOf(*made, n, m);
      return Extent::symbol(atom.symbol) == rows ? n : m;
    }
    int64_t a = valueOf(atom.a, n, m), b = valueOf(atom.b, n, m);
    switch (atom.kind) {
    case Kind::Sum:
      return a + b;
    case Kind::Product:
      return a * b;
    case Kind::Quotient:
      return (a - (a % b + b) % b) / b;
    case Kind::Remainder:
      return (a % b + b) % b;
    case Kind::TruncatedQuotient:
      return a / b;
    case Kind::TruncatedRemainder:
      return a % b;
    case Kind::Maximum:
      return std::max(a, b);
    default:
      ADD_FAILURE() << "a number of another kind, "
                    << static_cast<int>(atom.kind);
      return 0;
    }
  }

  Symbols symbols;
  Numbers numbers{symbols};
  Extent rows = symbols.create(), columns = symbols.create();
  Number n = numberOf(numbers, rows), m = numberOf(numbers, columns);
  Number divisor = *add(numbers, m, Number(1));
  std::mt19937 random{7};
  std::map<std::tuple<AtomId, int64_t, int64_t>, int64_t> values;
};

TEST_F(NumberChainsTest, sf6_sumsWithRemaindersKeepTheirBounds) {
  for (int round = 0; round < 300; ++round) {
    Number x = pick(2) ? n : *add(numbers, m, Number(pick(3)));
    bool hasMinus = false;
    for (int i = 0; i < 4; ++i) {
      Number rest = remainder(numbers, x, divisor);
      hasMinus |= pick(4) == 0;
      x = hasMinus       ? *subtract(numbers, x, Number(pick(4)))
          : pick(3) == 0 ? divide(numbers, x, divisor)
                         : *add(numbers, pick(3) == 0 ? n : x, rest);
    }
    Bounds bounds = numbers.naturalBoundsOf(x);
    EXPECT_TRUE(hasMinus || bounds.lo >= 0) << toString(numbers, x);
    for (int64_t i = 0; i <= 9; ++i)
      for (int64_t j = 0; j <= 5; ++j) {
        int64_t value = valueOf(x, i, j);
        ASSERT_LE(bounds.lo, value) << toString(numbers, x);
        ASSERT_GE(bounds.hi, value) << toString(numbers, x);
      }
  }
}

TEST_F(NumberChainsTest, sf6_longNumbersAreShortInSymbols) {
  for (bool isBelow : {false, true}) {
    Number x = n;
    int64_t values[] = {7, 40}, lengths[] = {5, 3};
    for (int i = 0; i < 200; ++i) {
      int64_t offset = isBelow && i % 3 == 2 ? -11 : 11;
      x = *add(numbers, truncatedRemainder(numbers, x, divisor),
               Number(offset));
      x = shorten(numbers, x);
      for (size_t k = 0; k < 2; ++k)
        values[k] = values[k] % lengths[k] + offset;
      // Nothing is forgotten, however long the chain is.
      forEachLeaf(numbers, x, [&](AtomId leaf) {
        EXPECT_EQ(numbers.getAtom(leaf).kind, Atom::Kind::Symbol) << i;
      });
    }
    EXPECT_EQ(valueOf(x, 7, 4), values[0]);
    EXPECT_EQ(valueOf(x, 40, 2), values[1]);
    EXPECT_LT(toString(numbers, x).size(), 200u) << toString(numbers, x);
  }
}

TEST_F(NumberChainsTest, sf6_aLongExtentIsTheSymbolThatItIs) {
  Number x = n;
  for (int i = 0; i < 20; ++i)
    x = *add(numbers, divide(numbers, x, divisor), Number(i));
  Extent extent = extentOf(numbers, x);
  EXPECT_TRUE(extent == extentOf(numbers, x));
  EXPECT_EQ(truthOf(numbers, equal(numbers, numberOf(numbers, extent), x)),
            Truth::Proved);
}

} // namespace
