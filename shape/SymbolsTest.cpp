//===- SymbolsTest.cpp - tests of symbols, their facts and the provers ----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/Symbols.h"
#include "shape/Prover.h"
#include "shape/Shape.h"

#include <gtest/gtest.h>

using namespace broadloom;

namespace {

class SymbolsTest : public ::testing::Test {
protected:
  Symbols symbols;
  SymbolProver prover{symbols};
  Extent s = symbols.named("s");
  Extent t = symbols.named("t");
  Extent u = symbols.named("u");
  const Extent one = Extent::fixed(1), two = Extent::fixed(2),
               three = Extent::fixed(3), any = Extent::dynamic();

  Truth equal(Extent a, Extent b) const { return prover.equal(a, b).truth(); }
  Truth compatible(Extent a, Extent b) const {
    EXPECT_EQ(prover.compatible(a, b).truth(), prover.compatible(b, a).truth());
    return prover.compatible(a, b).truth();
  }
};

TEST_F(SymbolsTest, ext1_twoUsesOfOneNameAreEqual) {
  EXPECT_EQ(symbols.named("s"), s);
  EXPECT_EQ(equal(s, symbols.named("s")), Truth::Proved);
  EXPECT_EQ(equal(s, t), Truth::Unknown);
  EXPECT_EQ(equal(any, any), Truth::Unknown);
  EXPECT_EQ(equal(s, any), Truth::Unknown);
  EXPECT_EQ(equal(two, any), Truth::Unknown);
}

TEST_F(SymbolsTest, ext2_answersHaveReasons) {
  symbols.assumeEqual(s, three, "argument 0, axis 1");
  Answer answer = prover.equal(s, two);
  EXPECT_TRUE(answer.isRefuted());
  EXPECT_EQ(prover.explain(answer),
            "the extents are known to differ (argument 0, axis 1)");
  EXPECT_STREQ(truthName(answer.truth()), "refuted");
  EXPECT_TRUE(answer.negated().isProved());
  EXPECT_TRUE(Answer().negated().isUnknown());
  EXPECT_EQ(staticProver().explain(staticProver().isOne(one)),
            "the extent is statically 1");
}

TEST_F(SymbolsTest, ext3_zeroIsNotOne) {
  EXPECT_TRUE(prover.isOne(Extent::fixed(0)).isRefuted());
  EXPECT_TRUE(prover.isNotOne(Extent::fixed(0)).isProved());
  EXPECT_EQ(compatible(Extent::fixed(0), two), Truth::Refuted);
  EXPECT_EQ(compatible(Extent::fixed(0), one), Truth::Proved);
  EXPECT_EQ(compatible(Extent::fixed(0), any), Truth::Unknown);
}

TEST_F(SymbolsTest, ext4_scalableExtents) {
  Extent four = Extent::scalable(4), eight = Extent::scalable(8);
  for (const Prover *p : {static_cast<const Prover *>(&prover),
                          static_cast<const Prover *>(&staticProver())}) {
    EXPECT_TRUE(p->equal(four, four).isProved());
    EXPECT_TRUE(p->equal(four, eight).isRefuted());
    EXPECT_TRUE(p->equal(four, Extent::fixed(4)).isRefuted());
    EXPECT_TRUE(p->compatible(four, one).isProved());
    EXPECT_TRUE(p->compatible(four, Extent::fixed(4)).isRefuted());
    EXPECT_TRUE(p->compatible(four, eight).isRefuted());
    EXPECT_TRUE(p->compatible(four, any).isUnknown());
    EXPECT_TRUE(p->isOne(Extent::scalable(1)).isRefuted());
  }
}

TEST_F(SymbolsTest, representativeDoesNotDependOnOrder) {
  symbols.assumeEqual(u, t);
  EXPECT_EQ(symbols.resolve(u), t);
  symbols.assumeEqual(t, s);
  EXPECT_EQ(symbols.resolve(u), s);
  EXPECT_EQ(symbols.resolve(s), s);
  EXPECT_EQ(equal(u, s), Truth::Proved);
  EXPECT_TRUE(symbols.assumeEqual(s, u).isProved());
}

TEST_F(SymbolsTest, constantsPassThroughEqualities) {
  symbols.assumeEqual(s, t);
  symbols.assumeEqual(t, three);
  EXPECT_EQ(symbols.resolve(s), three);
  EXPECT_EQ(equal(s, three), Truth::Proved);
  EXPECT_EQ(equal(s, two), Truth::Refuted);
  EXPECT_EQ(compatible(s, two), Truth::Refuted);
  symbols.assumeEqual(three, u);
  EXPECT_EQ(equal(u, s), Truth::Proved);
}

TEST_F(SymbolsTest, boundsAndNotOne) {
  EXPECT_TRUE(prover.isOne(s).isUnknown());
  symbols.assumeBounds(s, 1, 8);
  EXPECT_TRUE(prover.isOne(s).isUnknown());
  symbols.assumeNotOne(s);
  EXPECT_EQ(symbols.range(s).lo, 2);
  EXPECT_TRUE(prover.isOne(s).isRefuted());
  EXPECT_EQ(equal(s, Extent::fixed(9)), Truth::Refuted);
  EXPECT_EQ(compatible(s, Extent::fixed(9)), Truth::Refuted);
  EXPECT_EQ(compatible(s, Extent::fixed(8)), Truth::Unknown);
  // [0, 1] without 1 is 0.
  symbols.assumeBounds(t, 0, 1);
  symbols.assumeNotOne(t);
  EXPECT_EQ(symbols.resolve(t), Extent::fixed(0));
  // 1 inside the range is excluded too.
  symbols.assumeNotOne(u);
  EXPECT_EQ(equal(u, one), Truth::Refuted);
  EXPECT_EQ(compatible(u, one), Truth::Proved);
}

TEST_F(SymbolsTest, contradictionsAreRefusedWithoutATrace) {
  symbols.assumeEqual(s, three);
  symbols.assumeEqual(t, two);
  EXPECT_TRUE(symbols.assumeEqual(s, t).isRefuted());
  EXPECT_TRUE(symbols.assumeEqual(s, two).isRefuted());
  EXPECT_TRUE(symbols.assumeOne(s).isRefuted());
  EXPECT_TRUE(symbols.assumeBounds(s, 4, 9).isRefuted());
  EXPECT_TRUE(symbols.assumeCompatible(s, t).isRefuted());
  EXPECT_TRUE(symbols.assumeEqual(three, two).isRefuted());
  EXPECT_TRUE(symbols.assumeOne(Extent::scalable(1)).isRefuted());
  EXPECT_TRUE(symbols.assumeEqual(Extent::scalable(1), one).isRefuted());
  EXPECT_EQ(symbols.resolve(s), three);
  EXPECT_EQ(symbols.resolve(t), two);
  EXPECT_TRUE(symbols.isConsistent());
}

TEST_F(SymbolsTest, nothingIsRecordedAboutUnnamedExtents) {
  EXPECT_TRUE(symbols.assumeEqual(any, any).isUnknown());
  EXPECT_TRUE(symbols.assumeCompatible(any, s).isUnknown());
  EXPECT_TRUE(symbols.assumeOne(any).isUnknown());
  EXPECT_TRUE(symbols.assumeEqual(Extent::symbol(99), s).isUnknown());
  EXPECT_EQ(equal(any, any), Truth::Unknown);
  EXPECT_EQ(equal(Extent::symbol(99), Extent::symbol(99)), Truth::Proved);
}

TEST_F(SymbolsTest, rt8_compatibilityIsRemembered) {
  EXPECT_EQ(compatible(s, t), Truth::Unknown);
  EXPECT_TRUE(symbols.assumeCompatible(s, t).isUnknown());
  EXPECT_TRUE(symbols.assumeCompatible(t, s).isProved());
  EXPECT_EQ(compatible(s, t), Truth::Proved);
  EXPECT_EQ(equal(s, t), Truth::Unknown);
  // Broadcasting is not transitive: s = 1 broadcasts against all.
  symbols.assumeCompatible(s, u);
  EXPECT_EQ(compatible(t, u), Truth::Unknown);
}

TEST_F(SymbolsTest, rt8_conclusionsFromCompatibility) {
  symbols.assumeCompatible(s, t);
  symbols.assumeNotOne(s);
  EXPECT_EQ(equal(s, t), Truth::Unknown);
  symbols.assumeNotOne(t);
  EXPECT_EQ(equal(s, t), Truth::Proved);
  EXPECT_EQ(symbols.resolve(t), s);
  // u is 1 or 3, and not 3.
  symbols.assumeCompatible(u, three);
  EXPECT_EQ(symbols.range(u).hi, 3);
  symbols.assumeBounds(u, 0, 2);
  EXPECT_EQ(symbols.resolve(u), one);
}

TEST_F(SymbolsTest, rt8_notOneAndCompatibleWithAStaticExtentIsEqual) {
  symbols.assumeCompatible(s, three, "a guard");
  EXPECT_EQ(compatible(s, three), Truth::Proved);
  EXPECT_EQ(equal(s, three), Truth::Unknown);
  symbols.assumeNotOne(s);
  EXPECT_EQ(symbols.resolve(s), three);
}

TEST_F(SymbolsTest, rt8_whatBroadcastsAgainstTheSameNotOneBroadcasts) {
  symbols.assumeCompatible(s, three);
  symbols.assumeCompatible(t, three);
  EXPECT_EQ(compatible(s, t), Truth::Proved);
  EXPECT_EQ(compatible(s, u), Truth::Unknown);
  symbols.assumeCompatible(u, two);
  EXPECT_EQ(compatible(s, u), Truth::Unknown);
  Extent v = symbols.create(), w = symbols.create(), x = symbols.create();
  symbols.assumeCompatible(v, x);
  symbols.assumeCompatible(w, x);
  EXPECT_EQ(compatible(v, w), Truth::Unknown);
  symbols.assumeNotOne(x);
  EXPECT_EQ(compatible(v, w), Truth::Proved);
}

TEST_F(SymbolsTest, contradictingConsequencesAreSeen) {
  symbols.assumeCompatible(s, t);
  symbols.assumeEqual(s, two);
  EXPECT_TRUE(symbols.assumeEqual(t, three).isRefuted());
  Symbols other;
  Extent a = other.create(), b = other.create(), c = other.create();
  other.assumeCompatible(a, b);
  other.assumeCompatible(b, c);
  other.assumeEqual(a, two);
  other.assumeEqual(c, three);
  // b is 1: it broadcasts against 2 and 3.
  EXPECT_EQ(other.resolve(b), one);
  EXPECT_TRUE(other.assumeNotOne(b).isRefuted());
}

TEST_F(SymbolsTest, bcast5_joinsDoNotDependOnOrderOrGrouping) {
  Extent st = symbols.join({s, t}, false);
  EXPECT_EQ(symbols.join({t, s}, false), st);
  EXPECT_EQ(symbols.join({st, t}, false), st);
  Extent left = symbols.join({st, u}, false);
  EXPECT_EQ(symbols.join({s, symbols.join({t, u}, false)}, false), left);
  // A `?` is another one each time.
  EXPECT_NE(symbols.join({s}, true), symbols.join({s}, true));
}

TEST_F(SymbolsTest, rt8_aJoinedSymbolBroadcastsAgainstItsParts) {
  Extent st = symbols.join({s, t}, false);
  EXPECT_EQ(compatible(st, s), Truth::Proved);
  EXPECT_EQ(compatible(st, u), Truth::Unknown);
  symbols.assumeCompatible(u, s);
  EXPECT_EQ(compatible(st, u), Truth::Unknown);
  symbols.assumeCompatible(u, t);
  EXPECT_EQ(compatible(st, u), Truth::Proved);
  Extent sAny = symbols.join({s}, true);
  EXPECT_EQ(compatible(sAny, s), Truth::Proved);
  EXPECT_EQ(compatible(sAny, t), Truth::Unknown);
}

TEST_F(SymbolsTest, joinedSymbolsAreWithinTheirPartsBounds) {
  symbols.assumeBounds(s, 1, 4);
  symbols.assumeBounds(t, 0, 9);
  ExtentRange range = symbols.range(symbols.join({s, t}, false));
  EXPECT_EQ(range.lo, 0);
  EXPECT_EQ(range.hi, 9);
}

TEST_F(SymbolsTest, rt8_rollBackForgetsWhatWasLearnedInARegion) {
  symbols.assumeCompatible(s, t);
  Extent st = symbols.join({s, t}, false);
  size_t mark = symbols.mark();

  symbols.assumeEqual(s, u);
  symbols.assumeCompatible(t, u);
  symbols.assumeNotOne(s);
  symbols.assumeEqual(t, three);
  EXPECT_EQ(symbols.resolve(u), three);
  Extent inner = symbols.join({st, symbols.create()}, false);
  EXPECT_TRUE(symbols.assumeEqual(u, two).isRefuted());
  symbols.rollBack(mark);

  EXPECT_EQ(symbols.resolve(u), u);
  EXPECT_EQ(symbols.resolve(t), t);
  EXPECT_TRUE(prover.isOne(s).isUnknown());
  EXPECT_EQ(compatible(s, t), Truth::Proved);
  EXPECT_EQ(compatible(t, u), Truth::Unknown);
  EXPECT_EQ(symbols.join({t, s}, false), st);
  EXPECT_EQ(compatible(inner, st), Truth::Unknown);
  // What was there before still leads to conclusions.
  symbols.assumeEqual(s, three);
  symbols.assumeNotOne(t);
  EXPECT_EQ(symbols.resolve(t), three);
}

TEST_F(SymbolsTest, rollBackRestoresConsistency) {
  symbols.assumeCompatible(s, t);
  symbols.assumeCompatible(s, u);
  symbols.assumeBounds(t, 2, 5);
  symbols.assumeBounds(u, 4, 9);
  size_t mark = symbols.mark();
  // s is not 1, so it is t and it is u, but 2 or 3 is not in 4 to 9.
  EXPECT_TRUE(symbols.assumeBounds(s, 2, 3).isRefuted());
  EXPECT_FALSE(symbols.isConsistent());
  symbols.rollBack(mark);
  EXPECT_TRUE(symbols.isConsistent());
  EXPECT_EQ(equal(s, t), Truth::Unknown);
}

TEST_F(SymbolsTest, manyFactsStayFast) {
  // Quadratic work over these would take minutes.
  constexpr size_t kMany = 50000;
  std::vector<Extent> all;
  for (size_t i = 0; i < kMany; ++i)
    all.push_back(symbols.create());
  for (size_t i = kMany - 1; i > 0; --i)
    symbols.assumeCompatible(all[i], all[i - 1]);
  for (size_t i = 0; i < kMany; ++i)
    symbols.assumeCompatible(all[i], s);
  Extent joined = s;
  for (Extent extent : all)
    joined = symbols.join({joined, extent}, false);
  for (size_t i = kMany - 1; i > 0; --i)
    symbols.assumeNotOne(all[i]);
  EXPECT_EQ(equal(all[1], all[kMany - 1]), Truth::Proved);
  EXPECT_EQ(equal(all[0], all[kMany - 1]), Truth::Unknown);
  EXPECT_EQ(compatible(all[0], all[kMany - 1]), Truth::Proved);
  symbols.assumeNotOne(s);
  EXPECT_EQ(symbols.resolve(all[kMany - 1]), s);
  EXPECT_TRUE(symbols.assumeEqual(all[0], two).isUnknown());
  EXPECT_EQ(symbols.resolve(s), two);
}

TEST_F(SymbolsTest, namesOfNamelessSymbols) {
  Extent fresh = symbols.create();
  EXPECT_EQ(toString(fresh, &symbols), "s3");
  symbols.named("s3");
  EXPECT_EQ(toString(fresh, &symbols), "s3_");
}

} // namespace
