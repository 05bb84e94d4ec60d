//===- TosaRulesTest.cpp - what is refused, and in which words ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// verifyElementwise on operations that were parsed with verification deferred
// (el-1 to el-10), and what is left of scalar operands for run time.
//
//===----------------------------------------------------------------------===//

#include "dialect/BroadcastableOpInterface.h"
#include "scalar/TosaModels.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace broadloom;

namespace {

class TosaRules : public testing::Test {
protected:
  TosaRules() {
    DialectRegistry registry;
    registry.insert<tosa::TosaDialect, arith::ArithDialect,
                    memref::MemRefDialect>();
    registerTosaBroadcastableModels(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.allowUnregisteredDialects();
    context.printOpOnDiagnostic(false);
  }

  /// The last operation of `text` with the interface.
  BroadcastableOpInterface parse(StringRef text) {
    module = parseSourceString<ModuleOp>(
        text, ParserConfig(&context, /*verifyAfterParse=*/false));
    BroadcastableOpInterface found;
    if (module)
      module->walk([&](BroadcastableOpInterface op) { found = op; });
    EXPECT_TRUE(found) << text.str();
    return found;
  }

  /// What is wrong with that operation; empty if nothing is.
  std::string verify(StringRef text) {
    BroadcastableOpInterface op = parse(text);
    if (!op)
      return "does not parse";
    std::string message;
    ScopedDiagnosticHandler handler(
        &context, [&](Diagnostic &diagnostic) { message += diagnostic.str(); });
    LogicalResult result = op.verifyElementwise();
    EXPECT_EQ(failed(result), !message.empty()) << text.str();
    return message;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

/// An operation on values of these types, which come from nowhere.
std::string make(const std::string &name,
                 const std::vector<std::string> &operands,
                 const std::string &results,
                 const std::string &attributes = "") {
  std::string text, names, types;
  for (size_t i = 0; i < operands.size(); ++i) {
    std::string value = "%" + std::to_string(i);
    text += value + " = \"test.source\"() : () -> " + operands[i] + "\n";
    names += (i ? ", " : "") + value;
    types += (i ? ", " : "") + operands[i];
  }
  return text + "%r = \"" + name + "\"(" + names + ") " + attributes + " : (" +
         types + ") -> " + results + "\n";
}

std::string zeroPoints(const std::string &type, const std::string &values,
                       const std::string &constantType) {
  return "%0 = \"test.source\"() : () -> tensor<4x" + type +
         ">\n"
         "%1 = \"tosa.const\"() {values = dense<" +
         values + "> : " + constantType + "} : () -> " + constantType +
         "\n"
         "%2 = \"tosa.negate\"(%0, %1, %1) : (tensor<4x" +
         type + ">, " + constantType + ", " + constantType + ") -> tensor<4x" +
         type + ">\n";
}

std::string constantShift(const std::string &type, const std::string &value) {
  return "%0 = \"test.source\"() : () -> tensor<4x" + type +
         ">\n"
         "%1 = \"tosa.const\"() {values = dense<" +
         value +
         "> : tensor<1xi8>} : () -> tensor<1xi8>\n"
         "%2 = \"tosa.mul\"(%0, %0, %1) : (tensor<4x" +
         type + ">, tensor<4x" + type + ">, tensor<1xi8>) -> tensor<4x" + type +
         ">\n";
}

const std::string f32 = "tensor<4xf32>", i8 = "tensor<4xi8>",
                  i32 = "tensor<4xi32>";

} // namespace

TEST_F(TosaRules, el10_accepts) {
  EXPECT_EQ(verify(make("tosa.add", {f32, "tensor<*xf32>"}, f32)), "");
  // Ranks and extents are not looked at (bcast-1, ext-3).
  EXPECT_EQ(verify(make("tosa.add", {"tensor<0x3xf32>", f32}, f32)), "");
  EXPECT_EQ(verify(make("tosa.add", {"tensor<?xui16>", "tensor<1xui16>"},
                        "tensor<?xui16>")),
            "");
  EXPECT_EQ(verify(make("tosa.mul", {i8, i8, "tensor<1xi8>"}, i32)), "");
  EXPECT_EQ(verify(make("tosa.mul", {i8, i8, "tensor<i8>"}, i8)), "");
  EXPECT_EQ(verify(make("tosa.mul", {i8, i8, "tensor<?xi8>"}, i8)), "");
  EXPECT_EQ(verify(make("tosa.mul", {i8, i8, "tensor<*xi8>"}, i8)), "");
  EXPECT_EQ(verify(make("tosa.cast", {"tensor<4xf8E5M2>"}, i32)), "");
  EXPECT_EQ(verify(make("tosa.select", {"tensor<i1>", i8, i8}, i8)), "");
  EXPECT_EQ(verify(make("tosa.clamp", {f32}, f32,
                        "{min_val = 0.0 : f32, max_val = 0.0 : f32}")),
            "");
}

TEST_F(TosaRules, el10_refusesElementTypes) {
  EXPECT_EQ(verify(make("tosa.add", {"tensor<4xi1>", "tensor<4xi1>"},
                        "tensor<4xi1>")),
            "'tosa.add' op does not support the operand element type 'i1'; it "
            "takes i8, i16, i32, i64, index, f16, bf16, f32, f64");
  EXPECT_EQ(verify(make("tosa.exp", {i32}, i32)),
            "'tosa.exp' op does not support the operand element type 'i32'; it "
            "takes f16, bf16, f32, f64");
  EXPECT_EQ(verify(make("tosa.abs", {"tensor<4xi48>"}, "tensor<4xi48>")),
            "'tosa.abs' op does not support the operand element type 'i48'; it "
            "takes i8, i16, i32, i64, index, f16, bf16, f32, f64");
  EXPECT_EQ(verify(make("tosa.intdiv", {i8, i8}, i8)),
            "'tosa.intdiv' op does not support the operand element type 'i8'; "
            "it takes i32, i64, index");
  EXPECT_EQ(verify(make("tosa.cast", {f32}, "tensor<4xcomplex<f32>>")),
            "'tosa.cast' op does not support the result element type "
            "'complex<f32>'; it takes i1, i8, i16, i32, i64, index, f16, bf16, "
            "f32, f64, f8E4M3FN, f8E5M2");
  EXPECT_EQ(verify(make("tosa.select", {i8, i8, i8}, i8)),
            "'tosa.select' op does not support the condition's element type "
            "'i8'; it takes i1");
  EXPECT_EQ(verify(make("tosa.greater", {i8, i8}, i8)),
            "'tosa.greater' op does not support the result element type 'i8'; "
            "it takes i1");
  EXPECT_EQ(verify(make("tosa.add", {f32, i32}, f32)),
            "'tosa.add' op operand 0 has element type 'f32' but operand 1 has "
            "'i32'");
  EXPECT_EQ(verify(make("tosa.sub", {f32, f32}, i32)),
            "'tosa.sub' op result has element type 'i32' but the operands have "
            "'f32'");
}

// Nothing here may crash, whatever the operation lacks.
TEST_F(TosaRules, structureFirst) {
  EXPECT_EQ(verify(make("tosa.add", {f32}, f32)),
            "'tosa.add' op has 1 operands, but needs 2");
  EXPECT_EQ(verify(make("tosa.mul", {f32, f32}, f32)),
            "'tosa.mul' op has 2 operands, but needs 3");
  EXPECT_EQ(verify(make("tosa.negate", {}, f32)),
            "'tosa.negate' op has 0 operands, but needs 3");
  EXPECT_EQ(verify("\"tosa.abs\"() : () -> ()"),
            "'tosa.abs' op has 0 operands, but needs 1");
  EXPECT_EQ(verify("%0 = \"test.source\"() : () -> tensor<f32>\n"
                   "\"tosa.abs\"(%0) : (tensor<f32>) -> ()"),
            "'tosa.abs' op has 0 results, but needs exactly one");
  EXPECT_EQ(verify("%0 = \"test.source\"() : () -> tensor<f32>\n"
                   "%1:2 = \"tosa.abs\"(%0) : (tensor<f32>) -> (tensor<f32>, "
                   "tensor<f32>)"),
            "'tosa.abs' op has 2 results, but needs exactly one");
  EXPECT_EQ(verify("%0 = \"test.source\"() : () -> tensor<f32>\n"
                   "%1 = \"tosa.abs\"(%0) ({}) : (tensor<f32>) -> tensor<f32>"),
            "'tosa.abs' op has 1 regions and 0 successors, but an element-wise "
            "operation has none");
  for (std::string type : {"memref<4xf32>", "f32", "none", "vector<4xf32>",
                           "tuple<>", "memref<*xf32>"}) {
    EXPECT_EQ(verify(make("tosa.add", {f32, type}, f32)),
              "'tosa.add' op operand 1 has type '" + type +
                  "', which is not a tensor");
    EXPECT_EQ(verify(make("tosa.add", {f32, f32}, type)),
              "'tosa.add' op result has type '" + type +
                  "', which is not a tensor");
  }
}

TEST_F(TosaRules, el5_clampAndNaNMode) {
  EXPECT_EQ(verify(make("tosa.clamp", {f32}, f32)),
            "'tosa.clamp' op lacks the attribute 'min_val'");
  EXPECT_EQ(verify(make("tosa.clamp", {f32}, f32, "{min_val = 0.0 : f32}")),
            "'tosa.clamp' op lacks the attribute 'max_val'");
  EXPECT_EQ(verify(make("tosa.clamp", {i8}, i8,
                        "{min_val = 0 : i32, max_val = 1 : i8}")),
            "'tosa.clamp' op attribute 'min_val' has type 'i32' but the "
            "element type is 'i8'");
  EXPECT_EQ(verify(make("tosa.clamp", {i8}, i8,
                        "{min_val = 5 : i8, max_val = -3 : i8}")),
            "'tosa.clamp' op min_val 5 : i8 is greater than max_val -3 : i8");
  EXPECT_EQ(verify(make("tosa.clamp", {f32}, f32,
                        "{min_val = 0.0 : f32, max_val = 0x7FC00000 : f32}")),
            "'tosa.clamp' op attribute 'max_val' is NaN");
  EXPECT_EQ(verify(make("tosa.maximum", {i8, i8}, i8,
                        "{nan_mode = #tosa.nan_mode<IGNORE>}")),
            "'tosa.maximum' op nan_mode IGNORE is for floats only, but the "
            "element type is 'i8'");
}

TEST_F(TosaRules, el3_round) {
  EXPECT_EQ(verify(make("tosa.arithmetic_right_shift", {i8, i8}, i8)),
            "'tosa.arithmetic_right_shift' op lacks the attribute 'round'");
}

TEST_F(TosaRules, el1_shift) {
  EXPECT_EQ(verify(constantShift("i32", "63")), "");
  EXPECT_EQ(verify(constantShift("i32", "64")),
            "'tosa.mul' op shift 64 is outside [0, 63]");
  EXPECT_EQ(verify(constantShift("i32", "-1")),
            "'tosa.mul' op shift -1 is outside [0, 63]");
  EXPECT_EQ(verify(constantShift("i16", "1")),
            "'tosa.mul' op shift 1 must be 0 for element type 'i16'");
  EXPECT_EQ(verify(make("tosa.mul", {i32, i32, "tensor<2xi8>"}, i32)),
            "'tosa.mul' op shift has type 'tensor<2xi8>', expected one element "
            "(rank 0, or rank 1 and extent 1)");
  EXPECT_EQ(verify(make("tosa.mul", {i32, i32, "tensor<1xi32>"}, i32)),
            "'tosa.mul' op shift has element type 'i32', expected 'i8'");
}

TEST_F(TosaRules, el4_zeroPoints) {
  EXPECT_EQ(verify(zeroPoints("i8", "-7", "tensor<1xi8>")), "");
  EXPECT_EQ(verify(zeroPoints("f32", "-0.0", "tensor<f32>")), "");
  EXPECT_EQ(verify(zeroPoints("i16", "3", "tensor<1xi16>")),
            "'tosa.negate' op input zero-point 3 must be 0 for element type "
            "'i16'");
  EXPECT_EQ(verify(zeroPoints("i8", "3", "tensor<1xi16>")),
            "'tosa.negate' op input zero-point has element type 'i16', "
            "expected 'i8'");
  EXPECT_EQ(verify(zeroPoints("f32", "1.5", "tensor<f32>")),
            "'tosa.negate' op input zero-point 1.500000e+00 : f32 must be 0 "
            "for element type 'f32'");
}

// Constants that are no constants are left to run time.
TEST_F(TosaRules, brokenConstants) {
  EXPECT_EQ(verify("%0 = \"test.source\"() : () -> tensor<4xi32>\n"
                   "%1 = \"tosa.const\"() : () -> tensor<1xi8>\n"
                   "%2 = \"tosa.mul\"(%0, %0, %1) : (tensor<4xi32>, "
                   "tensor<4xi32>, tensor<1xi8>) -> tensor<4xi32>"),
            "");
}

TEST_F(TosaRules, scalarConstraints) {
  struct Expectation {
    std::string text;
    std::vector<std::string> scalars;
    std::vector<std::string> messages;
  };
  const Expectation expectations[] = {
      {make("tosa.add", {f32, f32}, f32), {}, {}},
      {make("tosa.mul", {i32, i32, "tensor<1xi8>"}, i32),
       {"i8"},
       {"shift {0} is outside [0, 63]"}},
      {make("tosa.mul", {f32, f32, "tensor<?xi8>"}, f32),
       {"i8"},
       {"shift {0} must be 0 for element type 'f32'"}},
      {constantShift("i32", "5"), {"i8"}, {}},
      {make("tosa.negate", {i8, "tensor<1xi8>", "tensor<1xi8>"}, i8),
       {"i8", "i8"},
       {}},
      {make("tosa.negate", {i32, "tensor<1xi32>", "tensor<1xi32>"}, i32),
       {"i32", "i32"},
       {"input zero-point {0} must be 0 for element type 'i32'",
        "output zero-point {0} must be 0 for element type 'i32'"}},
      {make("tosa.negate", {f32, "tensor<1xf32>", "tensor<1xf32>"}, f32),
       {"f32", "f32"},
       {"input zero-point must be 0 for element type 'f32'",
        "output zero-point must be 0 for element type 'f32'"}},
  };
  for (const Expectation &expectation : expectations) {
    BroadcastableOpInterface op = parse(expectation.text);
    ASSERT_TRUE(op);
    EXPECT_EQ(op.getScalarOperands().size(), expectation.scalars.size());
    Block block;
    SmallVector<Value> scalars;
    for (const std::string &type : expectation.scalars)
      scalars.push_back(
          block.addArgument(parseType(type, &context), op.getLoc()));
    OpBuilder builder(&context);
    builder.setInsertionPointToEnd(&block);
    SmallVector<ScalarConstraint> constraints;
    op.getScalarConstraints(builder, op.getLoc(), scalars, constraints);
    ASSERT_EQ(constraints.size(), expectation.messages.size());
    for (size_t i = 0; i < constraints.size(); ++i) {
      EXPECT_EQ(constraints[i].message, expectation.messages[i]);
      EXPECT_TRUE(constraints[i].condition.getType().isInteger(1));
      for (Value value : constraints[i].values)
        EXPECT_TRUE(value.getType().isInteger(64));
    }
  }
}
