//===- EvaluateTest.cpp - what an evaluation says -------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/functions/EvaluateTest.h"
#include "infer/numbers/NumberText.h"
#include "infer/numbers/SymbolExtents.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

const char *const zero =
    "%z = \"tosa.const\"() {values = dense<0.0> : tensor<1xf32>} : () -> "
    "tensor<1xf32>\n";

std::string conv(const char *input, const char *filter, const char *pad,
                 const char *stride) {
  std::string in = input, f = filter;
  return zero +
         ("%r = tosa.conv2d %i, %w, %b, %z, %z {acc_type = f32, dilation = "
          "array<i64: 1, 1>, pad = array<i64: " +
          std::string(pad) + ">, stride = array<i64: " + stride + ">} : (" +
          in + ", " + f +
          ", tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<*xf32>");
}

//===----------------------------------------------------------------------===//
// The author's messages
//===----------------------------------------------------------------------===//

TEST_F(EvaluateTest, sf3_filterChannels) {
  EXPECT_EQ(tell("%i: tensor<1x9x9x6xf32>, %w: tensor<8x3x3x8xf32>, %b: "
                 "tensor<8xf32>",
                 conv("tensor<1x9x9x6xf32>", "tensor<8x3x3x8xf32>",
                      "0, 0, 0, 0", "1, 1")),
            "refuted: filter has 8 input channels but the input has 6");
}

TEST_F(EvaluateTest, sf3_strideLeavesARemainder) {
  EXPECT_EQ(tell("%i: tensor<1x10x9x6xf32>, %w: tensor<8x3x3x6xf32>, %b: "
                 "tensor<8xf32>",
                 conv("tensor<1x10x9x6xf32>", "tensor<8x3x3x6xf32>",
                      "0, 0, 0, 0", "2, 2")),
            "refuted: the stride 2 along axis 1 must divide 7, what the kernel "
            "leaves of the padded input's 10");
}

TEST_F(EvaluateTest, sf3_wrongRank) {
  EXPECT_EQ(tell("%a: tensor<3x5xf32>, %b: tensor<2x5x7xf32>",
                 std::string(zero) +
                     "%r = tosa.matmul %a, %b, %z, %z : (tensor<3x5xf32>, "
                     "tensor<2x5x7xf32>, tensor<1xf32>, tensor<1xf32>) -> "
                     "tensor<*xf32>"),
            "refuted: a must have 3 axes (batch, rows, columns), but has 2");
}

TEST_F(EvaluateTest, sf3_broadcastInTheWordsOfTheAlgebra) {
  EXPECT_EQ(tell("%a: tensor<4x3xf32>, %b: tensor<4x2xf32>",
                 "%r = tosa.add %a, %b : (tensor<4x3xf32>, tensor<4x2xf32>) -> "
                 "tensor<*xf32>"),
            "refuted: operands are not broadcast-compatible along axis 1: "
            "extents 3 and 2 (operand shapes 4x3 and 4x2)");
}

TEST_F(EvaluateTest, sf3_reshapeOfTooMuch) {
  EXPECT_EQ(tell("%a: tensor<2x3x4xf32>",
                 "%s = tosa.const_shape {values = dense<[5, -1]> : "
                 "tensor<2xindex>} : () -> !tosa.shape<2>\n"
                 "%r = tosa.reshape %a, %s : (tensor<2x3x4xf32>, "
                 "!tosa.shape<2>) -> tensor<*xf32>"),
            "refuted: the input 2x3x4 has 24 elements, which the new shape "
            "5x-1 cannot hold: they are no multiple of 5");
}

TEST_F(EvaluateTest, sf3_transposeNamesAnAxisTwice) {
  EXPECT_EQ(tell("%a: tensor<2x3x4xf32>",
                 "%r = tosa.transpose %a {perms = array<i32: 2, 0, 2>} : "
                 "(tensor<2x3x4xf32>) -> tensor<*xf32>"),
            "refuted: perms names axis 2 twice");
}

