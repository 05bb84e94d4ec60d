//===- ReadMessageTest.cpp - what is written can be read back -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/ReadMessage.h"
#include "shape/Formula.h"
#include "shape/Message.h"
#include "shape/TakesText.h"

#include <gtest/gtest.h>

using namespace broadloom;

namespace {

/// The sentence about operands of these extents, written and read back.
std::optional<SpokenConflict>
readBack(std::vector<std::vector<int64_t>> shapes) {
  std::vector<ExtentSpan> spans;
  for (const std::vector<int64_t> &shape : shapes)
    spans.push_back(ExtentSpan{shape.data(), int64_t(shape.size())});
  Conflict conflict;
  auto spanAt = [&](size_t i) { return spans[i]; };
  EXPECT_FALSE(broadcastSpans(spans.size(), spanAt, nullptr, &conflict));
  return readConflict(withSite(
      "model.mlir:1:2", "tosa.add",
      describe(conflict, spans.data(), spans.size(), [](int32_t n, int32_t a) {
        return ofAxis(a, argumentText(n));
      })));
}

TEST(ReadMessage, rt2_reads_what_describe_writes) {
  auto two = readBack({{4, 3}, {2}});
  ASSERT_TRUE(two);
  EXPECT_EQ(two->axis, 1);
  EXPECT_EQ(two->extents, (std::vector<int64_t>{3, 2}));
  EXPECT_EQ(two->operands, (std::vector<std::string>{"4x3", "2"}));
  auto three = readBack({{5, 3}, {1, 1}, {7, 3}});
  ASSERT_TRUE(three);
  EXPECT_EQ(three->axis, 0);
  EXPECT_EQ(three->extents, (std::vector<int64_t>{5, 7}));
  EXPECT_EQ(three->operands, (std::vector<std::string>{"5x3", "7x3"}));
}

TEST(ReadMessage, extents_that_are_not_numbers) {
  auto found = readConflict("operands are not broadcast-compatible along axis "
                            "0: extents ? and 2 (operand shapes ?x3 and 2x3)");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->extents, (std::vector<int64_t>{-1, 2}));
}

TEST(ReadMessage, other_sentences) {
  EXPECT_FALSE(readConflict("a has 3 columns but b has 4 rows"));
  EXPECT_FALSE(readConflict("operands are not broadcast-compatible along axis "
                            "1: extents 3 and 2"));
  EXPECT_FALSE(readConflict(""));
}

TEST(ReadMessage, takes_the_operation_off) {
  std::string_view error = "'tosa.add' op operands differ";
  EXPECT_EQ(takeOperation(error), "tosa.add");
  EXPECT_EQ(error, "operands differ");
  std::string_view guard = "'tosa.mul': text";
  EXPECT_EQ(takeOperation(guard), "tosa.mul");
  EXPECT_EQ(guard, "text");
  std::string_view none = "expected ':'";
  EXPECT_EQ(takeOperation(none), "");
  EXPECT_EQ(none, "expected ':'");
  std::string_view open = "'tosa.add";
  EXPECT_EQ(takeOperation(open), "");
}

} // namespace
