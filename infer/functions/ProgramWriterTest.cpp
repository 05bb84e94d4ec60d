//===- ProgramWriterTest.cpp - programs say what the evaluator says -------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/ProgramWriter.h"

#include "shape/FunctionProgram.h"
#include "test/lib/functions/EvaluateTest.h"

#include <random>

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

class ProgramWriterTest : public EvaluateTest {
protected:
  /// What is told of the operation by evaluating its function now, and as a
  /// program: the author's message, or nothing.
  void compare(std::string arguments, std::string body) {
    Operation *op = parse(std::move(arguments), std::move(body));
    ASSERT_TRUE(op);
    Request request = makeRequest(op);
    std::optional<Outcome> outcome = evaluate(library, request);
    ASSERT_TRUE(outcome);
    if (outcome->error)
      return;
    // All shapes are inputs; what they are the program does not know before.
    ProgramInputs numbers;
    std::vector<FunctionInput> inputs;
    for (Operand &operand : request.operands) {
      bool isTensor = isa_and_nonnull<RankedTensorType>(operand.type);
      numbers.operands.push_back(isTensor ? int64_t(inputs.size()) : -1);
      if (!isTensor)
        continue;
      FunctionInput &input = inputs.emplace_back();
      for (Extent extent : operand.shape)
        input.extents.push_back(extent.value());
      operand.shape = Shape::unranked();
    }
    for (const ResultComponents &result : outcome->results) {
      bool isKnown = result.shape.isRanked() && !result.isList &&
                     llvm::all_of(result.shape, [](Extent extent) {
                       return extent.isFixed();
                     });
      numbers.results.push_back(isKnown ? int64_t(inputs.size()) : -1);
      if (!isKnown)
        continue;
      FunctionInput &input = inputs.emplace_back();
      for (Extent extent : result.shape)
        input.extents.push_back(extent.value());
    }
    std::optional<ProgramText> program =
        writeProgram(library, request, numbers);
    ASSERT_TRUE(program);
    EXPECT_EQ(
        verifyFunction(program->code, program->texts.size(), inputs.size()),
        std::nullopt);
    FunctionVerdict verdict = runFunction(
        program->code.data(), packTexts(program->texts).data(), inputs);
    const Constraint *refuted = outcome->getRefuted();
    EXPECT_EQ(verdict.isRefuted, refuted != nullptr) << verdict.message;
    // A broadcast names the operands where it knows them.
    if (refuted && verdict.isRefuted)
      EXPECT_EQ(verdict.message, describe(*outcome, *refuted));
    ++numCompared;
    numRefuted += verdict.isRefuted;
  }

  std::string tensor(unsigned maxRank, const char *element) {
    std::string text = "tensor<";
    for (unsigned rank = random() % (maxRank + 1), i = 0; i < rank; ++i)
      text += std::to_string(1 + random() % 3) + "x";
    return text + element + ">";
  }

  std::mt19937 random{7};
  unsigned numCompared = 0, numRefuted = 0;
};

} // namespace

TEST_F(ProgramWriterTest, sf4_saysWhatTheEvaluatorSays) {
  for (int i = 0; i < 200; ++i) {
    std::string axis = std::to_string(random() % 3);
    std::string a = tensor(3, "f32"), b = tensor(3, "f32"),
                c = tensor(3, "i32");
    compare("%a: " + a + ", %b: " + b, "%r = \"tosa.add\"(%a, %b) : (" + a +
                                           ", " + b + ") -> tensor<*xf32>");
    compare("%a: " + a + ", %b: " + b,
            "%r = \"tosa.concat\"(%a, %b) {axis = " + axis + " : i32} : (" + a +
                ", " + b + ") -> tensor<*xf32>");
    compare("%a: " + a, "%r = \"tosa.reduce_sum\"(%a) {axis = " + axis +
                            " : i32} : (" + a + ") -> tensor<*xf32>");
    compare("%a: " + a, "%r = \"tosa.argmax\"(%a) {axis = " + axis +
                            " : i32} : (" + a + ") -> tensor<*xi32>");
    compare("%a: " + a + ", %c: " + c, "%r = \"tosa.gather\"(%a, %c) : (" + a +
                                           ", " + c + ") -> tensor<*xf32>");
    compare("%a: " + a,
            "%r = \"tosa.transpose\"(%a) {perms = array<i32: 1, 0, 2>} : (" +
                a + ") -> tensor<*xf32>");
    compare("%a: " + a + ", %b: " + b,
            "%z = \"tosa.const\"() {values = dense<0.0> : tensor<1xf32>} : () "
            "-> tensor<1xf32>\n%r = \"tosa.matmul\"(%a, %b, %z, %z) : (" +
                a + ", " + b +
                ", tensor<1xf32>, tensor<1xf32>) -> tensor<*xf32>");
    compare("%a: " + a,
            "%s = tosa.const_shape {values = dense<[2, -1]> : tensor<2xindex>} "
            ": () -> !tosa.shape<2>\n%r = \"tosa.reshape\"(%a, %s) : (" +
                a + ", !tosa.shape<2>) -> tensor<*xf32>");
  }
  EXPECT_GT(numCompared, 1000u);
  EXPECT_GT(numRefuted, 300u);
  EXPECT_LT(numRefuted, numCompared - 300);
}
