//===- RestOfLoopTest.cpp - what is left of loops of vectors --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/machine/PolledCode.h"

#include "gtest/gtest.h"

#include <string>
#include <tuple>

using namespace llvm;
using namespace broadloom::codegen;

namespace {

TEST(RestOfLoop, WhatIsLeftOfAnUnrolledLoopReadsNothing) {
  std::string body = counting("0", "1", "%next", "ne", "%left");
  body.insert(body.find("  br label %loop"),
              "  %masked = and i64 %n, 7\n  %left = add i64 %masked, 1\n");
  Polled polled = poll(body);
  EXPECT_TRUE(polled.isValid);
  EXPECT_EQ(polled.reads, 1);
  EXPECT_EQ(polled.chunks, 0);
}

/// A loop over four elements at a time, and what is left behind it, or in loops
/// of fewer than `least` iterations.
std::string vectorsAndRest(StringRef least, StringRef isPositive,
                           StringRef mask = "9223372036854775804") {
  return ("start:\n"
          "  %positive = icmp sgt i64 %n, 0\n"
          "  br i1 " +
          isPositive + ", label %enter, label %end\n" +
          "enter:\n"
          "  %short = icmp ult i64 %n, " +
          least +
          "\n  br i1 %short, label %before, label %enough\n"
          "enough:\n"
          "  %whole = and i64 %n, " +
          mask +
          "\n"
          "  br label %main\n"
          "main:\n"
          "  %k = phi i64 [ 0, %enough ], [ %further, %main ]\n"
          "  %further = add i64 %k, 4\n"
          "  %goes = icmp ne i64 %further, %whole\n"
          "  br i1 %goes, label %main, label %middle\n"
          "middle:\n"
          "  %all = icmp eq i64 %n, %whole\n"
          "  br i1 %all, label %end, label %before\n"
          "before:\n"
          "  %first = phi i64 [ 0, %enter ], [ %whole, %middle ]\n"
          "  br label %loop\n"
          "loop:\n"
          "  %i = phi i64 [ %first, %before ], [ %next, %loop ]\n"
          "  %at = getelementptr i64, ptr %a, i64 %i\n"
          "  store i64 %i, ptr %at\n"
          "  %next = add i64 %i, 1\n"
          "  %more = icmp ne i64 %next, %n\n"
          "  br i1 %more, label %loop, label %end\n"
          "end:\n  ret i32 0\n"
          "fail:\n  ret i32 %status\n")
      .str();
}

TEST(RestOfLoop, WhatIsLeftOfALoopOfVectorsReadsNothing) {
  // The rest is no short loop where short loops are long, where the number may
  // be negative, so that the mask leaves the sign, or where it leaves more
  // bits.
  for (auto [least, isPositive, mask, chunks] :
       {std::tuple("4", "%positive", "9223372036854775804", 1),
        std::tuple("100", "%positive", "9223372036854775804", 1),
        std::tuple("100000", "%positive", "9223372036854775804", 2),
        std::tuple("4", "true", "9223372036854775804", 2),
        std::tuple("4", "%positive", "-4", 1),
        std::tuple("4", "%positive", "-65536", 2)}) {
    Polled polled = poll(vectorsAndRest(least, isPositive, mask));
    EXPECT_TRUE(polled.isValid);
    EXPECT_EQ(polled.chunks, chunks) << least << isPositive << mask;
    EXPECT_EQ(polled.reads, 1 + chunks) << least << isPositive << mask;
  }
}

/// The same loops from `first` to `first + n`; the vectors end at `first` and
/// `whole`.
std::string vectorsFrom(StringRef first, StringRef whole, StringRef least,
                        StringRef relation) {
  return ("start:\n"
          "  %bound = add nsw i64 %n, " +
          first + "\n  %enters = icmp slt i64 " + first +
          ", %bound\n"
          "  br i1 %enters, label %enter, label %end\n"
          "enter:\n"
          "  %short = icmp ult i64 %n, " +
          least +
          "\n  br i1 %short, label %before, label %enough\n"
          "enough:\n"
          "  %masked = and i64 %n, -4\n"
          "  %other = and i64 %m, -4\n"
          "  %whole = add i64 " +
          whole + ", " + first +
          "\n  br label %main\n"
          "main:\n"
          "  %k = phi i64 [ 0, %enough ], [ %further, %main ]\n"
          "  %further = add i64 %k, 4\n"
          "  %goes = icmp ne i64 %further, %masked\n"
          "  br i1 %goes, label %main, label %middle\n"
          "middle:\n"
          "  %all = icmp eq i64 %n, %masked\n"
          "  br i1 %all, label %end, label %before\n"
          "before:\n"
          "  %first = phi i64 [ " +
          first +
          ", %enter ], [ %whole, %middle ]\n"
          "  br label %loop\n"
          "loop:\n"
          "  %i = phi i64 [ %first, %before ], [ %next, %loop ]\n"
          "  %at = getelementptr i64, ptr %a, i64 %i\n"
          "  store i64 %i, ptr %at\n"
          "  %next = add i64 %i, 1\n"
          "  %more = icmp " +
          relation +
          " i64 %next, %bound\n"
          "  br i1 %more, label %loop, label %end\n"
          "end:\n  ret i32 0\n"
          "fail:\n  ret i32 %status\n")
      .str();
}

TEST(RestOfLoop, WhatIsLeftOfALoopThatBeginsElsewhereReadsNothing) {
  // Not where short loops are long, where the vectors end elsewhere, or where
  // the loop may pass its bound.
  for (auto [first, whole, least, relation, chunks] :
       {std::tuple("1", "%masked", "4", "ne", 1),
        std::tuple("1", "%masked", "4", "slt", 1),
        std::tuple("-7", "%masked", "4", "ne", 1),
        std::tuple("%m", "%masked", "4", "ne", 1),
        std::tuple("1", "%masked", "100000", "ne", 2),
        std::tuple("%m", "%masked", "100000", "ne", 2),
        std::tuple("1", "%other", "4", "ne", 2),
        std::tuple("%m", "%other", "4", "ne", 2),
        std::tuple("%m", "%masked", "4", "sle", 2)}) {
    Polled polled = poll(vectorsFrom(first, whole, least, relation));
    EXPECT_TRUE(polled.isValid);
    EXPECT_EQ(polled.chunks, chunks) << first << whole << least << relation;
    EXPECT_EQ(polled.reads, 1 + chunks) << first << whole << least << relation;
  }
}

/// A loop from the first bits of a number to the number, entered by `way`.
std::string fromMasked(StringRef way, StringRef relation) {
  std::string body = counting("%first", "1", "%next", relation, "%n");
  size_t at = body.find("  br label %loop");
  return body.replace(at, StringRef("  br label %loop\n").size(),
                      ("  %first = and i64 %n, -4\n"
                       "  %last = and i64 %n, 3\n"
                       "  %whole = icmp eq i64 %n, %first\n"
                       "  %none = icmp eq i64 %last, 0\n"
                       "  %some = icmp ne i64 %last, 0\n"
                       "  %other = icmp eq i64 %n, 5\n"
                       "  br i1 " +
                       way + "\n")
                          .str());
}

TEST(RestOfLoop, ARestThatMayBeNothingReads) {
  // `next != n` with nothing left begins behind its bound.
  for (auto [way, relation, chunks] :
       {std::tuple("%whole, label %end, label %loop", "ne", 0),
        std::tuple("%none, label %end, label %loop", "ne", 0),
        std::tuple("%some, label %loop, label %end", "ne", 0),
        std::tuple("%other, label %end, label %loop", "ne", 1),
        std::tuple("%whole, label %loop, label %end", "ne", 1),
        std::tuple("%some, label %end, label %loop", "ne", 1),
        std::tuple("%other, label %end, label %loop", "ult", 0),
        std::tuple("%other, label %end, label %loop", "ule", 1)}) {
    Polled polled = poll(fromMasked(way, relation));
    EXPECT_TRUE(polled.isValid);
    EXPECT_EQ(polled.chunks, chunks) << way << relation;
  }
}

TEST(RestOfLoop, AShortLoopFromZeroMayBeginBehindItsBound) {
  for (auto [way, chunks] :
       {std::pair("  %few = icmp ult i64 %n, 100\n"
                  "  br i1 %few, label %loop, label %end\n",
                  1),
        std::pair("  %few = icmp ult i64 %n, 100\n"
                  "  br i1 %few, label %start2, label %end\n"
                  "start2:\n"
                  "  %none = icmp eq i64 %n, 0\n"
                  "  br i1 %none, label %end, label %loop\n",
                  0)}) {
    std::string body = counting("0", "1", "%next", "ne", "%n");
    size_t at = body.find("  br label %loop");
    body.replace(at, StringRef("  br label %loop\n").size(), way);
    if (chunks == 0)
      body.replace(body.find("[ 0, %start ]"), 13, "[ 0, %start2 ]");
    Polled polled = poll(body);
    EXPECT_TRUE(polled.isValid);
    EXPECT_EQ(polled.chunks, chunks) << way;
  }
}

} // namespace
