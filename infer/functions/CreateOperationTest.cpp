//===- CreateOperationTest.cpp - operations from operands alone -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/CreateOperation.h"
#include "test/lib/functions/EvaluateTest.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

class CreateOperationTest : public EvaluateTest {
protected:
  CreateOperationTest()
      : builder(&context), handler(&context, [this](Diagnostic &diagnostic) {
          errors.push_back(diagnostic.str());
          return success();
        }) {
    builder.setInsertionPointToStart(&block);
  }
  ~CreateOperationTest() override {
    while (!block.empty())
      block.back().erase();
  }

  Value argument(const char *type) {
    return block.addArgument(parseType(type, &context),
                             builder.getUnknownLoc());
  }
  /// The types of the results, or "none".
  std::string create(StringRef name, ValueRange operands,
                     ArrayRef<NamedAttribute> attributes = {}) {
    Operation *op =
        createWithInferredTypes(builder, builder.getUnknownLoc(), name,
                                operands, attributes, library, createOptions);
    if (!op)
      return "none";
    std::string text;
    for (Type type : op->getResultTypes())
      llvm::raw_string_ostream(text) << (text.empty() ? "" : ", ") << type;
    return text;
  }
  NamedAttribute axis(int32_t n) {
    return builder.getNamedAttr("axis", builder.getI32IntegerAttr(n));
  }

  Block block;
  OpBuilder builder;
  Strings errors;
  ScopedDiagnosticHandler handler;
  CreateOptions createOptions;
};

TEST_F(CreateOperationTest, S12_beforeTheOperationExists) {
  EXPECT_EQ(create("tosa.concat",
                   {argument("tensor<2x?xf32>"), argument("tensor<3x4xf32>")},
                   {axis(0)}),
            "tensor<5x4xf32>");
  ASSERT_EQ(block.getOperations().size(), 1u);
  EXPECT_TRUE(succeeded(verify(&block.back())));
}

TEST_F(CreateOperationTest, S12_shapesAsValues) {
  EXPECT_EQ(create("tosa.dim", {argument("tensor<2x?xf32>")}, {axis(1)}),
            "!tosa.shape<1>");
}

TEST_F(CreateOperationTest, S14_unrankedWhereOnlyTheDataTells) {
  EXPECT_EQ(create("tosa.reverse", {argument("tensor<*xf32>")}, {axis(0)}),
            "tensor<*xf32>");
}

TEST_F(CreateOperationTest, S18_theErrorIsTheAuthors) {
  EXPECT_EQ(create("tosa.reverse", {argument("tensor<2x3xf32>")}, {axis(2)}),
            "none");
  EXPECT_EQ(errors,
            Strings{"'tosa.reverse': axis is 2 but the input has 2 axes"});
  EXPECT_TRUE(block.empty());
}

TEST_F(CreateOperationTest, S19_silentlyTheFirstErrorOrAll) {
  // Two axes differ.
  SmallVector<Value> operands = {argument("tensor<2x3x4xf32>"),
                                 argument("tensor<2x5x6xf32>")};
  createOptions.report = Report::Nothing;
  EXPECT_EQ(create("tosa.concat", operands, {axis(0)}), "none");
  EXPECT_TRUE(errors.empty());
  createOptions.report = Report::First;
  EXPECT_EQ(create("tosa.concat", operands, {axis(0)}), "none");
  EXPECT_EQ(errors, Strings{"'tosa.concat': input 1 has 5 along axis 1 but "
                            "input 0 has 3"});
  errors.clear();
  createOptions.report = Report::All;
  EXPECT_EQ(create("tosa.concat", operands, {axis(0)}), "none");
  EXPECT_EQ(errors, (Strings{"'tosa.concat': input 1 has 5 along axis 1 but "
                             "input 0 has 3",
                             "'tosa.concat': input 1 has 6 along axis 2 but "
                             "input 0 has 4"}));
}

TEST_F(CreateOperationTest, sf10_theCallerChoosesAnOpenElementType) {
  Value a = argument("tensor<2x3xf32>");
  EXPECT_EQ(create("tosa.cast", {a}), "none");
  EXPECT_EQ(errors, Strings{"'tosa.cast': the element type of result 0 does "
                            "not follow from its operands; say which it is"});
  Type i32 = builder.getI32Type();
  createOptions.elementTypes = i32;
  EXPECT_EQ(create("tosa.cast", {a}), "tensor<2x3xi32>");
}

TEST_F(CreateOperationTest, abi3_attributesOfTheWrongKind) {
  EXPECT_EQ(create("tosa.reverse", {argument("tensor<2x3xf32>")},
                   {builder.getNamedAttr("axis", builder.getStringAttr("x"))}),
            "none");
  EXPECT_EQ(errors.size(), 1u);
  EXPECT_EQ(create("test.nothing", {}), "none");
  EXPECT_EQ(errors.back(), "'test.nothing': no shape function is known of it");
}

