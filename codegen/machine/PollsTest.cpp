//===- PollsTest.cpp - loops that a cancelled call leaves -----------------===//
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

TEST(Polls, LoopsThatCountGoInChunks) {
  for (auto [step, compared, relation] :
       {std::tuple("1", "%next", "ne"), std::tuple("8", "%i", "ne"),
        std::tuple("3", "%next", "ne"), std::tuple("-2", "%next", "ne"),
        std::tuple("1", "%next", "slt"), std::tuple("3", "%i", "ult"),
        std::tuple("1", "%next", "sle"), std::tuple("-1", "%next", "sgt"),
        std::tuple("-2", "%i", "uge"), std::tuple("-1", "%next", "ne")}) {
    Polled polled = poll(counting("0", step, compared, relation, "%n"));
    EXPECT_TRUE(polled.isValid) << relation;
    EXPECT_EQ(polled.reads, 2) << relation;
    EXPECT_EQ(polled.chunks, 1) << relation;
  }
  // The bound may stand first.
  Polled polled = poll(counting("0", "1", "%n", "sgt", "%next"));
  EXPECT_TRUE(polled.isValid);
  EXPECT_EQ(polled.chunks, 1);
}

TEST(Polls, ShortLoopsReadNothing) {
  for (auto [bound, chunks] :
       {std::pair("100", 0), std::pair("8192", 0), std::pair("100000", 1)}) {
    Polled polled = poll(counting("0", "1", "%next", "slt", bound));
    EXPECT_TRUE(polled.isValid);
    EXPECT_EQ(polled.chunks, chunks) << bound;
    EXPECT_EQ(polled.reads, 1 + chunks) << bound;
  }
}

TEST(Polls, OtherLoopsReadInEachIteration) {
  // Away from the bound, by the bound's own change, and without end.
  for (std::string body :
       {counting("0", "-1", "%next", "slt", "%n"),
        counting("0", "1", "%next", "ne", "%at2"),
        std::string("start:\n  br label %loop\nloop:\n  br label %loop\n"
                    "fail:\n  ret i32 %status\n")}) {
    size_t at = body.find("  store");
    if (at != std::string::npos)
      body.insert(at, "  %at2 = load i64, ptr %at\n");
    Polled polled = poll(body);
    EXPECT_TRUE(polled.isValid);
    EXPECT_EQ(polled.chunks, 0);
    EXPECT_EQ(polled.reads, 2);
  }
}

/// A nest of two loops that count to `outer` and to `inner`.
std::string nest(StringRef outer, StringRef inner) {
  return ("start:\n  br label %outer\n"
          "outer:\n"
          "  %k = phi i64 [ 0, %start ], [ %nextk, %ended ]\n"
          "  br label %loop\n"
          "loop:\n"
          "  %i = phi i64 [ 0, %outer ], [ %next, %loop ]\n"
          "  %at = getelementptr i64, ptr %a, i64 %i\n"
          "  store i64 %k, ptr %at\n"
          "  %next = add nuw i64 %i, 1\n"
          "  %more = icmp ult i64 %next, " +
          inner +
          "\n  br i1 %more, label %loop, label %ended\n"
          "ended:\n"
          "  %nextk = add nuw i64 %k, 1\n"
          "  %again = icmp ult i64 %nextk, " +
          outer +
          "\n  br i1 %again, label %outer, label %end\n"
          "end:\n  ret i32 0\n"
          "fail:\n  ret i32 %status\n")
      .str();
}

TEST(Polls, NestsOfFewIterationsReadNothing) {
  for (auto [outer, inner, reads, chunks] :
       {std::tuple("14", "14", 0, 0), std::tuple("4096", "1", 0, 0),
        // The outer loop reads where both together are long.
        std::tuple("100", "100", 1, 0), std::tuple("2", "100000", 2, 1),
        std::tuple("%n", "14", 1, 0), std::tuple("2", "%n", 2, 1)}) {
    Polled polled = poll(nest(outer, inner));
    EXPECT_TRUE(polled.isValid);
    EXPECT_EQ(polled.reads, 1 + reads) << outer << " x " << inner;
    EXPECT_EQ(polled.chunks, chunks) << outer << " x " << inner;
  }
}

TEST(Polls, LimitsThatChangeAreComputedForLongLoopsAlone) {
  for (auto [step, compared, relation, first, far] :
       {std::tuple("1", "%next", "ne", "%k", 1),
        std::tuple("8", "%next", "ne", "%k", 1),
        std::tuple("-4", "%i", "ne", "%k", 1),
        std::tuple("1", "%next", "slt", "%k", 1),
        std::tuple("-1", "%i", "ugt", "%k", 1),
        // One comparison does not tell.
        std::tuple("3", "%next", "ne", "%k", 0),
        std::tuple("2", "%next", "slt", "%k", 0),
        std::tuple("1", "%next", "sle", "%k", 0),
        // The limit is computed in front of both loops.
        std::tuple("1", "%next", "ne", "0", 0)}) {
    std::string body = nest("%m", "%n");
    auto replace = [&](StringRef from, std::string to) {
      body.replace(body.find(from.str()), from.size(), to);
    };
    replace("phi i64 [ 0, %outer ]",
            "phi i64 [ " + std::string(first) + ", %outer ]");
    replace("add nuw i64 %i, 1", "add i64 %i, " + std::string(step));
    replace("icmp ult i64 %next",
            "icmp " + std::string(relation) + " i64 " + compared);
    Polled polled = poll(body);
    EXPECT_TRUE(polled.isValid) << step << relation;
    EXPECT_EQ(polled.chunks, 1) << step << relation;
    EXPECT_EQ(polled.far, far) << step << relation << first;
  }
}

