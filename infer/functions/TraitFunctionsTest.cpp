//===- TraitFunctionsTest.cpp - shape functions from traits ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/TraitFunctions.h"
#include "test/lib/functions/EvaluateTest.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

class TraitFunctionsTest : public EvaluateTest {
protected:
  TraitFunctionsTest() {
    context.loadDialect<math::MathDialect, complex::ComplexDialect>();
  }
  std::string binary(const std::string &op, const std::string &a,
                     const std::string &b) {
    return tell("%a: " + a + ", %b: " + b,
                "%r = \"" + op + "\"(%a, %b) : (" + a + ", " + b + ") -> " + a);
  }
};

TEST_F(TraitFunctionsTest, sf9_sameOperandsAndResultType) {
  EXPECT_EQ(binary("arith.addf", "tensor<2x3xf32>", "tensor<2x3xf32>"), "2x3");
  EXPECT_EQ(binary("arith.addf", "tensor<2x?xf32>", "tensor<?x3xf32>"), "2x3");
  EXPECT_EQ(binary("arith.addf", "vector<2x3xf32>", "vector<2x4xf32>"),
            "refuted: operand 1 has shape 2x4 but must have that of operand 0, "
            "2x3");
  EXPECT_EQ(binary("arith.addf", "tensor<2xf32>", "tensor<2xf64>"),
            "refuted: operand 1 has elements of type f64 but operand 0 of f32");
  // Unknown extents are required to be equal, not assumed to be.
  Outcome outcome = evaluateText(
      "%a: tensor<?xf32>, %b: tensor<3xf32>",
      "%r = \"arith.addf\"(%a, %b) : (tensor<?xf32>, tensor<3xf32>) -> "
      "tensor<3xf32>");
  EXPECT_EQ(getOpen(outcome),
            Strings{"unknown: operand 1 has shape 3 but must have that of "
                    "operand 0, ?"});
  EXPECT_EQ(outcome.results[0].elementType, Float32Type::get(&context));
}

TEST_F(TraitFunctionsTest, sf9_unaryOfMath) {
  EXPECT_EQ(tell("%a: tensor<2x?xf32, \"blocked\">",
                 "%r = \"math.exp\"(%a) : (tensor<2x?xf32, \"blocked\">) -> "
                 "tensor<2x?xf32, \"blocked\">"),
            "2x?");
  Outcome outcome =
      evaluateText("%a: tensor<2x?xf32, \"blocked\">",
                   "%r = \"math.exp\"(%a) : (tensor<2x?xf32, \"blocked\">) -> "
                   "tensor<2x?xf32, \"blocked\">");
  EXPECT_EQ(outcome.results[0].encoding, StringAttr::get(&context, "blocked"));
}

TEST_F(TraitFunctionsTest, sf9_elementwiseMappable) {
  // A scalar condition does not count.
  EXPECT_EQ(tell("%c: i1, %a: tensor<2x?xf32>, %b: tensor<?x3xf32>",
                 "%r = \"arith.select\"(%c, %a, %b) : (i1, tensor<2x?xf32>, "
                 "tensor<?x3xf32>) -> tensor<2x3xf32>"),
            "2x3");
  EXPECT_EQ(tell("%c: tensor<2x4xi1>, %a: tensor<2x3xf32>",
                 "%r = \"arith.select\"(%c, %a, %a) : (tensor<2x4xi1>, "
                 "tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>"),
            "refuted: operand 1 has shape 2x3 but the operands before it have "
            "2x4");
  EXPECT_EQ(tell("%c: i1, %a: f32",
                 "%r = \"arith.select\"(%c, %a, %a) : (i1, f32, f32) -> f32"),
            "");
}

TEST_F(TraitFunctionsTest, sf9_interfacesAddWhatTraitsLeaveOpen) {
  Outcome outcome = evaluateText(
      "%a: tensor<2x?xi32>, %b: tensor<2x?xi32>",
      "%r = \"arith.cmpi\"(%a, %b) {predicate = 2 : i64} : (tensor<2x?xi32>, "
      "tensor<2x?xi32>) -> tensor<2x?xi1>");
  EXPECT_EQ(tell(outcome), "2x?");
  EXPECT_EQ(outcome.results[0].elementType, IntegerType::get(&context, 1));
}

TEST_F(TraitFunctionsTest, sf9_interfacesAreBelievedOfStaticTypes) {
  // A type that only the interface knows.
  Outcome outcome = evaluateText(
      "%a: complex<f32>", "%r = \"complex.re\"(%a) : (complex<f32>) -> f32");
  EXPECT_EQ(tell(outcome), "");
  EXPECT_EQ(outcome.results[0].elementType, Float32Type::get(&context));
}

TEST_F(TraitFunctionsTest, lib2_whatIsMappedAddsToWhatIsDerived) {
  const ShapeFunction *same = library.lookupOrDerive("tosa.add");
  EXPECT_EQ(same, library.lookup("tosa.add"));
  EXPECT_FALSE(library.lookup("arith.addf"));
  ASSERT_TRUE(library.lookupOrDerive("arith.addf"));
  ASSERT_TRUE(succeeded(library.load(
      "shape.function_library @mine {\n"
      "shape.func @f(%a: !shape.value_shape, %b: !shape.value_shape) -> "
      "!shape.shape {\n%s = shape.const_shape [7] : !shape.shape\n"
      "shape.return %s : !shape.shape\n}\n} mapping { arith.addf = @f }",
      "mine.mlir")));
  EXPECT_EQ(binary("arith.addf", "tensor<2xf32>", "tensor<2xf32>"), "2");
  options.isAddition = true;
  EXPECT_EQ(binary("arith.addf", "tensor<2xf32>", "tensor<2xf32>"), "7");
}

TEST_F(TraitFunctionsTest, sf9_nothingToDeriveFrom) {
  EXPECT_FALSE(library.lookupOrDerive("func.call"));
  EXPECT_FALSE(library.lookupOrDerive("test.unknown"));
  // A second time as well.
  EXPECT_FALSE(library.lookupOrDerive("func.call"));
}

TEST_F(TraitFunctionsTest, S21_theGeneratedFunctionIsText) {
  // What is printed is a library that can be loaded.
  std::string text;
  const ShapeFunction *function = library.lookupOrDerive("arith.mulf");
  ASSERT_TRUE(function && function->op);
  llvm::raw_string_ostream(text) << *function->op->getParentOfType<ModuleOp>();
  EXPECT_NE(text.find("loom.constraint"), std::string::npos) << text;
  ShapeLibrary again(&context);
  EXPECT_TRUE(succeeded(again.load(text, "printed.mlir"))) << text;
  EXPECT_TRUE(again.lookupAddition("arith.mulf"));
}

} // namespace
