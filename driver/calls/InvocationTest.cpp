//===- InvocationTest.cpp - calls of compiled functions from C++ ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Compiler.h"
#include "runtime/memory/Allocator.h"
#include "test/lib/driver/AddProgram.h"
#include "test/lib/driver/TestTensors.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

using namespace broadloom;

namespace {

/// Kilobytes of memory that this process holds.
long residentKilobytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmRSS:", 0) == 0)
      return std::stol(line.substr(6));
  return 0;
}

TEST(Compiler, rt7_one_function_for_every_shape) {
  Compiler compiler;
  auto module = compiler.compile(Source::text(kAdd, "add.mlir"));
  ASSERT_TRUE(module) << compiler.diagnostics();
  Invocation call(*module, *module->function());
  Floats a({2, 3}, {1, 2, 3, 4, 5, 6}), row({1, 3}, {10, 20, 30}),
      column({2, 1}, {100, 200});
  ASSERT_EQ(call.run({&a.tensor, &row.tensor}), BROADLOOM_OK);
  EXPECT_EQ(take(call, 0), (std::vector<float>{11, 22, 33, 14, 25, 36}));
  ASSERT_EQ(call.run({&column.tensor, &row.tensor}), BROADLOOM_OK);
  EXPECT_EQ(take(call, 0), (std::vector<float>{110, 120, 130, 210, 220, 230}));
}

TEST(Compiler, rt2_message_of_a_failed_guard) {
  Compiler compiler;
  auto module = compiler.compile(Source::text(kAdd, "add.mlir"));
  ASSERT_TRUE(module) << compiler.diagnostics();
  Invocation call(*module, *module->function());
  Floats a({4, 3}, std::vector<float>(12)), b({4, 2}, std::vector<float>(8));
  EXPECT_EQ(call.run({&a.tensor, &b.tensor}), BROADLOOM_GUARD_FAILED);
  EXPECT_EQ(call.message(),
            "add.mlir:3:8: 'tosa.add': operands are not broadcast-compatible "
            "along axis 1: extents 3 and 2 (operand shapes 4x3 and 4x2; extent "
            "3 is axis 1 of argument 'a', extent 2 is axis 1 of argument 'b')");
}

TEST(Compiler, rt1_outputs_are_untouched_when_a_guard_fails) {
  Compiler compiler;
  auto module = compiler.compile(Source::text(kAdd, "add.mlir"));
  ASSERT_TRUE(module) << compiler.diagnostics();
  Invocation call(*module, *module->function());
  Floats a({1, 3}, {1, 2, 3}), b({1, 2}, {1, 2}), out({1, 3}, {7, 8, 9});
  ASSERT_EQ(call.setOutput(0, &out.tensor), BROADLOOM_OK);
  EXPECT_EQ(call.run({&a.tensor, &b.tensor}), BROADLOOM_GUARD_FAILED);
  EXPECT_EQ(out.values, (std::vector<float>{7, 8, 9}));
  EXPECT_EQ(call.run({&a.tensor, &a.tensor}), BROADLOOM_OK);
  EXPECT_EQ(out.values, (std::vector<float>{2, 4, 6}));
}

TEST(Compiler, code_that_is_not_optimised_computes_the_same_bits) {
  const char *text = R"(
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tosa.tanh %a : (tensor<?xf32>) -> tensor<?xf32>
  %1 = tosa.pow %b, %0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %2 = tosa.reduce_sum %1 {axis = 0 : i32} : (tensor<?xf32>) -> tensor<1xf32>
  %3 = tosa.sub %1, %2 : (tensor<?xf32>, tensor<1xf32>) -> tensor<?xf32>
  return %3 : tensor<?xf32>
}
)";
  std::vector<float> numbers(1000);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = 0.01f * float(i);
  std::vector<float> found[2];
  for (bool optimise : {false, true}) {
    CompileOptions options;
    options.optimiseCode = optimise;
    Compiler compiler(options);
    auto module = compiler.compile(Source::text(text, "power.mlir"));
    ASSERT_TRUE(module) << compiler.diagnostics();
    Invocation call(*module, *module->function());
    Floats a({1000}, numbers), out({1000}, numbers);
    ASSERT_EQ(call.setOutput(0, &out.tensor), BROADLOOM_OK);
    ASSERT_EQ(call.run({&a.tensor, &a.tensor}), BROADLOOM_OK) << call.message();
    found[optimise] = out.values;
  }
  EXPECT_EQ(found[0], found[1]);
}

TEST(Compiler, outputs_of_the_caller_that_do_not_fit) {
  Compiler compiler;
  auto module = compiler.compile(Source::text(kAdd, "add.mlir"));
  ASSERT_TRUE(module) << compiler.diagnostics();
  Invocation call(*module, *module->function());
  Floats a({1, 3}, {1, 2, 3}), out({1, 2}, {7, 8});
  ASSERT_EQ(call.setOutput(0, &out.tensor), BROADLOOM_OK);
  EXPECT_EQ(call.run({&a.tensor, &a.tensor}), BROADLOOM_INVALID_ARGUMENT);
  EXPECT_NE(call.message().find("1x2"), std::string::npos) << call.message();
  EXPECT_EQ(out.values, (std::vector<float>{7, 8}));
}

