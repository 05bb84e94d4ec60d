//===- HarmfulLibraryTest.cpp - libraries that do harm --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/functions/EvaluateTest.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

class HarmTest : public EvaluateTest {
protected:
  /// Loads a function for "test.op" of one operand, and evaluates it.
  std::string tellOf(const std::string &body,
                     const std::string &operand = "tensor<4x4xf32>") {
    std::string text = "shape.function_library @user" +
                       std::to_string(count++) +
                       " {\nshape.func @f(%a: !shape.value_shape) -> "
                       "!shape.shape {\n%s = shape.shape_of %a : "
                       "!shape.value_shape -> !shape.shape\n%0 = "
                       "index.constant 0\n%1 = index.constant 1\n" +
                       body + "\n}\n} mapping { test.op = @f }";
    EXPECT_TRUE(succeeded(library.load(text, "user.mlir"))) << text;
    context.allowUnregisteredDialects();
    return tell("%a: " + operand,
                "%r = \"test.op\"(%a) : (" + operand + ") -> tensor<*xf32>");
  }
  unsigned count = 0;
};

TEST_F(HarmTest, abi3_loopsAreStopped) {
  EXPECT_EQ(tellOf("%n = index.constant 4611686018427387000\n"
                   "scf.for %i = %0 to %n step %1 {\n}\n"
                   "shape.return %s : !shape.shape"),
            "error: the shape function was stopped after 1048576 steps; does "
            "it end?");
}

TEST_F(HarmTest, abi3_shapesThatDoubleAreStopped) {
  EXPECT_EQ(tellOf("%n = index.constant 1000\n"
                   "%r = scf.for %i = %0 to %n step %1 iter_args(%t = %s) -> "
                   "(!shape.shape) {\n"
                   "%d = shape.concat %t, %t : !shape.shape, !shape.shape -> "
                   "!shape.shape\n"
                   "scf.yield %d : !shape.shape\n}\n"
                   "shape.return %r : !shape.shape"),
            "error: the shape function made a shape of rank 8192; the limit is "
            "4096");
}

TEST_F(HarmTest, abi3_constraintsWithoutEndAreStopped) {
  EXPECT_EQ(tellOf("%n = index.constant 100000\n"
                   "%e = loom.dim %a[%0]\n"
                   "scf.for %i = %0 to %n step %1 {\n"
                   "%c = index.cmp ne(%e, %i)\n"
                   "loom.constraint %c, \"never {0}\"(%i)\n}\n"
                   "shape.return %s : !shape.shape",
                   "tensor<?x4xf32>"),
            "error: the shape function has more than 65536 constraints");
}

TEST_F(HarmTest, abi3_numbersWithoutEndAreStopped) {
  EXPECT_EQ(tellOf("%n = index.constant 300000\n"
                   "scf.for %i = %0 to %n step %1 {\n"
                   "%e = loom.data_extent from %0\n}\n"
                   "shape.return %s : !shape.shape"),
            "error: the shape function computes more than 262144 numbers that "
            "are not known");
}

TEST_F(HarmTest, abi3_deepCallsAreStopped) {
  // No recursion, but a chain that is longer than the interpreter's stack.
  std::string text = "shape.function_library @chain {\n"
                     "shape.func @f0(%n: index) -> index {\n"
                     "shape.return %n : index\n}\n";
  for (unsigned i = 1; i <= 1000; ++i)
    text += "shape.func @f" + std::to_string(i) +
            "(%n: index) -> index {\n%m = loom.apply @f" +
            std::to_string(i - 1) + "(%n)\nshape.return %m : index\n}\n";
  ASSERT_TRUE(succeeded(library.load(text + "} mapping {}", "chain.mlir")));
  EXPECT_EQ(tellOf("%n = loom.apply @chain::@f1000(%1)\n"
                   "%r = shape.from_extents %n : index\n"
                   "shape.return %r : !shape.shape"),
            "error: the shape function is nested more than 200 calls and "
            "regions deep");
}