/// One function for tensors, vectors and memrefs. sf-10
class ContainersTest : public CreateOperationTest {
protected:
  void load(const std::string &function) {
    ASSERT_TRUE(
        succeeded(library.load("shape.function_library @user {\n" + function +
                                   "\n} mapping { test.op = @f }",
                               "user.mlir")));
    context.allowUnregisteredDialects();
  }
};

TEST_F(ContainersTest, S20_shapeElementTypeAndEncodingCompose) {
  load("shape.func @f(%a: !shape.value_shape) -> (!shape.shape, "
       "!loom.element_type, !loom.encoding) {\n"
       "%n, %m = loom.extents %a, \"it has {0} axes\"\n"
       "%s = shape.from_extents %m, %n : index, index\n"
       "%t = loom.type i8\n"
       "%e = loom.encoding %a\n"
       "shape.return %s, %t, %e : !shape.shape, !loom.element_type, "
       "!loom.encoding\n}");
  EXPECT_EQ(create("test.op", {argument("tensor<2x?xf32>")}), "tensor<?x2xi8>");
  EXPECT_EQ(create("test.op", {argument("tensor<2x3xf32, \"blocked\">")}),
            "tensor<3x2xi8, \"blocked\">");
  EXPECT_EQ(create("test.op", {argument("vector<2x3xf32>")}), "vector<3x2xi8>");
  EXPECT_EQ(create("test.op", {argument("memref<2x3xf32, 7>")}),
            "memref<3x2xi8, 7>");
  EXPECT_EQ(create("test.op", {argument("memref<2x3xf32, strided<[4, 1]>>")}),
            "memref<3x2xi8, strided<[4, 1]>>");
}

TEST_F(ContainersTest, S20_eachComponentAlone) {
  load("shape.func @f(%a: !shape.value_shape) -> (!loom.encoding, "
       "!loom.element_type, !shape.shape) {\n"
       "%e = loom.attribute \"layout\" : !loom.encoding\n"
       "%t = loom.element_type %a\n"
       "%s = shape.shape_of %a : !shape.value_shape -> !shape.shape\n"
       "shape.return %e, %t, %s : !loom.encoding, !loom.element_type, "
       "!shape.shape\n}");
  Type types[] = {builder.getF32Type(), {}, builder.getI8Type()};
  createOptions.elementTypes = types;
  // Of the first result the encoding is given, which needs a shape to stand
  // on; of the second the element type; of the third the shape.
  EXPECT_EQ(
      create("test.op", {argument("tensor<2x3xf16>")},
             {builder.getNamedAttr("layout", builder.getStringAttr("x"))}),
      "tensor<*xf32>, tensor<*xf16>, tensor<2x3xi8>");
  Outcome outcome =
      evaluateText("%a: tensor<2xf16>",
                   "%r:3 = \"test.op\"(%a) {layout = \"x\"} : (tensor<2xf16>) "
                   "-> (tensor<2xf16>, tensor<2xf16>, tensor<2xf16>)");
  ASSERT_EQ(outcome.results.size(), 3u);
  EXPECT_EQ(outcome.results[0].encoding, builder.getStringAttr("x"));
  EXPECT_FALSE(outcome.results[0].hasShape || outcome.results[0].elementType);
  EXPECT_EQ(outcome.results[1].elementType, builder.getF16Type());
  EXPECT_FALSE(outcome.results[1].hasShape || outcome.results[1].encoding);
  EXPECT_TRUE(outcome.results[2].hasShape);
  EXPECT_FALSE(outcome.results[2].elementType || outcome.results[2].encoding);
}

TEST_F(ContainersTest, S20_encodingsAreCompared) {
  load("shape.func @f(%a: !shape.value_shape, %b: !shape.value_shape) -> "
       "!shape.value_shape {\n"
       "%x = loom.encoding %a\n%y = loom.encoding %b\n"
       "%same = loom.same_encoding %x, %y\n"
       "loom.constraint %same, \"a has layout {0} but b has {1}\"(%x, %y) : "
       "!loom.encoding, !loom.encoding\n"
       "shape.return %a : !shape.value_shape\n}");
  Value plain = argument("tensor<2xf32>");
  Value blocked = argument("tensor<2xf32, \"blocked\">");
  EXPECT_EQ(create("test.op", {blocked, blocked}),
            "tensor<2xf32, \"blocked\">");
  EXPECT_EQ(create("test.op", {blocked, plain}), "none");
  EXPECT_EQ(errors, Strings{"'test.op': a has layout \"blocked\" but b has "
                            "none"});
}

TEST_F(ContainersTest, S20_noSuchType) {
  load("shape.func @f(%a: !shape.value_shape) -> (!shape.shape, "
       "!loom.element_type) {\n"
       "%0 = index.constant 0\n%s = shape.from_extents %0 : index\n"
       "%t = loom.element_type %a\n"
       "shape.return %s, %t : !shape.shape, !loom.element_type\n}");
  EXPECT_EQ(create("test.op", {argument("vector<2xf32>")}), "none");
  EXPECT_EQ(errors, Strings{"'test.op': result 0 would have shape 0 and "
                            "elements of type 'f32', but there is no such "
                            "type"});
}

} // namespace
