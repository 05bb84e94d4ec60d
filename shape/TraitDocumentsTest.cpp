//===- TraitDocumentsTest.cpp - every example of both trait documents -----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/Verify.h"

#include <gtest/gtest.h>

using namespace broadloom;

namespace {

/// An example of the documents on the trait: shapes, and whether the lenient
/// and the strict document accept it (verify-4).
struct Example {
  std::vector<const char *> operands;
  const char *result;
  bool allowed;
  bool forbidAllowed;
};

Verification verify(const Example &example, DynamicToStatic policy) {
  std::vector<Shape> shapes;
  for (const char *text : example.operands)
    shapes.push_back(parseShape(text).value());
  std::vector<ShapeView> views(shapes.begin(), shapes.end());
  VerifyOptions options;
  options.dynamicToStatic = policy;
  return verifyBroadcast(views, parseShape(example.result).value(),
                         staticProver(), options);
}

class TraitDocuments : public ::testing::TestWithParam<Example> {};

TEST_P(TraitDocuments, verify4_underBothPolicies) {
  const Example &example = GetParam();
  Verification allow = verify(example, DynamicToStatic::Allow);
  Verification forbid = verify(example, DynamicToStatic::Forbid);
  EXPECT_EQ(!allow.error, example.allowed);
  EXPECT_EQ(!forbid.error, example.forbidAllowed);
  EXPECT_EQ(allow.answer.isRefuted(), allow.error.has_value());
  EXPECT_EQ(forbid.answer.isRefuted(), forbid.error.has_value());
}

INSTANTIATE_TEST_SUITE_P(
    Correct, TraitDocuments,
    ::testing::Values(Example{{"1x2", "1x2"}, "1x2", true, true},
                      Example{{"?", "?"}, "?", true, true},
                      Example{{"1", "4"}, "4", true, true},
                      Example{{"4"}, "?", true, true},
                      Example{{"4", "2x3x4"}, "2x3x4", true, true},
                      Example{{"2", "2"}, "2", true, true},
                      Example{{"2"}, "*", true, true},
                      Example{{"*", "*"}, "2", true, true}));

// The lenient document lists `?`, `?` -> 4 as wrong against its own table; the
// table wins.
INSTANTIATE_TEST_SUITE_P(
    Incorrect, TraitDocuments,
    ::testing::Values(Example{{"3", "2"}, "?", false, false},
                      Example{{"3", "3"}, "1x3", false, false},
                      Example{{"?", "?"}, "4", true, false},
                      Example{{"2", "2"}, "4", false, false},
                      Example{{"1", "1"}, "4", false, false}));

} // namespace
