//===- GuardReportTest.cpp - what became of each constraint ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"
#include "infer/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using broadloom::infer::GuardReport;
using broadloom::infer::GuardStatus;

namespace {

class GuardReportTest : public ::testing::Test {
protected:
  GuardReportTest() {
    context.loadDialect<broadloom::loom::LoomDialect, func::FuncDialect,
                        arith::ArithDialect, tensor::TensorDialect>();
  }

  /// Rows of the only function; says whether its guards could be inserted.
  bool run(StringRef source) {
    // Errors are looked at by the tests in test/infer.
    ScopedDiagnosticHandler quiet(&context, [](Diagnostic &) {});
    ParserConfig config(&context);
    module = parseSourceString<ModuleOp>(source, config, "model.mlir");
    EXPECT_TRUE(module);
    auto func = *module->getOps<func::FuncOp>().begin();
    return succeeded(broadloom::infer::insertGuards(func, &report));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  GuardReport report;
};

TEST_F(GuardReportTest, sf11_oneRowPerStatement) {
  EXPECT_TRUE(run(R"mlir(
    func.func @f(%a: tensor<?x?xf32>, %b: tensor<?x4xf32>) {
      %sa = loom.shape_of %a : tensor<?x?xf32> -> !loom.shape<[?, ?]>
      %sb = loom.shape_of %b : tensor<?x4xf32> -> !loom.shape<[?, 4]>
      loom.constrain_broadcast "tosa.add", %sa, %sb : !loom.shape<[?, ?]>, !loom.shape<[?, 4]>
      return
    })mlir"));
  ASSERT_EQ(report.rows.size(), 2u);
  const GuardReport::Row &first = report.rows[0], &second = report.rows[1];
  EXPECT_EQ(first.function, "f");
  EXPECT_EQ(first.operation, "tosa.add");
  EXPECT_EQ(first.location, "model.mlir:5:7");
  EXPECT_EQ(first.axis, 0);
  EXPECT_EQ(first.constraint,
            "extents s0 (axis 0 of argument 0) and s2 (axis 0 of argument 1) "
            "are equal, or one of them is 1");
  EXPECT_EQ(first.status, GuardStatus::RunTime);
  EXPECT_EQ(first.reason,
            "axis 0 of argument 0 and axis 0 of argument 1 are not known to be "
            "equal");
  EXPECT_EQ(second.axis, 1);
  EXPECT_EQ(second.constraint, "extent s1 (axis 1 of argument 0) is 1 or 4 "
                               "(axis 1 of argument 1)");
}

TEST_F(GuardReportTest, rt8_aProofNamesTheGuardThatItRelieson) {
  EXPECT_TRUE(run(R"mlir(
    func.func @f(%a: tensor<?xf32>, %b: tensor<?xf32>) {
      %sa = loom.shape_of %a : tensor<?xf32> -> !loom.shape<[?]>
      %sb = loom.shape_of %b : tensor<?xf32> -> !loom.shape<[?]>
      loom.constrain_broadcast "tosa.add", %sa, %sb : !loom.shape<[?]>, !loom.shape<[?]>
      loom.constrain_broadcast "tosa.mul", %sb, %sa : !loom.shape<[?]>, !loom.shape<[?]>
      loom.constrain_result "tosa.abs", %sa is tensor<4xf32> : !loom.shape<[?]>
      loom.constrain_result "tosa.exp", %sa is tensor<4xf32> : !loom.shape<[?]>
      return
    })mlir"));
  ASSERT_EQ(report.rows.size(), 4u);
  EXPECT_EQ(report.rows[1].status, GuardStatus::Proved);
  EXPECT_EQ(report.rows[1].constraint,
            "extents s1 (axis 0 of argument 1) and s0 (axis 0 of argument 0) "
            "are equal, or one of them is 1");
  EXPECT_EQ(report.rows[1].reason,
            "the extents are known to broadcast (by the guard of 'tosa.add' at "
            "model.mlir:5:7)");
  EXPECT_EQ(report.rows[2].status, GuardStatus::RunTime);
  EXPECT_EQ(report.rows[2].constraint,
            "the extent that the operands give, s0, is the result's 4");
  EXPECT_EQ(report.rows[3].status, GuardStatus::Proved);
  EXPECT_EQ(report.rows[3].reason,
            "the extents are known to be equal (by the guard of 'tosa.abs' at "
            "model.mlir:7:7)");
}

TEST_F(GuardReportTest, ext2_refutedRowsAndTheRestOfTheFunction) {
  EXPECT_FALSE(run(R"mlir(
    func.func @f(%a: tensor<3xf32>, %b: tensor<4xf32>, %c: tensor<?xf32>) {
      %sa = loom.shape_of %a : tensor<3xf32> -> !loom.shape<[3]>
      %sb = loom.shape_of %b : tensor<4xf32> -> !loom.shape<[4]>
      %sc = loom.shape_of %c : tensor<?xf32> -> !loom.shape<[?]>
      loom.constrain_broadcast "tosa.add", %sa, %sb : !loom.shape<[3]>, !loom.shape<[4]>
      loom.constrain_broadcast "tosa.sub", %sa, %sc : !loom.shape<[3]>, !loom.shape<[?]>
      return
    })mlir"));
  ASSERT_EQ(report.rows.size(), 2u);
  EXPECT_EQ(report.rows[0].status, GuardStatus::Refuted);
  EXPECT_EQ(report.rows[0].reason, "both extents are static and differ");
  EXPECT_EQ(report.rows[1].status, GuardStatus::RunTime);
}

TEST_F(GuardReportTest, sf11_oneRowPerConstraintAndAxisAlsoWhereTypesProveIt) {
  EXPECT_TRUE(run(R"mlir(
    func.func @f(%a: tensor<?x4x1xf32>, %b: tensor<4x5xf32>) {
      %sa = loom.shape_of %a : tensor<?x4x1xf32> -> !loom.shape<[?, 4, 1]>
      %sb = loom.shape_of %b : tensor<4x5xf32> -> !loom.shape<[4, 5]>
      loom.constrain_broadcast "tosa.add", %sa, %sb : !loom.shape<[?, 4, 1]>, !loom.shape<[4, 5]>
      loom.constrain_broadcast "tosa.sub", %sa, %sa : !loom.shape<[?, 4, 1]>, !loom.shape<[?, 4, 1]>
      return
    })mlir"));
  ASSERT_EQ(report.rows.size(), 5u);
  for (const GuardReport::Row &row : report.rows)
    EXPECT_EQ(row.status, GuardStatus::Proved) << row.constraint;
  EXPECT_EQ(report.rows[0].axis, 1);
  EXPECT_EQ(report.rows[0].reason, "both extents are static and equal");
  EXPECT_EQ(report.rows[1].axis, 2);
  EXPECT_EQ(report.rows[1].reason, "the extent is statically 1");
  EXPECT_EQ(report.rows[2].axis, 0);
  EXPECT_EQ(report.rows[2].reason, "both are axis 0 of argument 0");
}

TEST_F(GuardReportTest, ext2_allThatIsRefutedOfOneOperation) {
  EXPECT_FALSE(run(R"mlir(
    func.func @f(%a: tensor<3x5x?xf32>, %b: tensor<4x6x?xf32>) {
      %sa = loom.shape_of %a : tensor<3x5x?xf32> -> !loom.shape<[3, 5, ?]>
      %sb = loom.shape_of %b : tensor<4x6x?xf32> -> !loom.shape<[4, 6, ?]>
      loom.constrain_broadcast "tosa.add", %sa, %sb : !loom.shape<[3, 5, ?]>, !loom.shape<[4, 6, ?]>
      return
    })mlir"));
  ASSERT_EQ(report.rows.size(), 2u);
  EXPECT_EQ(report.rows[0].axis, 0);
  EXPECT_EQ(report.rows[0].status, GuardStatus::Refuted);
  EXPECT_EQ(report.rows[1].axis, 1);
  EXPECT_EQ(report.rows[1].status, GuardStatus::Refuted);
}

TEST_F(GuardReportTest, sf6_valuesAndSymbolsAreShown) {
  EXPECT_TRUE(run(R"mlir(
    func.func @f(%a: tensor<?x4xf32>, %b: tensor<*xf32>) {
      return
    })mlir"));
  ASSERT_EQ(report.values.size(), 2u);
  EXPECT_EQ(report.values[0].type, "tensor<s0x4xf32>");
  EXPECT_EQ(report.values[0].operationNumber, -1);
  EXPECT_EQ(report.values[1].type, "tensor<*xf32>");
  EXPECT_EQ(report.values[1].index, 1u);
  ASSERT_EQ(report.symbols.size(), 1u);
  EXPECT_EQ(report.symbols[0].name, "s0");
  EXPECT_EQ(report.symbols[0].meaning, "axis 0 of argument 0");
}

TEST_F(GuardReportTest, el1_conditionsOnNumbers) {
  EXPECT_TRUE(run(R"mlir(
    func.func @f(%shift: i8, %ok: i1) {
      loom.constrain "tosa.mul", %ok, "shift {0} is not in 0 to 63"(%shift : i8)
      return
    })mlir"));
  ASSERT_EQ(report.rows.size(), 1u);
  EXPECT_EQ(report.rows[0].axis, -1);
  EXPECT_EQ(report.rows[0].constraint, "never \"shift ? is not in 0 to 63\"");
  EXPECT_EQ(report.rows[0].reason,
            "it is not known for all values of these numbers");
}

} // namespace
