//===- RequirementsTest.cpp - what is required of shape functions ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The requirements S-1 to S-25 of the document on shape inference, as far as
// they are about one function; docs/shape-functions.md lists the tests of all.
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/NumberArithmetic.h"
#include "infer/numbers/SymbolExtents.h"
#include "test/lib/functions/EvaluateTest.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

class RequirementsTest : public EvaluateTest {
protected:
  RequirementsTest() { context.allowUnregisteredDialects(); }

  /// Adds a function of "test.op", with its helpers before it.
  void load(const std::string &functions) {
    std::string text = "shape.function_library @user {\n" + functions +
                       "\n} mapping { test.op = @f }";
    ASSERT_TRUE(succeeded(library.load(text, "user.mlir"))) << text;
  }
  std::string tellFor(const std::string &type,
                      const std::string &attributes = "{}") {
    return tell("%a: " + type, "%r = \"test.op\"(%a) " + attributes + " : (" +
                                   type + ") -> tensor<*xf32>");
  }
  Outcome evaluateAll(const std::string &type) {
    return evaluateText("%a: " + type, "%r = \"test.op\"(%a) : (" + type +
                                           ") -> tensor<*xf32>");
  }
};

/// The rows are cut in pieces of 16.
const char *const pieces = R"(
  shape.func @f(%a: !shape.value_shape) -> (!shape.shape, !loom.element_type) {
    %rows, %columns = loom.extents %a, "it must be a matrix, but has {0} axes"
    %0 = index.constant 0
    %16 = index.constant 16
    %rest = index.rems %rows, %16
    %even = index.cmp eq(%rest, %0)
    loom.constraint %even, "{0} rows are no multiple of 16"(%rows)
    %count = index.floordivs %rows, %16
    %shape = shape.from_extents %count, %16, %columns : index, index, index
    %type = loom.element_type %a
    shape.return %shape, %type : !shape.shape, !loom.element_type
  })";

TEST_F(RequirementsTest, S1_dynamicExtentsAndUnranked) {
  load(pieces);
  EXPECT_EQ(tellFor("tensor<32x?xf32>"), "2x16x?");
  EXPECT_EQ(tellFor("tensor<?x4xf32>"), "?x16x4");
  EXPECT_EQ(tellFor("tensor<*xf32>"), "?x16x?");
}

TEST_F(RequirementsTest, S3_theMessageIsTheAuthors) {
  load(pieces);
  EXPECT_EQ(tellFor("tensor<30x4xf32>"),
            "refuted: 30 rows are no multiple of 16");
  EXPECT_EQ(tellFor("tensor<32xf32>"),
            "refuted: it must be a matrix, but has 1 "
            "axes");
}

TEST_F(RequirementsTest, S5_onlyErrorsThatMustHappen) {
  load(pieces);
  // The rows may be a multiple of 16: no error, but something to check.
  Outcome outcome = evaluateAll("tensor<?x4xf32>");
  EXPECT_EQ(outcome.truth, Truth::Unknown);
  EXPECT_EQ(getOpen(outcome), Strings{"unknown: ? rows are no multiple of 16"});
}

TEST_F(RequirementsTest, S7_coarseAndFineUsersOfOneFunction) {
  load(pieces);
  // A request with `?` gets `?`.
  EXPECT_EQ(tellFor("tensor<?x4xf32>"), "?x16x4");
  // A request with symbols gets symbols, and what they are.
  Symbols symbols;
  Numbers numbers(symbols);
  options.numbers = &numbers;
  Request request;
  request.operation = "test.op";
  request.operands = {
      Operand(*parseShape("nxc", &symbols), Float32Type::get(&context))};
  std::optional<Outcome> outcome = evaluate(library, request, options);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->results[0].shape[2], symbols.named("c"));
  Number rows = numberOf(numbers, symbols.named("n"));
  EXPECT_TRUE(numberOf(numbers, outcome->results[0].shape[0]) ==
              divide(numbers, rows, Number(16)));
}

TEST_F(RequirementsTest, S8_silentReportingAndGuardingFromOneText) {
  load(pieces);
  // Silent: an answer without a diagnostic.
  unsigned count = 0;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &) {
    ++count;
    return success();
  });
  Outcome outcome = evaluateAll("tensor<30x4xf32>");
  EXPECT_EQ(outcome.truth, Truth::Refuted);
  EXPECT_EQ(count, 0u);
  // Reporting.
  EXPECT_TRUE(failed(reportRefuted(UnknownLoc::get(&context), "test.op",
                                   outcome, Report::First)));
  EXPECT_EQ(count, 1u);
  // Guarding: the condition over symbols, and the template of its message.
  Symbols symbols;
  Numbers numbers(symbols);
  options.numbers = &numbers;
  Outcome open = evaluateAll("tensor<?x4xf32>");
  ASSERT_EQ(open.constraints.size(), 1u);
  std::vector<Number> values;
  EXPECT_EQ(makeTemplate(open, open.constraints[0], values),
            "{0} rows are no multiple of 16");
  EXPECT_EQ(values.size(), 1u);
  EXPECT_GT(open.constraints[0].condition, Numbers::kUnknown);
}