TEST_F(EvaluateTest, sf3_missingAndWrongAttributes) {
  EXPECT_EQ(tell("%a: tensor<2x3xf32>",
                 "%r = \"tosa.reduce_sum\"(%a) {} : (tensor<2x3xf32>) -> "
                 "tensor<*xf32>"),
            "refuted: attribute 'axis' is missing");
  EXPECT_EQ(tell("%a: tensor<2x3xf32>",
                 "%r = tosa.reduce_sum %a {axis = 2 : i32} : "
                 "(tensor<2x3xf32>) -> tensor<*xf32>"),
            "refuted: axis is 2 but the input has 2 axes");
}

TEST_F(EvaluateTest, sf3_allErrorsOrTheFirst) {
  std::string arguments = "%i: tensor<1x10x10x6xf32>, %w: "
                          "tensor<8x3x3x5xf32>, %b: tensor<8xf32>";
  std::string body = conv("tensor<1x10x10x6xf32>", "tensor<8x3x3x5xf32>",
                          "0, 0, 0, 0", "2, 2");
  EXPECT_EQ(getOpen(evaluateText(arguments, body)).size(), 1u);
  options.findAll = true;
  EXPECT_EQ(getOpen(evaluateText(arguments, body)).size(), 3u);
}

//===----------------------------------------------------------------------===//
// Unknown and symbolic extents
//===----------------------------------------------------------------------===//

TEST_F(EvaluateTest, ext2_unknownExtentsLeaveConstraintsOpen) {
  Outcome outcome = evaluateText(
      "%a: tensor<?x3x?xf32>, %b: tensor<2x5x?xf32>",
      std::string(zero) +
          "%r = tosa.matmul %a, %b, %z, %z : (tensor<?x3x?xf32>, "
          "tensor<2x5x?xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<*xf32>");
  EXPECT_EQ(outcome.truth, Truth::Unknown);
  EXPECT_EQ(tell(outcome), "2x3x?");
  EXPECT_EQ(getOpen(outcome), (Strings{"unknown: a has ? matrices but b has 2",
                                       "unknown: a has ? columns but b has 5 "
                                       "rows"}));
}

TEST_F(EvaluateTest, ext2_unrankedOperandsLeaveAllOpen) {
  Outcome outcome = evaluateText("%a: tensor<*xf32>",
                                 "%r = tosa.reduce_sum %a {axis = 1 : i32} : "
                                 "(tensor<*xf32>) -> tensor<*xf32>");
  EXPECT_EQ(outcome.truth, Truth::Unknown);
  EXPECT_EQ(tell(outcome), "*");
}

/// An operation over symbols, from what is written in the brackets.
class SymbolicTest : public EvaluateTest {
protected:
  SymbolicTest() : numbers(symbols) { options.numbers = &numbers; }

  Operand operand(const char *shape) {
    return Operand(*parseShape(shape, &symbols), Float32Type::get(&context));
  }
  Operand numbersOf(std::vector<Integer> value) {
    Operand operand({Extent::fixed(static_cast<int64_t>(value.size()))},
                    IndexType::get(&context));
    operand.value = std::move(value);
    return operand;
  }
  Outcome evaluateFor(const char *operation, std::vector<Operand> operands,
                      std::vector<NamedAttribute> attributes = {}) {
    Request request;
    request.operation = operation;
    request.operands = std::move(operands);
    request.attributes = DictionaryAttr::get(&context, attributes);
    std::optional<Outcome> outcome = evaluate(library, request, options);
    EXPECT_TRUE(outcome) << operation;
    return outcome ? *outcome : Outcome();
  }
  NamedAttribute axis(int32_t n) {
    Builder builder(&context);
    return builder.getNamedAttr("axis", builder.getI32IntegerAttr(n));
  }
  std::string tellNumber(Extent extent) {
    return toString(numbers, numberOf(numbers, extent));
  }

