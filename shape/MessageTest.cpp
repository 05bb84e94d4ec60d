//===- MessageTest.cpp - tests of the words, matched in full --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/Message.h"
#include "shape/TakesText.h"
#include "shape/Verify.h"

#include <gtest/gtest.h>

using namespace broadloom;

namespace {

/// Owns the shapes of one operation and says what is wrong with them.
class Operation {
public:
  Operation(const std::vector<const char *> &operands, const char *result,
            VerifyOptions options = {}) {
    for (const char *text : operands)
      shapes_.push_back(parseShape(text, &symbols).value());
    views_.assign(shapes_.begin(), shapes_.end());
    resultShape_ = parseShape(result, &symbols).value();
    resultView_ = resultShape_;
    verification =
        verifyBroadcast(views_, resultView_, SymbolProver(symbols), options);
  }

  Situation situation() const {
    return {views_, verification.inferred, ShapeList(&resultView_, 1)};
  }
  std::string error(OriginOf origin = {}) const {
    PlainSpelling spelling(&symbols, std::move(origin));
    return describe(verification.error.value(), situation(), spelling);
  }

  Symbols symbols;
  Verification verification;

private:
  std::vector<Shape> shapes_;
  std::vector<ShapeView> views_;
  Shape resultShape_;
  ShapeView resultView_;
};

std::string argumentOrigin(int32_t operand, int32_t axis) {
  return ofAxis(axis, argumentText(operand));
}

VerifyOptions forbid() {
  VerifyOptions options;
  options.dynamicToStatic = DynamicToStatic::Forbid;
  return options;
}

constexpr const char *kExample =
    "operands are not broadcast-compatible along axis 1: extents 3 and 2 "
    "(operand shapes 4x3 and 4x2; extent 3 is axis 1 of argument 0, extent 2 "
    "is axis 1 of argument 1)";

TEST(Message, verify1_incompatibleOperands) {
  EXPECT_EQ(Operation({"4x3", "4x2"}, "*").error(),
            "operands are not broadcast-compatible along axis 1: extents 3 and "
            "2 (operand shapes 4x3 and 4x2)");
  EXPECT_EQ(Operation({"4x3", "4x2"}, "*").error(argumentOrigin), kExample);
  EXPECT_EQ(Operation({"?x3", "s", "", "[2]"}, "*").error(),
            "operands are not broadcast-compatible along axis 1: extents 3 and "
            "[2] (operand shapes ?x3 and [2] of operands 0 and 3)");
}

TEST(Message, verify1_whereOperandsOrAxesHaveNoName) {
  EXPECT_EQ(describeExtents(1, "3", "?"),
            "operands are not broadcast-compatible along axis 1: extents 3 and "
            "?");
  EXPECT_EQ(describeShapes("{0} and {1}"),
            "operands are not broadcast-compatible: shapes {0} and {1}");
}

TEST(Message, verify3_ranks) {
  EXPECT_EQ(Operation({"3", "3"}, "1x3").error(),
            "result has rank 2 but the operands give rank 1 (operand shapes 3 "
            "and 3; result shape 1x3)");
  EXPECT_EQ(Operation({"3"}, "").error(),
            "result has rank 0 but the operands give rank 1 (operand shape 3; "
            "result shape scalar)");
}

TEST(Message, verify4_extents) {
  EXPECT_EQ(Operation({"4", "1"}, "5").error(),
            "result axis 0 has extent 5 but the operands give 4 (operand "
            "shapes 4 and 1; result shape 5)");
  EXPECT_EQ(Operation({"?", "?", "n"}, "4", forbid()).error(),
            "result axis 0 has the static extent 4 but the operands give ? "
            "(operand shapes ?, ? and n; result shape 4); make it ? in the "
            "result type, or allow it with dynamic-to-static=allow");
}

TEST(Message, verify5_ranksDiffer) {
  Shape a = *parseShape("3"), b = *parseShape("1x3");
  std::vector<ShapeView> operands = {a, b}, results = {b};
  PlainSpelling spelling;
  EXPECT_EQ(describe(*verifyRanksMatch(operands, results),
                     {operands, {}, results}, spelling),
            "all ranks must be equal, but operand 0 has rank 1 and operand 1 "
            "has rank 2 (operand shapes 3 and 1x3; result shape 1x3)");
  operands.pop_back();
  EXPECT_EQ(describe(*verifyRanksMatch(operands, results),
                     {operands, {}, results}, spelling),
            "all ranks must be equal, but operand 0 has rank 1 and the result "
            "has rank 2 (operand shape 3; result shape 1x3)");
}

TEST(Message, verify6_structure) {
  using C = Container;
  PlainSpelling spelling;
  auto text = [&](std::vector<C> operands, std::vector<C> results) {
    return describe(*verifyStructure(operands, results), {}, spelling);
  };
  EXPECT_EQ(text({}, {C::Tensor}),
            "there are no operands, but at least one is needed to broadcast");
  EXPECT_EQ(
      text({C::Tensor}, {C::Tensor, C::Tensor}),
      "there are 2 results, but a broadcasting operation has exactly one");
  EXPECT_EQ(text({C::Tensor, C::Other}, {C::Tensor}),
            "operand 1 is neither a tensor nor a vector");
  EXPECT_EQ(text({C::Tensor}, {C::Vector}),
            "operand 0 and the result are not both tensors or both vectors");
}

TEST(Message, rt2_runtimeSaysTheSame) {
  int64_t a[] = {4, 3}, b[] = {4, 2};
  ExtentSpan operands[] = {{a, 2}, {b, 2}};
  Conflict conflict;
  ASSERT_FALSE(broadcastSpans(operands, 2, nullptr, &conflict));
  std::string text = describe(conflict, operands, 2, argumentOrigin);
  EXPECT_EQ(text, kExample);
  EXPECT_EQ(withSite("model.mlir:12:8", "tosa.add", text),
            std::string("model.mlir:12:8: 'tosa.add': ") + kExample);
  EXPECT_EQ(withSite("", "", "text"), "text");
}

TEST(Message, rt2_runtimeCountsAxesOfEachOperand) {
  int64_t a[] = {7, 4, 3}, b[] = {2};
  ExtentSpan operands[] = {{a, 3}, {nullptr, 0}, {b, 1}};
  Conflict conflict;
  ASSERT_FALSE(broadcastSpans(operands, 3, nullptr, &conflict));
  EXPECT_EQ(describe(conflict, operands, 3, argumentOrigin),
            "operands are not broadcast-compatible along axis 2: extents 3 and "
            "2 (operand shapes 7x4x3 and 2 of operands 0 and 2; extent 3 is "
            "axis 2 of argument 0, extent 2 is axis 0 of argument 2)");
}

TEST(Message, rt2_templateSaysTheSame) {
  Operation operation({"4x?", "?x?"}, "*");
  ASSERT_EQ(operation.verification.constraints.size(), 2u);
  const ShapeConstraint &along1 = operation.verification.constraints[1];
  ASSERT_EQ(along1.axis, 1);
  std::vector<TemplateSpelling::Slot> slots;
  std::string text =
      describeAsTemplate(along1, operation.situation(), slots, argumentOrigin);
  EXPECT_EQ(text,
            "operands are not broadcast-compatible along axis 1: extents {0} "
            "and {1} (operand shapes 4x{0} and {2}x{1}; extent {0} is axis 1 "
            "of argument 0, extent {1} is axis 1 of argument 1)");
  ASSERT_EQ(slots.size(), 3u);
  int64_t extents[2][2] = {{4, 3}, {4, 2}};
  std::vector<int64_t> values;
  for (const TemplateSpelling::Slot &slot : slots)
    values.push_back(extents[slot.party][slot.axis]);
  EXPECT_EQ(substitute(text, values.data(), values.size()), kExample);
}

TEST(Message, rt4_templateOfAResult) {
  VerifyOptions options;
  options.unrankedOperands = UnrankedOperands::Unknown;
  Operation operation({"*"}, "2x?", options);
  ASSERT_EQ(operation.verification.constraints.size(), 2u);
  std::vector<TemplateSpelling::Slot> slots;
  EXPECT_EQ(describeAsTemplate(operation.verification.constraints[0],
                               operation.situation(), slots),
            "result has rank 2 but the operands give rank {0} (operand shape "
            "{1}; result shape 2x{2})");
  ASSERT_EQ(slots.size(), 3u);
  EXPECT_EQ(slots[0].party, kInferred);
  EXPECT_EQ(slots[0].axis, TemplateSpelling::Slot::kRank);
  EXPECT_EQ(slots[1].party, 0);
  EXPECT_EQ(slots[1].axis, TemplateSpelling::Slot::kShape);
  EXPECT_EQ(slots[2].party, kResult);
  EXPECT_EQ(describeAsTemplate(operation.verification.constraints[1],
                               operation.situation(), slots),
            "result axis 0 has extent 2 but the operands give {0} (operand "
            "shape {1}; result shape 2x{2})");
  EXPECT_EQ(slots[0].party, kInferred);
  EXPECT_EQ(slots[0].axis, 0);
}

TEST(Message, bcast6_unrankedOperands) {
  Operation operation({"*", "4x?"}, "*");
  PlainSpelling spelling;
  EXPECT_EQ(describe(operation.verification.constraints.at(0),
                     operation.situation(), spelling),
            "operands are not broadcast-compatible (operand shapes * and 4x?)");
}

TEST(Message, substituteLeavesWhatNamesNoValue) {
  int64_t values[] = {10, -20};
  auto run = [&](std::string_view text) { return substitute(text, values, 2); };
  EXPECT_EQ(run("{0}{1}{0}"), "10-2010");
  EXPECT_EQ(run("{2} {} {x} {0 {-1} {00} { } {99999999999999999999999}"),
            "{2} {} {x} {0 {-1} 10 { } {99999999999999999999999}");
  EXPECT_EQ(run("{"), "{");
  EXPECT_EQ(run("{1"), "{1");
  EXPECT_EQ(run("{{0} {{{0}"), "{0} {10");
  EXPECT_EQ(substitute("{0}", nullptr, 0), "{0}");
  EXPECT_EQ(run(escapeTemplate("a {0} {{ } {")), "a {0} {{ } {");
}

TEST(Message, substituteSaysWhatDoesNotFit) {
  int64_t values[] = {7, std::numeric_limits<int64_t>::max()};
  auto run = [&](std::string_view text) { return substitute(text, values, 2); };
  EXPECT_EQ(run("{0+} {1+} {1}"), "7 (beyond 64 bits) 9223372036854775807");
  EXPECT_EQ(run("{+} {0+ {1++} {2+}"), "{+} {0+ {1++} {2+}");
}

TEST(Message, abi1_arguments) {
  Symbols symbols;
  EXPECT_EQ(describeArgument("argument 0", *parseShape("4x5"),
                             *parseShape("nx3", &symbols), &symbols),
            "argument 0 has shape 4x5 but the function takes nx3");
  EXPECT_EQ(describeNamedExtent("n", "3", argumentOrigin(0, 0), "4",
                                argumentOrigin(1, 1)),
            "extent n is 3 (axis 0 of argument 0) and 4 (axis 1 of argument "
            "1)");
}

} // namespace