TEST_F(RequirementsTest, S10_localAndCheap) {
  // Operand types and attributes are all there is, and the largest function of
  // TOSA's library ends after a number of steps that does not depend on the
  // program around it.
  options.maxSteps = 200;
  std::string text = tell(
      "%i: tensor<?x32x30x3xf32>, %w: tensor<8x3x5x3xf32>, %b: tensor<8xf32>",
      "%z = \"tosa.const\"() {values = dense<0.0> : tensor<1xf32>} : () -> "
      "tensor<1xf32>\n"
      "%r = tosa.conv2d %i, %w, %b, %z, %z {acc_type = f32, dilation = "
      "array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, "
      "1>} : (tensor<?x32x30x3xf32>, tensor<8x3x5x3xf32>, tensor<8xf32>, "
      "tensor<1xf32>, tensor<1xf32>) -> tensor<*xf32>");
  EXPECT_EQ(text, "?x30x26x8");
}

TEST_F(RequirementsTest, S11_operandsAttributesAndRegionsAlone) {
  load(R"(
  shape.func @f(%a: !shape.value_shape) -> !shape.shape {
    %times = loom.attribute "times" : index
    %n = loom.extents %a, "it has {0} axes"
    %zero = index.constant 0
    %yields = loom.region_yields 0
    %first = tensor.extract %yields[%zero] : tensor<?x!shape.value_shape>
    %m = loom.extents %first, "the body yields {0} axes"
    %all = index.mul %n, %times
    %shape = shape.from_extents %all, %m : index, index
    shape.return %shape : !shape.shape
  })");
  EXPECT_EQ(tell("%a: tensor<4xf32>",
                 "%r = \"test.op\"(%a) ({\n"
                 "\"test.yield\"(%a) : (tensor<4xf32>) -> ()\n"
                 "}) {times = 3} : (tensor<4xf32>) -> tensor<*xf32>"),
            "12x4");
}

TEST_F(RequirementsTest, S13_theSameRequestHasTheSameOutcome) {
  load(pieces);
  for (const char *type :
       {"tensor<30x4xf32>", "tensor<32x?xf32>", "tensor<*xf32>"}) {
    Outcome first = evaluateAll(type), second = evaluateAll(type);
    EXPECT_EQ(tell(first), tell(second));
    EXPECT_EQ(getOpen(first), getOpen(second));
  }
}

TEST_F(RequirementsTest, S15_operationsOfOtherDialects) {
  // arith, scf, tensor and index beside shape and loom.
  load(R"(
  shape.func @f(%a: !shape.value_shape) -> !shape.shape {
    %s = shape.shape_of %a : !shape.value_shape -> !shape.shape
    %extents = shape.to_extent_tensor %s : !shape.shape -> tensor<?xindex>
    %rank = shape.rank %extents : tensor<?xindex> -> index
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %sum = scf.for %i = %c0 to %rank step %c1 iter_args(%t = %c0) -> (index) {
      %e = loom.dim %a[%i]
      %u = arith.addi %t, %e : index
      scf.yield %u : index
    }
    %many = index.maxu %sum, %c1
    %list = tensor.from_elements %many, %rank : tensor<2xindex>
    %any = tensor.cast %list : tensor<2xindex> to tensor<?xindex>
    %shape = shape.from_extent_tensor %any : tensor<?xindex>
    shape.return %shape : !shape.shape
  })");
  EXPECT_EQ(tellFor("tensor<2x3x4xf32>"), "9x3");
}

TEST_F(RequirementsTest, S16_anyArithmeticOnStaticExtents) {
  // The greatest common divisor, which no solver knows.
  load(R"(
  shape.func @f(%a: !shape.value_shape) -> !shape.shape {
    %n, %m = loom.extents %a, "it has {0} axes"
    %c0 = index.constant 0
    %c1 = index.constant 1
    %x, %y = scf.for %i = %c0 to %m step %c1 iter_args(%p = %n, %q = %m) -> (index, index) {
      %done = index.cmp eq(%q, %c0)
      %p2, %q2 = scf.if %done -> (index, index) {
        scf.yield %p, %q : index, index
      } else {
        %r = index.remu %p, %q
        scf.yield %q, %r : index, index
      }
      scf.yield %p2, %q2 : index, index
    }
    %shape = shape.from_extents %x : index
    shape.return %shape : !shape.shape
  })");
  EXPECT_EQ(tellFor("tensor<84x36xf32>"), "12");
  // Of unknown extents it says nothing, and nothing wrong.
  EXPECT_EQ(tellFor("tensor<84x?xf32>"), "?");
}

TEST_F(RequirementsTest, S17_equalityAndUpperBoundsPropagate) {
  load(R"(
  shape.func @f(%a: !shape.value_shape) -> !shape.shape {
    %n, %m = loom.extents %a, "it has {0} axes"
    %four = index.constant 4
    %fits = index.cmp sle(%n, %four)
    loom.constraint %fits, "there are {0} rows, too many for 4"(%n)
    %same = index.cmp eq(%n, %m)
    loom.constraint %same, "{0} rows are not {1} columns"(%n, %m)
    %shape = shape.from_extents %m : index
    shape.return %shape : !shape.shape
  })");
  Symbols symbols;
  Numbers numbers(symbols);
  options.numbers = &numbers;
  Request request;
  request.operation = "test.op";
  request.operands = {
      Operand(*parseShape("nxm", &symbols), Float32Type::get(&context))};
  EXPECT_EQ(getOpen(*evaluate(library, request, options)).size(), 2u);
  symbols.assumeBounds(symbols.named("n"), 0, 3);
  symbols.assumeEqual(symbols.named("n"), symbols.named("m"));
  EXPECT_EQ(evaluate(library, request, options)->truth, Truth::Proved);
}

} // namespace
