//===- OldTextTest.cpp - renaming and repacking ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/versions/OldText.h"

#include <gtest/gtest.h>

using namespace broadloom::read;

static std::string prepare(llvm::StringRef text) {
  std::string prepared = prepareText(text).text;
  EXPECT_EQ(prepared.size(), text.size());
  return prepared;
}

TEST(OldText, RenamesOperations) {
  EXPECT_EQ(prepare("%0 = tosa.add %a, %b : (t, t) -> t"),
            "%0 = tos_.add %a, %b : (t, t) -> t");
  EXPECT_EQ(prepare("%0 = \"tosa.add\"(%a) {tosa.x = 1, y = \"tosa.add\"}"),
            "%0 = \"tos_.add\"(%a) {tosa.x = 1, y = \"tosa.add\"}");
}

TEST(OldText, LeavesTypesAttributesCommentsAndLocations) {
  for (const char *text :
       {"!tosa.shape<4>", "{mode = #tosa.nan_mode<IGNORE>}", "// tosa.add\n/",
        "loc(\"tosa.add\"(\"file\":1:2))", "\"my \\\" tosa.add\"", "@tosa.add",
        "module attributes {tosa.v = 1}"})
    EXPECT_EQ(prepare(text), text);
}

TEST(OldText, LeavesOperationsWhoseFormIsTheSame) {
  for (const char *text :
       {"tosa.yield %a : t", "tosa.while_loop (%a = %b)",
        "tosa.cond_if %a : tensor<i1> -> tensor<f32>", "\"tosa.cond_if\"(%a)"})
    EXPECT_EQ(prepare(text), text);
  EXPECT_EQ(prepare("tosa.cond_if %a -> (tensor<f32>) {"),
            "tos_.cond_if %a -> (tensor<f32>) {");
}

TEST(OldText, PacksBytesOfBooleans) {
  EXPECT_EQ(prepare("dense<\"0x010001\"> : tensor<3xi1>"),
            "dense<\"0x05\"    > : tensor<3xi1>");
  EXPECT_EQ(prepare("dense<\"0x00FF000000000001\" > : tensor<2x4xi1>"),
            "dense<\"0x82\"               > : tensor<2x4xi1>");
  OldText result = prepareText("a dense<\"0x0100\"> : tensor<2xi1>");
  EXPECT_EQ(result.numByteConstants, 1u);
  EXPECT_EQ(result.firstByteConstant, 8u);
}

TEST(OldText, LeavesOtherConstants) {
  for (const char *text :
       {"dense<\"0x05\"> : tensor<3xi1>", "dense<\"0x0102\"> : tensor<2xi8>",
        "dense<\"0x01\"> : tensor<1xi1>", "dense<true> : tensor<2xi1>",
        "dense<\"0x0101\"> : tensor<?xi1>",
        "dense<\"0x0101\"> : tensor<99999999999x99999999999xi1>"})
    EXPECT_EQ(prepare(text), text);
}

TEST(OldText, FindsEnumeratorsThatAreTexts) {
  for (const char *text :
       {"{nan_mode = \"IGNORE\"}", "{nan_mode=\"IGNORE\"}",
        "<{mode  =\n  \"BILINEAR\"}>", "{rounding_mode = // how\n \"X\"}",
        "{\"nan_mode\" = \"IGNORE\"}", "{nan_mode = #alias}"})
    EXPECT_TRUE(prepareText(text).hasTextEnumerators) << text;
  for (const char *text :
       {"{nan_mode = IGNORE}", "{mode = #tosa.resize_mode<BILINEAR>}",
        "{x = \"nan_mode = \\\"IGNORE\\\"\"}", "// mode = \"x\"\n",
        "{model = \"x\"}", "mode", "mode ="})
    EXPECT_FALSE(prepareText(text).hasTextEnumerators) << text;
}

// What is cut off anywhere is read to its end and no further.
TEST(OldText, SurvivesEveryPrefix) {
  llvm::StringRef text = "%0 = \"tosa.add\"(%a) {x = \"\\\\\"} tosa.cond_if %a "
                         "-> dense<\"0x0100\"> : tensor<2xi1> // end";
  for (size_t length = 0; length <= text.size(); ++length)
    EXPECT_EQ(prepare(text.take_front(length)).size(), length);
}
