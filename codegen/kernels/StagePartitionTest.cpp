//===- StagePartitionTest.cpp ---------------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/StagePartition.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

using namespace mlir;
using broadloom::codegen::getScalarCost;

/// Each way to divide integers costs more than an addition.
TEST(StagePartition, AllIntegerDivisionsAreCostly) {
  MLIRContext context;
  context.loadDialect<arith::ArithDialect>();
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  Value a = arith::ConstantIntOp::create(builder, loc, 7, 32);
  auto cost = [&](auto op) { return getScalarCost(op); };
  unsigned division = cost(arith::DivSIOp::create(builder, loc, a, a));
  EXPECT_GT(division, cost(arith::AddIOp::create(builder, loc, a, a)));
  EXPECT_EQ(cost(arith::CeilDivSIOp::create(builder, loc, a, a)), division);
  EXPECT_EQ(cost(arith::CeilDivUIOp::create(builder, loc, a, a)), division);
  EXPECT_EQ(cost(arith::FloorDivSIOp::create(builder, loc, a, a)), division);
  EXPECT_EQ(cost(arith::RemUIOp::create(builder, loc, a, a)), division);
}
