//===- VerifyTest.cpp - tests of results against what operands give -------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/Verify.h"

#include <gtest/gtest.h>

using namespace broadloom;

namespace {

using Kind = ShapeConstraint::Kind;

class VerifyTest : public ::testing::Test {
protected:
  Symbols symbols;
  SymbolProver prover{symbols};
  VerifyOptions trait, strict, map, strictMap;

  void SetUp() override {
    strict.dynamicToStatic = DynamicToStatic::Forbid;
    map.unrankedOperands = UnrankedOperands::Unknown;
    strictMap = map;
    strictMap.dynamicToStatic = DynamicToStatic::Forbid;
  }

  Verification run(const std::vector<const char *> &operands,
                   const char *result, const VerifyOptions &options) {
    std::vector<Shape> shapes;
    for (const char *text : operands)
      shapes.push_back(parseShape(text, &symbols).value());
    std::vector<ShapeView> views(shapes.begin(), shapes.end());
    return verifyBroadcast(views, parseShape(result, &symbols).value(), prover,
                           options);
  }
  Truth truth(const std::vector<const char *> &operands, const char *result,
              const VerifyOptions &options) {
    Verification verification = run(operands, result, options);
    EXPECT_EQ(verification.answer.isRefuted(), verification.error.has_value());
    EXPECT_EQ(verification.answer.isUnknown(),
              !verification.constraints.empty());
    return verification.answer.truth();
  }
};

TEST_F(VerifyTest, verify1_refutedOperands) {
  Verification verification = run({"4x3", "1", "4x2"}, "*", trait);
  ASSERT_TRUE(verification.error);
  EXPECT_EQ(verification.error->kind, Kind::Compatible);
  EXPECT_EQ(verification.error->axis, 1);
  EXPECT_EQ(verification.error->a.party, 0);
  EXPECT_EQ(verification.error->b.party, 2);
  EXPECT_EQ(verification.error->a.extent, Extent::fixed(3));
  EXPECT_EQ(verification.error->b.extent, Extent::fixed(2));
}

TEST_F(VerifyTest, verify2_nothingToCompare) {
  EXPECT_EQ(truth({"4"}, "*", trait), Truth::Proved);
  EXPECT_EQ(truth({"4"}, "*", strict), Truth::Proved);
  EXPECT_EQ(truth({"*"}, "2x3", trait), Truth::Proved);
  EXPECT_EQ(truth({"*"}, "2x3", strict), Truth::Proved);
  EXPECT_EQ(truth({"*"}, "*", map), Truth::Proved);
}

TEST_F(VerifyTest, verify3_ranksOfTheTrait) {
  EXPECT_EQ(truth({"3", "3"}, "1x3", trait), Truth::Refuted);
  EXPECT_EQ(truth({"3x3"}, "3", trait), Truth::Refuted);
  EXPECT_EQ(truth({"3", "*"}, "1x3", trait), Truth::Refuted);
  Verification verification = run({"3"}, "1x3", trait);
  ASSERT_TRUE(verification.error);
  EXPECT_EQ(verification.error->kind, Kind::ResultRank);
  EXPECT_EQ(verification.error->a.axis, 1);
  EXPECT_EQ(verification.error->b.axis, 2);
}

TEST_F(VerifyTest, verify3_ranksOfTheMapAreThreeValued) {
  EXPECT_EQ(truth({"3", "3"}, "1x3", map), Truth::Refuted);
  EXPECT_EQ(truth({"3x3", "*"}, "3", map), Truth::Refuted);
  EXPECT_EQ(truth({"3", "*"}, "?x3", map), Truth::Unknown);
  EXPECT_EQ(truth({"3", "*"}, "4x3", map), Truth::Unknown);
  EXPECT_EQ(truth({"3", "*"}, "3", map), Truth::Unknown);
  // An unranked operand cannot change an extent that is not 1 ...
  EXPECT_EQ(truth({"3", "*"}, "4", map), Truth::Refuted);
  EXPECT_EQ(truth({"3", "*"}, "7x4", map), Truth::Refuted);
  // ... but it can bring any where the ranked ones give 1.
  EXPECT_EQ(truth({"1", "*"}, "4", map), Truth::Unknown);
  EXPECT_EQ(truth({"1", "*"}, "4", trait), Truth::Refuted);
}

TEST_F(VerifyTest, rt4_rankedResultOfUnrankedOperandsIsGuarded) {
  Verification verification = run({"*", "*"}, "2x?", map);
  EXPECT_TRUE(verification.answer.isUnknown());
  ASSERT_EQ(verification.constraints.size(), 3u);
  EXPECT_EQ(verification.constraints[0].kind, Kind::Shapes);
  EXPECT_EQ(verification.constraints[1].kind, Kind::ResultRank);
  EXPECT_EQ(verification.constraints[1].a.axis, -1);
  EXPECT_EQ(verification.constraints[1].b.axis, 2);
  EXPECT_EQ(verification.constraints[2].kind, Kind::ResultExtent);
  EXPECT_EQ(verification.constraints[2].axis, 0);
  EXPECT_EQ(verification.constraints[2].b.extent, Extent::fixed(2));
}

TEST_F(VerifyTest, verify4_table) {
  struct Row {
    const char *given, *result;
    Truth allow, forbid;
  };
  for (const Row &row : {Row{"?", "?", Truth::Proved, Truth::Proved},
                         {"4", "?", Truth::Proved, Truth::Proved},
                         {"4", "4", Truth::Proved, Truth::Proved},
                         {"0", "0", Truth::Proved, Truth::Proved},
                         {"[4]", "[4]", Truth::Proved, Truth::Proved},
                         {"2", "4", Truth::Refuted, Truth::Refuted},
                         {"1", "4", Truth::Refuted, Truth::Refuted},
                         {"4", "1", Truth::Refuted, Truth::Refuted},
                         {"[4]", "4", Truth::Refuted, Truth::Refuted},
                         {"?", "4", Truth::Unknown, Truth::Refuted},
                         {"?", "1", Truth::Unknown, Truth::Refuted},
                         {"?", "0", Truth::Unknown, Truth::Refuted},
                         {"s", "4", Truth::Unknown, Truth::Refuted},
                         {"s", "?", Truth::Proved, Truth::Proved},
                         {"s", "s", Truth::Proved, Truth::Proved},
                         {"s", "t", Truth::Unknown, Truth::Unknown},
                         {"?", "s", Truth::Unknown, Truth::Unknown},
                         {"4", "s", Truth::Unknown, Truth::Unknown}}) {
    EXPECT_EQ(truth({row.given}, row.result, trait), row.allow)
        << row.given << " -> " << row.result;
    EXPECT_EQ(truth({row.given}, row.result, strict), row.forbid)
        << row.given << " -> " << row.result;
    EXPECT_EQ(truth({row.given}, row.result, map), row.allow)
        << row.given << " -> " << row.result;
  }
}

TEST_F(VerifyTest, verify4_factsMakeStaticResultsTrue) {
  symbols.assumeEqual(symbols.named("s"), Extent::fixed(4));
  EXPECT_EQ(truth({"s"}, "4", strict), Truth::Proved);
  EXPECT_EQ(truth({"s"}, "5", trait), Truth::Refuted);
}

TEST_F(VerifyTest, verify4_forbidNamesThePolicy) {
  Verification verification = run({"?"}, "4", strict);
  ASSERT_TRUE(verification.error);
  EXPECT_EQ(verification.error->kind, Kind::ResultStatic);
  EXPECT_NE(std::string(verification.answer.reason()).find("forbid"),
            std::string::npos);
}

TEST_F(VerifyTest, verify4_forbidWithUnrankedOperands) {
  // The ranked operands give a static extent, so the result claims no more.
  EXPECT_EQ(truth({"1", "*"}, "4", strictMap), Truth::Unknown);
  EXPECT_EQ(truth({"?", "*"}, "4", strictMap), Truth::Refuted);
  EXPECT_EQ(truth({"*"}, "4", strictMap), Truth::Unknown);
}

TEST_F(VerifyTest, verify4_constraintsOfOperandsComeFirst) {
  Verification verification = run({"?", "?"}, "4", trait);
  ASSERT_EQ(verification.constraints.size(), 2u);
  EXPECT_EQ(verification.constraints[0].kind, Kind::Compatible);
  EXPECT_EQ(verification.constraints[1].kind, Kind::ResultExtent);
  EXPECT_EQ(verification.constraints[1].a.extent, Extent::dynamic());
}

TEST_F(VerifyTest, verify5_allRanksMatchIfKnown) {
  Shape two = *parseShape("?x3"), other = *parseShape("1x1"),
        one = *parseShape("3"), any = Shape::unranked();
  EXPECT_FALSE(verifyRanksMatch({two, any, other}, {two}));
  EXPECT_FALSE(verifyRanksMatch({any}, {any}));
  std::optional<ShapeConstraint> error =
      verifyRanksMatch({any, two, one}, {two});
  ASSERT_TRUE(error);
  EXPECT_EQ(error->kind, Kind::RanksMatch);
  EXPECT_EQ(error->a.party, 1);
  EXPECT_EQ(error->a.axis, 2);
  EXPECT_EQ(error->b.party, 2);
  EXPECT_EQ(error->b.axis, 1);
  error = verifyRanksMatch({two}, {any, one});
  ASSERT_TRUE(error);
  EXPECT_EQ(error->b.party, resultParty(1));
}

TEST_F(VerifyTest, verify6_structure) {
  using C = Container;
  EXPECT_FALSE(verifyStructure({C::Tensor, C::Tensor}, {C::Tensor}));
  EXPECT_FALSE(verifyStructure({C::Vector}, {C::Vector}));
  EXPECT_EQ(verifyStructure({}, {C::Tensor})->kind, Kind::HasOperands);
  EXPECT_EQ(verifyStructure({C::Tensor}, {})->kind, Kind::HasOneResult);
  EXPECT_EQ(verifyStructure({C::Tensor}, {C::Tensor, C::Tensor})->kind,
            Kind::HasOneResult);
  EXPECT_EQ(verifyStructure({C::Tensor, C::Other}, {C::Tensor})->a.party, 1);
  EXPECT_EQ(verifyStructure({C::Tensor}, {C::Other})->kind, Kind::IsShaped);
  std::optional<ShapeConstraint> mixed =
      verifyStructure({C::Tensor}, {C::Vector});
  ASSERT_TRUE(mixed);
  EXPECT_EQ(mixed->kind, Kind::SameContainer);
  EXPECT_EQ(mixed->b.party, kResult);
}

} // namespace
