//===- ShiftsBeyondTest.cpp -----------------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scalar/ShiftsBeyond.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace broadloom::scalar;

namespace {

class ShiftsBeyond : public ::testing::Test {
protected:
  ShiftsBeyond() : builder(&context) {
    context.loadDialect<arith::ArithDialect>();
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToEnd(module->getBody());
  }

  Value number(int64_t value) {
    return arith::ConstantIntOp::create(builder, builder.getUnknownLoc(), value,
                                        32);
  }
  template <typename OpT> Operation *make(Value a, Value b) {
    return OpT::create(builder, builder.getUnknownLoc(), a, b);
  }
  size_t count() { return module->getBody()->getOperations().size(); }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  OpBuilder builder;
};

/// el-3: what is in range costs nothing.
TEST_F(ShiftsBeyond, AmountsInRangeStay) {
  Operation *shift = make<arith::ShLIOp>(number(1), number(31));
  size_t before = count();
  EXPECT_FALSE(defineShift(shift));
  EXPECT_EQ(count(), before);
}

TEST_F(ShiftsBeyond, AmountsBeyondAreZero) {
  Value one = number(1);
  Operation *shift = make<arith::ShRUIOp>(one, number(32));
  Operation *sum = make<arith::AddIOp>(one, shift->getResult(0));
  EXPECT_TRUE(defineShift(shift));
  auto zero = sum->getOperand(1).getDefiningOp<arith::ConstantOp>();
  ASSERT_TRUE(zero);
  EXPECT_EQ(cast<IntegerAttr>(zero.getValue()).getInt(), 0);
}

TEST_F(ShiftsBeyond, ASecondLookFindsNothing) {
  Value amount = make<arith::AddIOp>(number(1), number(2))->getResult(0);
  Operation *left = make<arith::ShLIOp>(amount, amount);
  Operation *signs = make<arith::ShRSIOp>(amount, amount);
  make<arith::AddIOp>(left->getResult(0), signs->getResult(0));
  for (Operation *shift : {left, signs}) {
    size_t before = count();
    EXPECT_FALSE(defineShift(shift));
    EXPECT_GT(count(), before);
    before = count();
    EXPECT_FALSE(defineShift(shift));
    EXPECT_EQ(count(), before);
  }
}

} // namespace
