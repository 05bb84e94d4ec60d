//===- PollsTest.cpp - loops that a cancelled call leaves -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/Polls.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace broadloom::codegen;

namespace {

/// What a function with `body` reads and calls after insertPolls.
struct Polled {
  /// Reads of the flag, the one at the entry included.
  int reads = 0;
  /// Blocks of chunks, and blocks that compute the limit of a first one.
  int chunks = 0, far = 0;
  /// Calls that keep registers of integers, and others.
  int keepingCalls = 0, plainCalls = 0;
  bool isValid = false;
};

Polled poll(StringRef body, StringRef type = "i32", StringRef target = "",
            bool isOptimised = true) {
  std::string text = ("target triple = \"" + target +
                      "\"\n"
                      "declare i32 @broadloomPoll(ptr)\n"
                      "declare void @other(ptr)\n"
                      "declare i64 @given(i64)\n"
                      "declare double @exp(double)\n"
                      "declare void @llvm.memset(ptr, i8, i64, i1)\n"
                      "declare double @llvm.sqrt(double)\n"
                      "define " +
                      type + " @f(ptr %call, ptr %a, i64 %n, i64 %m) {\n" +
                      "  %status = call i32 @broadloomPoll(ptr %call)\n"
                      "  %bad = icmp ne i32 %status, 0\n"
                      "  br i1 %bad, label %fail, label %start\n" +
                      body + "}\n")
                         .str();
  LLVMContext context;
  SMDiagnostic error;
  std::unique_ptr<Module> module = parseAssemblyString(text, error, context);
  Polled polled;
  if (!module) {
    ADD_FAILURE() << error.getMessage().str() << "\n" << text;
    return polled;
  }
  insertPolls(*module, isOptimised);
  polled.isValid = !verifyModule(*module, &errs());
  Function &function = *module->getFunction("f");
  for (Instruction &instruction : instructions(function)) {
    auto *load = dyn_cast<LoadInst>(&instruction);
    polled.reads += load && load->isAtomic();
    if (auto *call = dyn_cast<CallInst>(&instruction))
      (call->getCallingConv() == CallingConv::PreserveMost
           ? polled.keepingCalls
           : polled.plainCalls)++;
  }
  for (BasicBlock &block : function) {
    polled.chunks += block.getName().starts_with("chunk");
    polled.far += block.getName().starts_with("far");
  }
  return polled;
}

/// A loop that counts from `first` by `step` while the counter, or the next
/// one, has the relation to `bound`.
std::string counting(StringRef first, StringRef step, StringRef compared,
                     StringRef relation, StringRef bound) {
  return ("start:\n  br label %loop\n"
          "loop:\n"
          "  %i = phi i64 [ " +
          first + ", %start ], [ %next, %loop ]\n" +
          "  %at = getelementptr i64, ptr %a, i64 %i\n"
          "  store i64 %i, ptr %at\n"
          "  %next = add i64 %i, " +
          step + "\n  %more = icmp " + relation + " i64 " + compared + ", " +
          bound +
          "\n  br i1 %more, label %loop, label %end\n"
          "end:\n  ret i32 0\n"
          "fail:\n  ret i32 %status\n")
      .str();
}

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

TEST(Polls, WhatIsLeftOfAnUnrolledLoopReadsNothing) {
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

TEST(Polls, WhatIsLeftOfALoopOfVectorsReadsNothing) {
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

TEST(Polls, WhatIsLeftOfALoopThatBeginsElsewhereReadsNothing) {
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

TEST(Polls, ARestThatMayBeNothingReads) {
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

TEST(Polls, AShortLoopFromZeroMayBeginBehindItsBound) {
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
