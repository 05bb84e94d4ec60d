//===- LibraryBuilderTest.cpp - shape functions without text --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/LibraryBuilder.h"
#include "test/lib/functions/EvaluateTest.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

class LibraryBuilderTest : public EvaluateTest {
protected:
  LibraryBuilderTest() : builder(&context, "mine") {
    context.allowUnregisteredDialects();
  }
  LibraryBuilder builder;
};

TEST_F(LibraryBuilderTest, sf1_aFunctionInCpp) {
  // The first example of docs/shape-functions.md.
  FunctionBuilder f = builder.addFunction(
      "scale_rows", {builder.operandType(), builder.operandType()});
  auto matrix = f.extents(f.parameter(0), 2,
                          "the input must be a matrix, but has {0} axes");
  auto scales = f.extents(f.parameter(1), 1,
                          "the scale must be a vector, but has {0} axes");
  f.require(f.equal(matrix[0], scales[0]),
            "there are {0} scales for the input's {1} rows",
            {scales[0], matrix[0]});
  f.give({f.shape(matrix), f.elementType(f.parameter(0))});
  builder.map("mine.scale_rows", "scale_rows");
  ASSERT_TRUE(succeeded(library.add(builder.finish())));

  auto tellFor = [&](const std::string &scale) {
    return tell("%a: tensor<4x5xf32>, %s: " + scale,
                "%r = \"mine.scale_rows\"(%a, %s) : (tensor<4x5xf32>, " +
                    scale + ") -> tensor<*xf32>");
  };
  EXPECT_EQ(tellFor("tensor<4xf32>"), "4x5");
  EXPECT_EQ(tellFor("tensor<3xf32>"),
            "refuted: there are 3 scales for the input's 4 rows");
  EXPECT_EQ(tellFor("tensor<3x1xf32>"),
            "refuted: the scale must be a vector, but has 2 axes");
}

TEST_F(LibraryBuilderTest, sf1_loopsChoicesAndCalls) {
  // Vectors behind each other, each padded to a multiple of the attribute.
  FunctionBuilder pad =
      builder.addFunction("padded", {IndexType::get(&context)});
  Value unit = pad.attribute("unit", IndexType::get(&context),
                             IntegerAttr::get(IndexType::get(&context), 1));
  Value up = pad.subtract(pad.add(pad.parameter(0), unit), pad.constant(1));
  pad.give(pad.multiply(pad.floorDivide(up, unit), unit));
  FunctionBuilder f = builder.addFunction("join", {builder.operandListType()});
  Value zero = f.constant(0);
  auto total = f.forEach(
      zero, f.count(f.parameter(0)), zero,
      [&](Value number, ValueRange sum) -> SmallVector<Value> {
        auto extents =
            f.extents(f.at(f.parameter(0), number), 1, "a vector has {0} axes");
        return {
            f.add(sum[0], f.apply(builder.getFunction("padded"), extents)[0])};
      });
  auto length = f.choose(
      f.atMost(total[0], zero), total[0].getType(),
      [&]() -> SmallVector<Value> { return {f.constant(1)}; },
      [&]() -> SmallVector<Value> { return {total[0]}; });
  f.give({f.shape(length), f.type(Float32Type::get(&context))});
  builder.map("mine.join", "join");
  ASSERT_TRUE(succeeded(library.add(builder.finish())));

  EXPECT_EQ(tell("%a: tensor<5xf32>, %b: tensor<9xf32>",
                 "%r = \"mine.join\"(%a, %b) {unit = 8} : (tensor<5xf32>, "
                 "tensor<9xf32>) -> tensor<*xf32>"),
            "24");
  EXPECT_EQ(tell("", "%r = \"mine.join\"() : () -> tensor<*xf32>"), "1");
}

TEST_F(LibraryBuilderTest, abi3_whatIsWrongIsVerifiedLikeText) {
  FunctionBuilder f = builder.addFunction("f", {IndexType::get(&context)});
  f.give(f.shape(f.parameter(0)));
  builder.map("mine.op", "f");
  Strings errors;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    errors.push_back(diagnostic.str());
    return success();
  });
  EXPECT_TRUE(failed(library.add(builder.finish())));
  EXPECT_EQ(errors,
            Strings{"shape function '@f' of 'mine.op' has a parameter of type "
                    "'index'; operands are !shape.value_shape, or "
                    "tensor<?x!shape.value_shape> where there may be any "
                    "number"});
}

} // namespace