TEST(Compiler, arguments_that_do_not_fit) {
  Compiler compiler;
  auto module = compiler.compile(Source::text(kAdd, "add.mlir"));
  ASSERT_TRUE(module) << compiler.diagnostics();
  Invocation call(*module, *module->function());
  Floats a({2, 2}, {1, 2, 3, 4}), vector({2}, {1, 2});
  EXPECT_EQ(call.run({&a.tensor}), BROADLOOM_INVALID_ARGUMENT);
  EXPECT_EQ(call.message(),
            "1 argument is given, but 'main' takes 2 "
            "arguments: a: tensor<?x?xf32>, b: tensor<?x?xf32>");
  EXPECT_EQ(call.run({&a.tensor, &vector.tensor}), BROADLOOM_INVALID_ARGUMENT);
  EXPECT_EQ(call.message(),
            "argument 'b' has shape 2 but the function takes ?x?");
  BroadloomTensor integers = a.tensor;
  integers.elementType = BROADLOOM_I32;
  EXPECT_EQ(call.run({&integers, &a.tensor}), BROADLOOM_INVALID_ARGUMENT);
  EXPECT_EQ(call.message(),
            "argument 'a' has element type i32 but the function takes f32");
}

TEST(Compiler, strided_arguments_are_read_as_they_are) {
  Compiler compiler;
  auto module = compiler.compile(Source::text(kAdd, "add.mlir"));
  ASSERT_TRUE(module) << compiler.diagnostics();
  Invocation call(*module, *module->function());
  std::vector<float> values = {1, 2, 3, 4, 5, 6};
  int64_t extents[] = {2, 3}, transposed[] = {1, 2}, backwards[] = {-3, -1};
  BroadloomTensor a, b;
  broadloomTensorBorrow(BROADLOOM_F32, 2, extents, transposed, values.data(),
                        &a); // 1 3 5, 2 4 6
  broadloomTensorBorrow(BROADLOOM_F32, 2, extents, backwards, values.data() + 5,
                        &b); // 6 5 4, 3 2 1
  ASSERT_EQ(call.run({&a, &b}), BROADLOOM_OK);
  EXPECT_EQ(take(call, 0), (std::vector<float>{7, 8, 9, 5, 6, 7}));
}

TEST(Compiler, warm_calls_allocate_nothing) {
  Compiler compiler;
  auto module = compiler.compile(Source::text(R"(
func.func @main(%a: tensor<?x?x?x?xf32>, %b: tensor<?x?x?x?xf32>, %c: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %0 = tosa.add %a, %b : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %1 = tosa.exp %0 : (tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %2 = tosa.add %1, %c : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  return %2 : tensor<?x?x?x?xf32>
}
)",
                                              "rank4.mlir"));
  ASSERT_TRUE(module) << compiler.diagnostics();
  Invocation call(*module, *module->function());
  call.setThreads(1);
  Floats a({4, 5, 6, 64}, std::vector<float>(7680, 1)),
      b({4, 1, 6, 1}, std::vector<float>(24, -1)),
      c({1, 1, 6, 64}, std::vector<float>(384, 2)),
      out({4, 5, 6, 64}, std::vector<float>(7680));
  ASSERT_EQ(call.setOutput(0, &out.tensor), BROADLOOM_OK);
  std::vector<const BroadloomTensor *> arguments = {&a.tensor, &b.tensor,
                                                    &c.tensor};
  // What a call keeps for the next one is there after the first.
  ASSERT_EQ(call.run(arguments), BROADLOOM_OK) << call.message();
  size_t before = allocations;
  MemoryUse use = memoryUse();
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(call.run(arguments), BROADLOOM_OK);
  EXPECT_EQ(allocations, before);
  // Buffers are those of the call before, from the cache.
  EXPECT_EQ(memoryUse().used, use.used);
  EXPECT_EQ(memoryUse().cached, use.cached);
  EXPECT_EQ(out.values.back(), 3);
}

TEST(Compiler, several_threads_call_at_once) {
  Compiler compiler;
  auto module = compiler.compile(Source::text(kAdd, "add.mlir"));
  ASSERT_TRUE(module) << compiler.diagnostics();
  std::vector<std::thread> threads;
  std::vector<int> wrong(4);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      Invocation call(*module, *module->function());
      Floats a({t + 1, 3}, std::vector<float>(3 * (t + 1), float(t)));
      Floats row({1, 3}, {1, 2, 3}), bad({1, 2}, {1, 2});
      for (int i = 0; i < 500; ++i) {
        if (call.run({&a.tensor, &row.tensor}) != BROADLOOM_OK ||
            take(call, 0)[2] != float(t) + 3)
          ++wrong[t];
        if (call.run({&a.tensor, &bad.tensor}) != BROADLOOM_GUARD_FAILED)
          ++wrong[t];
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4));
}

TEST(Compiler, rt2_a_million_failing_calls_leak_nothing) {
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "the sanitizer keeps what has been freed for a while";
#endif
  Compiler compiler;
  auto module = compiler.compile(Source::text(kAdd, "add.mlir"));
  ASSERT_TRUE(module) << compiler.diagnostics();
  Invocation call(*module, *module->function());
  Floats a({4, 3}, std::vector<float>(12)), b({4, 2}, std::vector<float>(8));
  for (int i = 0; i < 1000; ++i)
    call.run({&a.tensor, &b.tensor});
  long before = residentKilobytes();
  for (int i = 0; i < 1000000; ++i)
    ASSERT_EQ(call.run({&a.tensor, &b.tensor}), BROADLOOM_GUARD_FAILED);
  EXPECT_LT(residentKilobytes(), before + 1024);
}

} // namespace
