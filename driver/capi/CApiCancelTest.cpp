//===- CApiCancelTest.cpp - cancelling through the C interface ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/lib/driver/CApiFixture.h"
#include "test/lib/driver/TestTensors.h"

#include <atomic>
#include <chrono>
#include <thread>

using namespace broadloom;
using namespace broadloom::test;

namespace {

TEST_F(CInterface, abi6_cancels_a_call) {
  // Without end: only another thread can end it.
  ASSERT_TRUE(compile(R"(
    func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
      %r = scf.while (%x = %a) : (tensor<?xf32>) -> tensor<?xf32> {
        %true = arith.constant true
        scf.condition(%true) %x : tensor<?xf32>
      } do {
      ^bb0(%x: tensor<?xf32>):
        %y = tosa.tanh %x : (tensor<?xf32>) -> tensor<?xf32>
        scf.yield %y : tensor<?xf32>
      }
      return %r : tensor<?xf32>
    })"))
      << diagnostics();
  BroadloomInvocation *call = broadloomInvocationCreate(module, nullptr);
  Floats a({4}, {1, 2, 3, 4});
  const BroadloomTensor *arguments[] = {&a.tensor};
  // A call that is not there cannot be cancelled.
  broadloomInvocationCancel(call);
  std::atomic<bool> ended{false};
  std::thread canceller([&] {
    while (!ended) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      broadloomInvocationCancel(call);
    }
  });
  EXPECT_EQ(broadloomInvocationRun(call, arguments, 1), BROADLOOM_CANCELLED);
  ended = true;
  canceller.join();
  EXPECT_STREQ(broadloomInvocationMessage(call), "the call was cancelled");
  broadloomInvocationDestroy(call);
}

TEST_F(CInterface, abi6_pauses_a_call) {
  ASSERT_TRUE(compile(R"(
    func.func @main(%a: memref<1xi64>, %n: index) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      scf.for %i = %c0 to %n step %c1 {
        %k = arith.index_cast %i : index to i64
        %x = memref.load %a[%c0] : memref<1xi64>
        %y = arith.muli %x, %k : i64
        %z = arith.addi %y, %k : i64
        memref.store %z, %a[%c0] : memref<1xi64>
      }
      return
    })"))
      << diagnostics();
  BroadloomInvocation *call = broadloomInvocationCreate(module, nullptr);
  int64_t number = 1, many = int64_t(1) << 62, one = 1;
  BroadloomTensor a, n;
  broadloomTensorBorrow(BROADLOOM_I64, 1, &one, nullptr, &number, &a);
  broadloomTensorBorrow(BROADLOOM_I64, 0, nullptr, nullptr, &many, &n);
  const BroadloomTensor *arguments[] = {&a, &n};
  // The third pause cancels the call; it runs on this thread.
  struct Pauses {
    std::thread::id thread = std::this_thread::get_id();
    int count = 0;
  } pauses;
  broadloomInvocationOnPause(
      call,
      [](void *context) {
        auto &pauses = *static_cast<Pauses *>(context);
        EXPECT_EQ(std::this_thread::get_id(), pauses.thread);
        return int32_t(++pauses.count == 3);
      },
      &pauses);
  std::atomic<bool> ended{false};
  std::thread other([&] {
    while (!ended) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      broadloomInvocationPause(call);
    }
  });
  EXPECT_EQ(broadloomInvocationRun(call, arguments, 2), BROADLOOM_CANCELLED);
  ended = true;
  other.join();
  EXPECT_EQ(pauses.count, 3);
  EXPECT_STREQ(broadloomInvocationMessage(call),
               "the call was cancelled; memory that it writes to has what was "
               "written until then");
  broadloomInvocationDestroy(call);
}

/// Many functions, which take seconds to compile.
std::string longProgram() {
  std::string text;
  for (int i = 0; i < 400; ++i) {
    std::string name = std::to_string(i);
    text +=
        "func.func @f" + name + "(%a: tensor<?x?xf32>) -> tensor<?x?xf32> {";
    std::string last = "%a";
    for (int k = 0; k < 20; ++k) {
      std::string next = "%r" + std::to_string(k);
      text += next + " = tosa." + (k % 2 ? "exp " : "sigmoid ") + last +
              " : (tensor<?x?xf32>) -> tensor<?x?xf32>\n";
      last = next;
    }
    text += "return " + last + " : tensor<?x?xf32> }\n";
  }
  return text;
}

TEST_F(CInterface, abi6_cancels_a_compilation) {
  std::string text = longProgram();
  std::atomic<bool> ended{false};
  std::thread canceller([&] {
    while (!ended) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      broadloomCompilerCancel(compiler);
    }
  });
  EXPECT_FALSE(compile(text.c_str()));
  ended = true;
  canceller.join();
  EXPECT_EQ(broadloomCompileStatus(compiler), BROADLOOM_CANCELLED);
  EXPECT_EQ(diagnostics(), "error: the compilation was cancelled\n");
  // A later one begins anew, whenever it was cancelled before.
  broadloomCompilerCancel(compiler);
  EXPECT_TRUE(compile(kAdd)) << diagnostics();
  EXPECT_EQ(broadloomCompileStatus(compiler), BROADLOOM_OK);
}

// The sanitizers tell where the canceller looks at a deleted object.
TEST_F(CInterface, CancelsWhileOptionsAreSet) {
  std::atomic<bool> ended{false};
  std::thread canceller([&] {
    while (!ended) {
      broadloomCompilerCancel(compiler);
      std::this_thread::yield();
    }
  });
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(broadloomCompilerSetOption(compiler, "strategy", "default"),
              BROADLOOM_OK);
    broadloomCompilerTrustBytecode(compiler, i % 2);
  }
  ended = true;
  canceller.join();
  EXPECT_TRUE(compile(kAdd)) << diagnostics();
}

} // namespace
