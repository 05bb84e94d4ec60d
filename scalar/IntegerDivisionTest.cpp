//===- IntegerDivisionTest.cpp --------------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scalar/IntegerDivision.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace broadloom::scalar;

namespace {

class IntegerDivision : public ::testing::Test {
protected:
  IntegerDivision() : builder(&context) {
    context.loadDialect<arith::ArithDialect, index::IndexDialect>();
    module = ModuleOp::create(builder.getUnknownLoc());
    builder.setInsertionPointToEnd(module->getBody());
  }

  Value number(int64_t value, unsigned width = 32) {
    return arith::ConstantIntOp::create(builder, builder.getUnknownLoc(), value,
                                        width);
  }
  template <typename OpT> Operation *make(Value a, Value b) {
    return OpT::create(builder, builder.getUnknownLoc(), a, b);
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  OpBuilder builder;
};

TEST_F(IntegerDivision, KindsOfArithAndIndex) {
  Value a = number(7), b = number(2);
  Value i = arith::ConstantIndexOp::create(builder, builder.getUnknownLoc(), 7);
  using Kind = DivisionKind;
  EXPECT_EQ(getDivisionKind(make<arith::CeilDivSIOp>(a, b)), Kind::Signed);
  EXPECT_EQ(getDivisionKind(make<arith::FloorDivSIOp>(a, b)), Kind::Signed);
  EXPECT_EQ(getDivisionKind(make<arith::CeilDivUIOp>(a, b)), Kind::Unsigned);
  EXPECT_EQ(getDivisionKind(make<arith::RemUIOp>(a, b)), Kind::Unsigned);
  EXPECT_EQ(getDivisionKind(make<index::CeilDivSOp>(i, i)), Kind::Signed);
  EXPECT_EQ(getDivisionKind(make<index::RemUOp>(i, i)), Kind::Unsigned);
  EXPECT_EQ(getDivisionKind(make<arith::AddIOp>(a, b)), Kind::None);
}

TEST_F(IntegerDivision, MinusOneIsSafeForUnsignedNumbersOnly) {
  Value a = number(7), zero = number(0), minusOne = number(-1), two = number(2);
  EXPECT_TRUE(hasSafeDivisor(make<arith::DivSIOp>(a, two)));
  EXPECT_FALSE(hasSafeDivisor(make<arith::DivSIOp>(a, minusOne)));
  EXPECT_TRUE(hasSafeDivisor(make<arith::DivUIOp>(a, minusOne)));
  EXPECT_FALSE(hasSafeDivisor(make<arith::DivUIOp>(a, zero)));
  Operation *sum = make<arith::AddIOp>(a, two);
  EXPECT_FALSE(hasSafeDivisor(make<arith::DivSIOp>(a, sum->getResult(0))));
}

} // namespace