  Symbols symbols;
  Numbers numbers;
};

TEST_F(SymbolicTest, sf2_beforeTheOperationExists) {
  Outcome outcome = evaluateFor("tosa.add", {operand("nx4"), operand("1x4")});
  EXPECT_EQ(outcome.truth, Truth::Proved);
  EXPECT_EQ(tell(outcome), "nx4");
  EXPECT_EQ(outcome.results[0].elementType, Float32Type::get(&context));
}

TEST_F(SymbolicTest, sf6_concatOfEqualExtentsIsTwice) {
  // S-23: [n,m] and [n,m] along axis 0 is [n+n,m].
  Outcome outcome =
      evaluateFor("tosa.concat", {operand("nxm"), operand("nxm")}, {axis(0)});
  EXPECT_EQ(outcome.truth, Truth::Proved);
  EXPECT_EQ(tellNumber(outcome.results[0].shape[0]), "2*n");
  EXPECT_EQ(outcome.results[0].shape[1], symbols.named("m"));
}

TEST_F(SymbolicTest, sf6_matmulOfUnequalSymbols) {
  // S-23: only if b == c.
  Operand zeroPoint({Extent::fixed(1)}, Float32Type::get(&context));
  Outcome outcome =
      evaluateFor("tosa.matmul",
                  {operand("nxaxb"), operand("nxcxd"), zeroPoint, zeroPoint});
  EXPECT_EQ(getOpen(outcome), Strings{"unknown: a has b columns but b has c "
                                      "rows"});
  EXPECT_EQ(tell(outcome), "nxaxd");
  symbols.assumeEqual(symbols.named("b"), symbols.named("c"));
  outcome = evaluateFor("tosa.matmul", {operand("nxaxb"), operand("nxcxd"),
                                        zeroPoint, zeroPoint});
  EXPECT_EQ(outcome.truth, Truth::Proved);
}

TEST_F(SymbolicTest, sf6_reshapeThereAndBack) {
  Outcome flat =
      evaluateFor("tosa.reshape", {operand("nx4x5"), numbersOf({-1, 10})});
  EXPECT_EQ(flat.truth, Truth::Proved);
  EXPECT_EQ(tellNumber(flat.results[0].shape[0]), "2*n");
  Operand next(flat.results[0].shape, Float32Type::get(&context));
  Outcome back = evaluateFor("tosa.reshape", {next, numbersOf({-1, 4, 5})});
  EXPECT_EQ(back.truth, Truth::Proved);
  EXPECT_EQ(tell(back), "nx4x5");
}

TEST_F(SymbolicTest, sf6_productsOfSymbols) {
  Outcome outcome =
      evaluateFor("tosa.reshape", {operand("nxmx6"), numbersOf({-1, 3})});
  EXPECT_EQ(outcome.truth, Truth::Proved);
  EXPECT_EQ(tellNumber(outcome.results[0].shape[0]), "2*n*m");
}

TEST_F(SymbolicTest, sf6_equalNumbersGetEqualSymbols) {
  Outcome a =
      evaluateFor("tosa.concat", {operand("nx4"), operand("3x4")}, {axis(0)});
  Outcome b =
      evaluateFor("tosa.concat", {operand("3x4"), operand("nx4")}, {axis(0)});
  EXPECT_EQ(a.results[0].shape, b.results[0].shape);
  EXPECT_NE(a.results[0].shape[0], symbols.named("n"));
}

TEST_F(SymbolicTest, sf6_boundsProveConstraints) {
  symbols.assumeBounds(symbols.named("k"), 8, 100);
  Outcome outcome = evaluateFor(
      "tosa.scatter", {operand("nxkxc"), operand("nx7"), operand("nx7xc")});
  EXPECT_EQ(outcome.truth, Truth::Proved);
  symbols.assumeBounds(symbols.named("j"), 0, 6);
  outcome = evaluateFor("tosa.scatter",
                        {operand("nxjxc"), operand("nx7"), operand("nx7xc")});
  EXPECT_EQ(tell(outcome),
            "refuted: values_in has j rows, too few for 7 indices");
}

