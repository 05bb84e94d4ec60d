//===- AffineExpansionTest.cpp --------------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scalar/AffineExpansion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace broadloom::scalar;

namespace {

class AffineExpansion : public ::testing::Test {
protected:
  AffineExpansion() : builder(&context) {
    context.loadDialect<arith::ArithDialect>();
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToEnd(module->getBody());
    bindDims(&context, d);
    bindSymbols(&context, s);
  }

  /// The value of an expression over constants, by arith's own folds.
  int64_t evaluate(AffineExpr expression, int64_t dim) {
    Location loc = builder.getUnknownLoc();
    Value value =
        expandAffine(builder, loc, expression, 1,
                     {arith::ConstantIndexOp::create(builder, loc, dim)});
    DenseMap<Value, Attribute> known;
    for (Operation &op : *module->getBody()) {
      SmallVector<Attribute> operands;
      for (Value operand : op.getOperands())
        operands.push_back(known.lookup(operand));
      SmallVector<OpFoldResult> folded;
      if (failed(op.fold(operands, folded)) || folded.size() != 1)
        continue;
      known[op.getResult(0)] = isa<Attribute>(folded[0])
                                   ? cast<Attribute>(folded[0])
                                   : known.lookup(cast<Value>(folded[0]));
    }
    auto number = dyn_cast_or_null<IntegerAttr>(known.lookup(value));
    return number ? number.getInt() : 12345;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  OpBuilder builder;
  AffineExpr d, s;
};

TEST_F(AffineExpansion, QuotientsAreRounded) {
  for (int64_t a = -7; a <= 7; ++a) {
    int64_t down = (a + 21) / 3 - 7, rest = (a + 21) % 3;
    EXPECT_EQ(evaluate(d.floorDiv(3), a), down) << a;
    EXPECT_EQ(evaluate(d.ceilDiv(3), a), down + (rest != 0)) << a;
    EXPECT_EQ(evaluate(d % 3, a), rest) << a;
  }
}

/// rt-13
TEST_F(AffineExpansion, TheLeastIntegerHasQuotients) {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(evaluate(d.ceilDiv(3), kLeast), -3074457345618258602);
  EXPECT_EQ(evaluate(d.floorDiv(3), kLeast), -3074457345618258603);
  EXPECT_EQ(evaluate(d % 3, kLeast), 1);
  EXPECT_EQ(evaluate(d * 2, kLeast), 0);
}

/// rt-11
TEST_F(AffineExpansion, DivisorsAreConstantOrNot) {
  EXPECT_FALSE(hasOpenDivision(d.floorDiv(3) + s * 2));
  EXPECT_TRUE(hasOpenDivision(d.floorDiv(s + 1) + 2));
  SmallVector<AffineExpr> found;
  forEachOpenDivision(d.floorDiv(s.ceilDiv(s + 1)) + d % 2,
                      [&](AffineBinaryOpExpr part) { found.push_back(part); });
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0], s.ceilDiv(s + 1));
  EXPECT_FALSE(findBadDivision(d.floorDiv(3) % 4));
  EXPECT_EQ(findBadDivision(d.floorDiv(-2) + 1), d.floorDiv(-2));
}

} // namespace
