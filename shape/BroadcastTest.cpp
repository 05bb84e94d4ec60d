//===- BroadcastTest.cpp - tests of broadcasting shapes known in part -----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/Broadcast.h"

#include <gtest/gtest.h>

using namespace broadloom;

namespace {

using Kind = ShapeConstraint::Kind;

/// Parses operands; symbols by name in one table.
class BroadcastTest : public ::testing::Test {
protected:
  Symbols symbols;
  SymbolProver prover{symbols};

  Broadcast run(const std::vector<const char *> &texts, bool fresh = true) {
    std::vector<Shape> shapes;
    for (const char *text : texts)
      shapes.push_back(parseShape(text, &symbols).value());
    std::vector<ShapeView> views(shapes.begin(), shapes.end());
    BroadcastOptions options;
    if (fresh)
      options.fresh = &symbols;
    return broadcast(views, prover, options);
  }
  std::string inferred(const std::vector<const char *> &texts,
                       bool fresh = true) {
    return toString(run(texts, fresh).inferred, &symbols);
  }
  Extent named(const char *name) { return symbols.named(name); }
};

TEST_F(BroadcastTest, bcast1_shorterShapesGetOnesOnTheLeft) {
  EXPECT_EQ(inferred({"4", "2x3x4"}), "2x3x4");
  EXPECT_EQ(inferred({"5x1", "4"}), "5x4");
  EXPECT_EQ(inferred({"", "2x?"}), "2x?");
  Broadcast result = run({"4", "2x3x5"});
  ASSERT_TRUE(result.error);
  EXPECT_EQ(result.error->axis, 2);
  EXPECT_EQ(result.error->a.axis, 0);
  EXPECT_EQ(result.error->b.axis, 2);
}

TEST_F(BroadcastTest, bcast2_table) {
  struct Row {
    const char *a, *b, *result;
    Truth truth;
  };
  for (const Row &row : {Row{"?", "?", "?", Truth::Unknown},
                         {"?", "1", "?", Truth::Proved},
                         {"?", "4", "4", Truth::Unknown},
                         {"?", "0", "0", Truth::Unknown},
                         {"1", "1", "1", Truth::Proved},
                         {"1", "4", "4", Truth::Proved},
                         {"4", "4", "4", Truth::Proved},
                         {"1", "0", "0", Truth::Proved},
                         {"0", "0", "0", Truth::Proved},
                         {"[4]", "[4]", "[4]", Truth::Proved},
                         {"[4]", "1", "[4]", Truth::Proved},
                         {"[4]", "?", "[4]", Truth::Unknown}})
    for (auto [a, b] : {std::pair(row.a, row.b), std::pair(row.b, row.a)}) {
      Broadcast result = run({a, b});
      EXPECT_EQ(toString(result.inferred), row.result) << a << " " << b;
      EXPECT_EQ(result.answer.truth(), row.truth) << a << " " << b;
      EXPECT_EQ(result.constraints.size(), row.truth == Truth::Unknown)
          << a << " " << b;
    }
  for (auto [a, b] : {std::pair("3", "4"),
                      {"0", "2"},
                      {"[4]", "[8]"},
                      {"[4]", "4"},
                      {"[4]", "2"},
                      {"[1]", "0"}}) {
    EXPECT_TRUE(run({a, b}).answer.isRefuted()) << a << " " << b;
    EXPECT_TRUE(run({b, a}).answer.isRefuted()) << a << " " << b;
  }
}

TEST_F(BroadcastTest, bcast2_symbolWithItselfAndOne) {
  for (auto texts : {std::pair("s", "s"), {"s", "1"}, {"1", "s"}}) {
    Broadcast result = run({texts.first, texts.second});
    EXPECT_EQ(toString(result.inferred, &symbols), "s");
    EXPECT_TRUE(result.answer.isProved());
    EXPECT_TRUE(result.constraints.empty());
  }
}

TEST_F(BroadcastTest, bcast2_symbolWithStatic) {
  for (bool swap : {false, true}) {
    Broadcast result = swap ? run({"4", "s"}) : run({"s", "4"});
    EXPECT_EQ(toString(result.inferred), "4");
    ASSERT_EQ(result.constraints.size(), 1u);
    // Constraining s to be 1 or 4, whichever comes first.
    const ShapeConstraint &constraint = result.constraints[0];
    EXPECT_EQ(constraint.kind, Kind::OneOrEqual);
    EXPECT_EQ(constraint.a.extent, named("s"));
    EXPECT_EQ(constraint.a.party, swap ? 1 : 0);
    EXPECT_EQ(constraint.b.extent, Extent::fixed(4));
  }
}

TEST_F(BroadcastTest, bcast2_twoSymbolsGiveAFreshOne) {
  Broadcast result = run({"s", "t"});
  ASSERT_EQ(result.inferred.rank(), 1u);
  Extent fresh = result.inferred[0];
  EXPECT_TRUE(fresh.isSymbol());
  EXPECT_NE(fresh, named("s"));
  EXPECT_NE(fresh, named("t"));
  ASSERT_EQ(result.constraints.size(), 1u);
  EXPECT_EQ(result.constraints[0].kind, Kind::Compatible);
  EXPECT_EQ(run({"t", "s"}).inferred[0], fresh);
  EXPECT_EQ(inferred({"s", "t"}, /*fresh=*/false), "?");
  // With `?` a new one each time.
  Extent other = run({"s", "?"}).inferred[0];
  EXPECT_TRUE(other.isSymbol());
  EXPECT_NE(run({"?", "s"}).inferred[0], other);
}

TEST_F(BroadcastTest, bcast2_oneSymbolIsNotOne) {
  symbols.assumeNotOne(named("t"));
  for (auto texts : {std::pair("s", "t"), {"t", "s"}, {"t", "?"}, {"?", "t"}}) {
    Broadcast result = run({texts.first, texts.second});
    EXPECT_EQ(toString(result.inferred, &symbols), "t");
    ASSERT_EQ(result.constraints.size(), 1u);
    EXPECT_EQ(result.constraints[0].kind, Kind::OneOrEqual);
    EXPECT_EQ(result.constraints[0].b.extent, named("t"));
  }
}

TEST_F(BroadcastTest, bcast2_bothSymbolsAreNotOne) {
  symbols.assumeNotOne(named("s"));
  symbols.assumeNotOne(named("t"));
  for (auto texts : {std::pair("s", "t"), {"t", "s"}}) {
    Broadcast result = run({texts.first, texts.second});
    EXPECT_EQ(toString(result.inferred, &symbols), "s");
    ASSERT_EQ(result.constraints.size(), 1u);
    EXPECT_EQ(result.constraints[0].kind, Kind::Equal);
    EXPECT_EQ(result.constraints[0].a.party, 0);
  }
}

TEST_F(BroadcastTest, bcast2_factsDecide) {
  symbols.assumeEqual(named("s"), Extent::fixed(3));
  symbols.assumeOne(named("o"));
  symbols.assumeBounds(named("b"), 5, 9);
  EXPECT_EQ(inferred({"s", "3"}), "3");
  EXPECT_TRUE(run({"s", "3"}).answer.isProved());
  EXPECT_TRUE(run({"s", "2"}).answer.isRefuted());
  EXPECT_EQ(inferred({"o", "o"}), "1");
  EXPECT_EQ(inferred({"o", "?"}), "?");
  EXPECT_TRUE(run({"b", "s"}).answer.isRefuted());
  // The error shows what was written, not what is known.
  EXPECT_EQ(run({"s", "2"}).error->a.extent, named("s"));
}

TEST_F(BroadcastTest, bcast4_manyOperands) {
  EXPECT_EQ(inferred({"4x?"}), "4x?");
  EXPECT_EQ(inferred({}), "*");
  EXPECT_TRUE(run({}).answer.isProved());
  EXPECT_EQ(inferred({"*", "*"}), "*");
  EXPECT_EQ(inferred({"*", "4x1", "*", "1x?"}), "4x?");
  EXPECT_EQ(inferred({"?", "1", "4", "?"}), "4");
  EXPECT_EQ(run({"?", "1", "4", "?"}).constraints.size(), 2u);
  // Without a static extent each pair may clash.
  EXPECT_EQ(run({"?", "?", "?"}).constraints.size(), 3u);
}

TEST_F(BroadcastTest, bcast5_staticExtentsMeetThroughUnknownOnes) {
  for (const auto &texts :
       std::vector<std::vector<const char *>>{{"?", "3", "2"},
                                              {"3", "?", "2"},
                                              {"3", "2", "?"},
                                              {"s", "3", "2"},
                                              {"3", "s", "2"},
                                              {"2", "t", "3"}}) {
    Broadcast result = run(texts);
    ASSERT_TRUE(result.error);
    EXPECT_TRUE(result.answer.isRefuted());
    EXPECT_TRUE(result.constraints.empty());
    EXPECT_TRUE(result.error->a.extent.isFixed());
    EXPECT_TRUE(result.error->b.extent.isFixed());
    EXPECT_LT(result.error->a.party, result.error->b.party);
  }
}

TEST_F(BroadcastTest, bcast6_unrankedOperandsAreNotRefinedAway) {
  Broadcast result = run({"*", "4x3"});
  EXPECT_EQ(toString(result.inferred), "4x3");
  EXPECT_FALSE(result.refined().isRanked());
  EXPECT_TRUE(result.answer.isUnknown());
  ASSERT_EQ(result.constraints.size(), 1u);
  EXPECT_EQ(result.constraints[0].kind, Kind::Shapes);
  EXPECT_TRUE(run({"4x?"}).refined() == run({"4x?"}).inferred);
  // The check is still made among the ranked ones.
  EXPECT_TRUE(run({"3", "*", "2"}).answer.isRefuted());
  // Nothing can go wrong with ones alone.
  EXPECT_TRUE(run({"*", "1x1", ""}).answer.isProved());
  EXPECT_TRUE(run({"*"}).answer.isProved());
  EXPECT_TRUE(run({"*", "*"}).answer.isUnknown());
}

TEST_F(BroadcastTest, rt8_whatAGuardEstablishedIsNotCheckedAgain) {
  Broadcast first = run({"sx4", "txu"});
  ASSERT_EQ(first.constraints.size(), 2u);
  for (const ShapeConstraint &constraint : first.constraints)
    learn(symbols, constraint, "a guard");
  EXPECT_TRUE(run({"txu", "sx4"}).answer.isProved());
  // Nor of the result against the operands.
  BroadcastOptions options;
  options.fresh = &symbols;
  for (const char *text : {"sx1", "tx1", "txu", "1x4"}) {
    Shape operand = parseShape(text, &symbols).value();
    Broadcast again = broadcast({first.inferred, operand}, prover, options);
    EXPECT_TRUE(again.answer.isProved()) << text;
    EXPECT_EQ(again.inferred, first.inferred) << text;
  }
}

TEST_F(BroadcastTest, answersWithoutLists) {
  BroadcastOptions options;
  options.listConstraints = false;
  Shape any = *parseShape("?"), three = *parseShape("3");
  for (auto &shape : {any, three}) {
    Broadcast result = broadcast({any, shape}, staticProver(), options);
    EXPECT_TRUE(result.answer.isUnknown());
    EXPECT_TRUE(result.constraints.empty());
  }
}

TEST_F(BroadcastTest, reasonIsGiven) {
  EXPECT_STREQ(run({"3", "2"}).answer.reason(),
               "both extents are static and differ");
  EXPECT_STREQ(run({"*", "2"}).answer.reason(),
               "the rank of an operand is not known");
}

} // namespace