TEST_F(SymbolicTest, sf6_whatAConstraintSaysProvesTheNext) {
  // h >= 3 is open; then no extent of the result can be negative.
  Builder builder(&context);
  Outcome outcome = evaluateFor(
      "tosa.max_pool2d", {operand("nxhx9xc")},
      {builder.getNamedAttr("kernel", builder.getDenseI64ArrayAttr({3, 3})),
       builder.getNamedAttr("stride", builder.getDenseI64ArrayAttr({1, 3})),
       builder.getNamedAttr("pad",
                            builder.getDenseI64ArrayAttr({0, 0, 0, 0}))});
  EXPECT_EQ(getOpen(outcome),
            Strings{"unknown: the kernel covers 3 along axis 1, but the padded "
                    "input has only h"});
  EXPECT_EQ(tellNumber(outcome.results[0].shape[1]), "h - 2");
}

TEST_F(SymbolicTest, sf7_valuesOfDimensionsFlowThrough) {
  Outcome dim = evaluateFor("tosa.dim", {operand("nx4")}, {axis(0)});
  ASSERT_TRUE(dim.results[0].value);
  Outcome outcome = evaluateFor(
      "tosa.reshape",
      {operand("nx4"), numbersOf({(*dim.results[0].value)[0], 2, 2})});
  EXPECT_EQ(outcome.truth, Truth::Proved);
  EXPECT_EQ(tell(outcome), "nx2x2");
}

//===----------------------------------------------------------------------===//
// Regions and symbols
//===----------------------------------------------------------------------===//

TEST_F(EvaluateTest, sf8_eitherBranchOfAConditional) {
  EXPECT_EQ(tell("%c: tensor<i1>, %a: tensor<2x3xf32>, %b: tensor<2x4xf32>",
                 "%r = \"tosa.cond_if\"(%c) ({\n"
                 "\"tosa.yield\"(%a) : (tensor<2x3xf32>) -> ()\n}, {\n"
                 "\"tosa.yield\"(%b) : (tensor<2x4xf32>) -> ()\n}) : "
                 "(tensor<i1>) -> tensor<2x?xf32>"),
            "2x?");
  // With a constant condition it is that branch.
  EXPECT_EQ(tell("%a: tensor<2x3xf32>, %b: tensor<2x4xf32>",
                 "%c = \"tosa.const\"() {values = dense<true> : tensor<i1>} : "
                 "() -> tensor<i1>\n"
                 "%r = \"tosa.cond_if\"(%c) ({\n"
                 "\"tosa.yield\"(%a) : (tensor<2x3xf32>) -> ()\n}, {\n"
                 "\"tosa.yield\"(%b) : (tensor<2x4xf32>) -> ()\n}) : "
                 "(tensor<i1>) -> tensor<2x?xf32>"),
            "2x3");
}

TEST_F(EvaluateTest, sf8_variablesAreReadThroughTheirSymbol) {
  outside = "\"tosa.variable\"() {sym_name = \"v\", var_shape = dense<[2, -1]> "
            ": tensor<2xindex>, type = f32} : () -> ()";
  Outcome outcome = evaluateText(
      "", "%r = \"tosa.variable_read\"() {name = \"v\"} : () -> tensor<*xf32>");
  EXPECT_EQ(tell(outcome), "2x?");
  EXPECT_EQ(outcome.results[0].elementType, Float32Type::get(&context));
  EXPECT_EQ(tell("%a: tensor<3x4xf32>",
                 "\"tosa.variable_write\"(%a) {name = \"v\"} : "
                 "(tensor<3x4xf32>) -> ()"),
            "refuted: the variable has 2 along axis 0 but the input has 3");
}

} // namespace
