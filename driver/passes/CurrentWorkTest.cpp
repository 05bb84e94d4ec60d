//===- CurrentWorkTest.cpp - what a crash handler is told -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Compiler.h"
#include "driver/passes/RunPasses.h"

#include <gtest/gtest.h>
#include <thread>

using namespace broadloom;

namespace {

std::string describeOnAnotherThread() {
  std::string text;
  std::thread([&] { text = describeCurrentWork(); }).join();
  return text;
}

TEST(CurrentWorkTest, IsThatOfTheThreadOrElseOfAnyOther) {
  EXPECT_EQ(describeCurrentWork(), "");
  {
    CurrentWork outer("reading the program");
    CurrentWork inner("making machine code");
    EXPECT_EQ(describeCurrentWork(), "a crash in making machine code");
    // Threads that LLVM works on have none of their own.
    EXPECT_EQ(describeOnAnotherThread(), "a crash in making machine code");
  }
  EXPECT_EQ(describeOnAnotherThread(), "");
}

} // namespace
