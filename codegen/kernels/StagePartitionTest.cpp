//===- StagePartitionTest.cpp ---------------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/StagePartition.h"

#include "codegen/kernels/ContractKernel.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace broadloom::codegen;

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

/// Tiles of descending sizes compute each row once, as a kernel goes over them.
TEST(ContractTiles, EachRowIsInOneTile) {
  auto check = [](const ContractTile &tile, int64_t registers) {
    for (int64_t vectors = 1; vectors <= tile.vectors; ++vectors) {
      RowTiles tiles = getRowTiles(tile, vectors, registers);
      EXPECT_EQ(tiles.sizes.back(), 1);
      for (size_t i = 1; i < tiles.sizes.size(); ++i)
        EXPECT_LT(tiles.sizes[i], tiles.sizes[i - 1]);
      if (registers == 32) {
        EXPECT_EQ(tiles.leaves, 0);
      }
      for (int64_t rows = 0; rows < 200; ++rows) {
        int64_t row = 0;
        for (int64_t size : tiles.sizes) {
          int64_t end = rows - (rows - row) % size;
          if (size == tiles.sizes[0] && (tiles.leaves >> (rows - end) & 1))
            end = std::max<int64_t>(0, end - size);
          EXPECT_GE(end, row);
          EXPECT_EQ((end - row) % size, 0);
          row = end;
        }
        EXPECT_EQ(row, rows);
      }
    }
  };
  for (ContractTile tile : {ContractTile{6, 4, 16}, ContractTile{12, 2, 16},
                            ContractTile{8, 3, 16}, ContractTile{12, 1, 16}})
    check(tile, 32);
  for (ContractTile tile :
       {ContractTile{6, 2, 8}, ContractTile{4, 3, 8}, ContractTile{12, 1, 8}})
    check(tile, 16);
}