TEST_F(HarmTest, abi3_operandsAndRegionsThatAreNotThere) {
  EXPECT_EQ(tellOf("%l = loom.region_yields 3\n"
                   "%x = tensor.extract %l[%0] : tensor<?x!shape.value_shape>\n"
                   "%r = shape.shape_of %x : !shape.value_shape -> "
                   "!shape.shape\n"
                   "shape.return %r : !shape.shape"),
            "refuted: region 3 is missing: the operation has 0");
  EXPECT_EQ(tellOf("%n = index.constant -1\n"
                   "%e = loom.dim %a[%n]\n"
                   "%r = shape.from_extents %e : index\n"
                   "shape.return %r : !shape.shape"),
            "refuted: axis -1 does not exist: the operand has rank 2");
}

TEST_F(HarmTest, abi3_axesOutOfRange) {
  EXPECT_EQ(tellOf("%n = index.constant 7\n"
                   "%e = shape.get_extent %s, %n : !shape.shape, index -> "
                   "!shape.size\n"
                   "%r = shape.from_extents %e : !shape.size\n"
                   "shape.return %r : !shape.shape"),
            "refuted: its shape cannot be computed: axis 7 of a shape of rank "
            "2");
  EXPECT_EQ(tellOf("%n = index.constant 3\n"
                   "%h, %t = \"shape.split_at\"(%s, %n) : (!shape.shape, "
                   "index) -> (!shape.shape, !shape.shape)\n"
                   "shape.return %h : !shape.shape"),
            "refuted: its shape cannot be computed: a shape of rank 2 split at "
            "axis 3");
}

TEST_F(HarmTest, abi3_divisionByZeroAndByWhatMayBeZero) {
  std::string body = "%n = loom.dim %a[%0]\n"
                     "%m = loom.dim %a[%1]\n"
                     "%q = index.floordivs %n, %m\n"
                     "%r = shape.from_extents %q : index\n"
                     "shape.return %r : !shape.shape";
  EXPECT_EQ(tellOf(body, "tensor<4x0xf32>"),
            "refuted: its shape cannot be computed: division by 0");
  Outcome outcome =
      evaluateText("%a: tensor<4x?xf32>",
                   "%r = \"test.op\"(%a) : (tensor<4x?xf32>) -> tensor<*xf32>");
  EXPECT_EQ(getOpen(outcome),
            Strings{"unknown: its shape cannot be computed: division by ?"});
}

TEST_F(HarmTest, abi3_unsignedDivisionTakesNoNegativeNumber) {
  const char *const quotient = "%n, %m = loom.extents %a, \"{0}\"\n"
                               "%2 = index.constant 2\n"
                               "%z = index.sub %n, %2\n"
                               "%q = index.divu %m, %z\n"
                               "%r = shape.from_extents %q : index\n"
                               "shape.return %r : !shape.shape";
  EXPECT_EQ(tellOf(quotient, "tensor<5x9xf32>"), "3");
  EXPECT_EQ(tellOf(quotient, "tensor<1x9xf32>"),
            "refuted: its shape cannot be computed: unsigned division with a "
            "negative number, -1");
  EXPECT_EQ(tellOf(quotient, "tensor<2x9xf32>"),
            "refuted: its shape cannot be computed: division by 0");
  Outcome outcome =
      evaluateText("%a: tensor<?x9xf32>",
                   "%r = \"test.op\"(%a) : (tensor<?x9xf32>) -> tensor<*xf32>");
  EXPECT_EQ(getOpen(outcome),
            (Strings{"unknown: its shape cannot be computed: unsigned division "
                     "with a negative number, ?",
                     "unknown: its shape cannot be computed: division by ?"}));
}