/// Calls in loops of few iterations.
TEST(Polls, LoopsOfFewLongIterationsRead) {
  for (auto [called, reads] :
       {std::pair("call void @other(ptr %a)", 2),
        std::pair("call i64 @given(i64 %i)", 2),
        std::pair("call void @llvm.memset(ptr %a, i8 0, i64 %n, i1 0)", 2),
        std::pair("call void @llvm.memset(ptr %a, i8 0, i64 64, i1 0)", 0),
        std::pair("call double @exp(double 0.5)", 0),
        std::pair("call double @llvm.sqrt(double 0.5)", 0),
        // Each iteration looks at the flag, and so do those around it.
        std::pair("call i32 @broadloomPoll(ptr %call)", 0)}) {
    std::string body = nest("14", "14");
    body.insert(body.find("  store i64 %k"),
                "  " +
                    std::string(StringRef(called).contains("call void")
                                    ? ""
                                    : "%unused = ") +
                    called + "\n");
    Polled polled = poll(body);
    EXPECT_TRUE(polled.isValid) << called;
    EXPECT_EQ(polled.chunks, 0) << called;
    EXPECT_EQ(polled.reads,
              (StringRef(called).contains("Poll") ? 2 : 1) + reads)
        << called;
  }
}

TEST(Polls, CodeThatIsNotOptimisedReadsInOuterLoops) {
  Polled polled = poll(nest("14", "14"), "i32", "", /*isOptimised=*/false);
  EXPECT_TRUE(polled.isValid);
  EXPECT_EQ(polled.reads, 2);
}

TEST(Polls, LoopsCallWhatKeepsRegisters) {
  for (auto [target, isKept] :
       {std::pair("x86_64-unknown-linux-gnu", true),
        std::pair("aarch64-unknown-linux-gnu", true),
        std::pair("riscv64-unknown-linux-gnu", false)}) {
    Polled polled =
        poll(counting("0", "1", "%next", "slt", "%n"), "i32", target);
    EXPECT_TRUE(polled.isValid);
    EXPECT_EQ(polled.keepingCalls, isKept ? 1 : 0) << target;
    EXPECT_EQ(polled.plainCalls, isKept ? 1 : 2) << target;
  }
}

constexpr StringRef kNest = R"(
start:
  br label %outer
outer:
  %k = phi i64 [ 0, %start ], [ %nextk, %ended ]
  br label %loop
loop:
  %i = phi i64 [ 0, %outer ], [ %next, %latch ]
  %s = phi i64 [ %k, %outer ], [ %t, %latch ]
  %at = getelementptr i64, ptr %a, i64 %i
  %x = load i64, ptr %at
  %found = icmp eq i64 %x, %m
  br i1 %found, label %left, label %latch
latch:
  %t = add i64 %s, %x
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %ended, label %loop
ended:
  %sum = phi i64 [ %t, %latch ]
  store i64 %sum, ptr %a
  %nextk = add i64 %k, %next
  %more = icmp slt i64 %nextk, %m
  br i1 %more, label %outer, label %left
left:
  %r = phi i64 [ %s, %loop ], [ %t, %ended ]
  store i64 %r, ptr %a
)";

TEST(Polls, NestsReadInOuterLoops) {
  std::string body = (kNest + "  ret i32 0\nfail:\n  ret i32 %status\n").str();
  Polled polled = poll(body);
  EXPECT_TRUE(polled.isValid);
  EXPECT_EQ(polled.chunks, 1);
  EXPECT_EQ(polled.reads, 3);
  // The status may be the first of several results.
  std::string two = (kNest + "  ret { i32, i64 } zeroinitializer\n"
                             "fail:\n"
                             "  %f = insertvalue { i32, i64 } "
                             "zeroinitializer, i32 %status, 0\n"
                             "  ret { i32, i64 } %f\n")
                        .str();
  polled = poll(two, "{ i32, i64 }");
  EXPECT_TRUE(polled.isValid);
  EXPECT_EQ(polled.reads, 3);
}

TEST(Polls, CyclesWithTwoEntriesRead) {
  Polled polled = poll(R"(
start:
  %p = icmp eq i64 %n, 0
  br i1 %p, label %x, label %y
x:
  store i64 1, ptr %a
  br label %y
y:
  store i64 2, ptr %a
  br label %x
fail:
  ret i32 %status
)");
  EXPECT_TRUE(polled.isValid);
  EXPECT_EQ(polled.reads, 2);
}

TEST(Polls, WhatCallsTheRuntimeReadsNothing) {
  Polled polled = poll(R"(
start:
  br label %loop
loop:
  %again = call i32 @broadloomPoll(ptr %call)
  %worse = icmp ne i32 %again, 0
  br i1 %worse, label %fail, label %loop
fail:
  %which = phi i32 [ %status, %0 ], [ %again, %loop ]
  ret i32 %which
)");
  EXPECT_TRUE(polled.isValid);
  EXPECT_EQ(polled.reads, 2);
}

} // namespace