/// As the bits of a negative number are greater than those of others.
TEST_F(HarmTest, sf1_unsignedComparisons) {
  for (auto [predicate, expected] :
       {std::pair("ult", "2"), {"ugt", "1"}, {"ule", "2"}, {"uge", "1"}})
    for (const char *type : {"tensor<4x4xf32>", "tensor<?x?xf32>"}) {
      std::string text = std::string("%n, %m = loom.extents %a, \"{0}\"\n"
                                     "%minus = index.constant -1\n"
                                     "%2 = index.constant 2\n"
                                     "%z = index.sub %minus, %n\n"
                                     "%c = index.cmp ") +
                         predicate +
                         "(%z, %m)\n"
                         "%u = index.maxu %z, %m\n"
                         "%isZ = index.cmp eq(%u, %z)\n"
                         "loom.constraint %isZ, \"not the greater one\"\n"
                         "%e = arith.select %c, %1, %2 : index\n"
                         "%r = shape.from_extents %e : index\n"
                         "shape.return %r : !shape.shape";
      EXPECT_EQ(tellOf(text, type), expected) << predicate << " " << type;
    }
}

TEST_F(HarmTest, abi3_numbersThatDoNotFit) {
  EXPECT_EQ(tellOf("%n = index.constant 4611686018427387904\n"
                   "%q = index.mul %n, %n\n"
                   "%r = shape.from_extents %q : index\n"
                   "shape.return %r : !shape.shape"),
            "refuted: a number of its shape does not fit 63 bits");
}

TEST_F(HarmTest, abi3_negativeExtents) {
  EXPECT_EQ(tellOf("%n = index.constant -2\n"
                   "%r = shape.from_extents %n : index\n"
                   "shape.return %r : !shape.shape"),
            "refuted: axis 0 of result 0 would have extent -2");
  // Also where it takes the place of an extent of a tensor.
  EXPECT_EQ(tellOf("%c = shape.const_shape [-3, 5] : !shape.shape\n"
                   "%r = \"shape.any\"(%s, %c) : (!shape.shape, "
                   "!shape.shape) -> !shape.shape\n"
                   "shape.return %r : !shape.shape"),
            "refuted: axis 0 of result 0 would have extent -3");
}

TEST_F(HarmTest, abi3_broadcastOfNothing) {
  EXPECT_EQ(tellOf("%r = \"shape.broadcast\"() : () -> !shape.shape\n"
                   "shape.return %r : !shape.shape"),
            "*");
}

TEST_F(HarmTest, ext2_anErrorOnAPathThatNeedNotBeTakenIsNone) {
  EXPECT_EQ(tellOf("%n = loom.dim %a[%0]\n"
                   "%c = index.cmp eq(%n, %0)\n"
                   "%r = scf.if %c -> !shape.shape {\n"
                   "loom.constraint %c, \"good\"\n"
                   "%d = index.divs %1, %0\n"
                   "scf.yield %s : !shape.shape\n} else {\n"
                   "%t = shape.from_extents %1 : index\n"
                   "scf.yield %t : !shape.shape\n}\n"
                   "shape.return %r : !shape.shape",
                   "tensor<?x4xf32>"),
            "1");
}

TEST_F(HarmTest, sf7_extentsThatDependOnData) {
  // S-14
  Outcome outcome;
  tellOf("%n = loom.dim %a[%0]\n"
         "%k = loom.data_extent from %0 to %n\n"
         "%r = shape.from_extents %k : index\n"
         "shape.return %r : !shape.shape");
  Symbols symbols;
  Numbers numbers(symbols);
  options.numbers = &numbers;
  outcome =
      evaluateText("%a: tensor<4x4xf32>",
                   "%r = \"test.op\"(%a) : (tensor<4x4xf32>) -> tensor<*xf32>");
  EXPECT_EQ(outcome.truth, Truth::Proved);
  ExtentRange range = symbols.range(outcome.results[0].shape[0]);
  EXPECT_EQ(range.lo, 0);
  EXPECT_EQ(range.hi, 4);
}

} // namespace
