//===- CompilerTest.cpp - compiling and calling from C++ and C ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/CApi.h"
#include "runtime/memory/Allocator.h"
#include "test/lib/driver/TestTensors.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <thread>

using namespace broadloom;

namespace {

constexpr const char *kAdd = R"(
func.func @main(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = tosa.add %a, %b : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}
)";

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
  auto module = compiler.compileText(kAdd, "add.mlir");
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
  auto module = compiler.compileText(kAdd, "add.mlir");
  ASSERT_TRUE(module) << compiler.diagnostics();
  Invocation call(*module, *module->function());
  Floats a({4, 3}, std::vector<float>(12)), b({4, 2}, std::vector<float>(8));
  EXPECT_EQ(call.run({&a.tensor, &b.tensor}), BROADLOOM_GUARD_FAILED);
  EXPECT_EQ(call.message(),
            "add.mlir:3:8: 'tosa.add': operands are not broadcast-compatible "
            "along axis 1: extents 3 and 2 (operand shapes 4x3 and 4x2; extent "
            "3 is axis 1 of argument 0, extent 2 is axis 1 of argument 1)");
}

TEST(Compiler, rt1_outputs_are_untouched_when_a_guard_fails) {
  Compiler compiler;
  auto module = compiler.compileText(kAdd, "add.mlir");
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
    auto module = compiler.compileText(text, "power.mlir");
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
  auto module = compiler.compileText(kAdd, "add.mlir");
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
  auto module = compiler.compileText(kAdd, "add.mlir");
  ASSERT_TRUE(module) << compiler.diagnostics();
  Invocation call(*module, *module->function());
  Floats a({2, 2}, {1, 2, 3, 4}), vector({2}, {1, 2});
  EXPECT_EQ(call.run({&a.tensor}), BROADLOOM_INVALID_ARGUMENT);
  EXPECT_EQ(call.message(), "1 argument is given, but 'main' takes 2 "
                            "arguments: tensor<?x?xf32>, tensor<?x?xf32>");
  EXPECT_EQ(call.run({&a.tensor, &vector.tensor}), BROADLOOM_INVALID_ARGUMENT);
  EXPECT_EQ(call.message(),
            "argument 1 has shape 2 but the function takes ?x?");
  BroadloomTensor integers = a.tensor;
  integers.elementType = BROADLOOM_I32;
  EXPECT_EQ(call.run({&integers, &a.tensor}), BROADLOOM_INVALID_ARGUMENT);
  EXPECT_EQ(call.message(),
            "argument 0 has element type i32 but the function takes f32");
}

TEST(Compiler, strided_arguments_are_read_as_they_are) {
  Compiler compiler;
  auto module = compiler.compileText(kAdd, "add.mlir");
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
  auto module = compiler.compileText(R"(
func.func @main(%a: tensor<?x?x?x?xf32>, %b: tensor<?x?x?x?xf32>, %c: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %0 = tosa.add %a, %b : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %1 = tosa.exp %0 : (tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %2 = tosa.add %1, %c : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  return %2 : tensor<?x?x?x?xf32>
}
)",
                                     "rank4.mlir");
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
  auto module = compiler.compileText(kAdd, "add.mlir");
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
  auto module = compiler.compileText(kAdd, "add.mlir");
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

TEST(Compiler, errors_have_the_files_name_and_position) {
  Compiler compiler;
  EXPECT_FALSE(compiler.compileText("func.func @f(", "broken.mlir"));
  EXPECT_EQ(compiler.diagnostics().rfind("broken.mlir:1:", 0), 0u)
      << compiler.diagnostics();
  EXPECT_FALSE(compiler.compileFile("/no/such/file.mlir"));
  EXPECT_EQ(compiler.diagnostics(),
            "/no/such/file.mlir: error: cannot be read: No such file or "
            "directory\n");
  // A compiler that has rejected a program compiles the next.
  EXPECT_TRUE(compiler.compileText(kAdd, "add.mlir"));
  EXPECT_EQ(compiler.diagnostics(), "");
}

TEST(Compiler, functions_are_chosen_by_name) {
  Compiler compiler;
  auto module = compiler.compileText(R"(
    func.func @exp(%a: tensor<?xf32>) -> tensor<?xf32> {
      return %a : tensor<?xf32>
    }
    func.func @other(%a: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
      return %a, %a : tensor<f32>, tensor<f32>
    }
    func.func private @hidden()
  )",
                                     "two.mlir");
  ASSERT_TRUE(module) << compiler.diagnostics();
  EXPECT_EQ(module->functions().size(), 2u);
  EXPECT_EQ(module->function(), nullptr);
  EXPECT_EQ(module->function("hidden"), nullptr);
  ASSERT_NE(module->function("exp"), nullptr);
  // A result that is an argument is a copy: the caller owns it.
  Invocation call(*module, *module->function("other"));
  Floats scalar({}, {5});
  ASSERT_EQ(call.run({&scalar.tensor}), BROADLOOM_OK);
  EXPECT_EQ(take(call, 0), std::vector<float>{5});
  EXPECT_EQ(take(call, 1), std::vector<float>{5});

  // Without a name there is no telling which; every call says so.
  Invocation none(*module);
  std::vector<BroadloomShape> shapes;
  EXPECT_EQ(none.run({&scalar.tensor}), BROADLOOM_INVALID_ARGUMENT);
  EXPECT_EQ(none.message(),
            "the program has several functions and none is 'main'; name one of "
            "them: exp, other");
  EXPECT_EQ(none.resultShapes({&scalar.tensor}, shapes),
            BROADLOOM_INVALID_ARGUMENT);
  Invocation hidden(*module, "hidden");
  EXPECT_EQ(hidden.run({&scalar.tensor}), BROADLOOM_INVALID_ARGUMENT);
  EXPECT_EQ(hidden.message(),
            "the program has no function 'hidden'; it has: exp, other");
}

TEST(Compiler, programs_are_refused_before_code_is_made) {
  CompileOptions options;
  std::vector<std::string> names;
  options.accept = [&](const std::vector<FunctionSignature> &functions) {
    for (const FunctionSignature &function : functions)
      names.push_back(function.name);
    return false;
  };
  Compiler compiler(options);
  EXPECT_EQ(compiler.compileText(kAdd, "add.mlir"), nullptr);
  EXPECT_EQ(compiler.diagnostics(), "");
  EXPECT_EQ(names, std::vector<std::string>{"main"});
}

TEST(CApi, compiles_calls_and_reports) {
  BroadloomCompiler *compiler = broadloomCompilerCreate();
  BroadloomModule *module =
      broadloomCompileText(compiler, kAdd, std::strlen(kAdd), "add.mlir");
  ASSERT_NE(module, nullptr) << broadloomDiagnostics(compiler);
  EXPECT_EQ(broadloomInvocationCreate(module, "nobody"), nullptr);
  BroadloomInvocation *call = broadloomInvocationCreate(module, nullptr);
  ASSERT_NE(call, nullptr);
  EXPECT_EQ(broadloomInvocationNumArguments(call), 2);
  EXPECT_EQ(broadloomInvocationNumResults(call), 1);
  broadloomInvocationSetThreads(call, 1);
  Floats a({1, 2}, {1, 2}), b({1, 3}, {1, 2, 3}), out({1, 2}, {0, 0});
  const BroadloomTensor *good[] = {&a.tensor, &a.tensor};
  const BroadloomTensor *bad[] = {&a.tensor, &b.tensor};
  ASSERT_EQ(broadloomInvocationSetOutput(call, 0, &out.tensor), BROADLOOM_OK);
  EXPECT_EQ(broadloomInvocationRun(call, good, 2), BROADLOOM_OK);
  EXPECT_EQ(out.values, (std::vector<float>{2, 4}));
  EXPECT_EQ(broadloomInvocationRun(call, bad, 2), BROADLOOM_GUARD_FAILED);
  EXPECT_NE(std::strstr(broadloomInvocationMessage(call), "extents 2 and 3"),
            nullptr);
  // What C cannot rule out by types.
  const BroadloomTensor *missing[] = {&a.tensor, nullptr};
  EXPECT_EQ(broadloomInvocationRun(call, missing, 2),
            BROADLOOM_INVALID_ARGUMENT);
  EXPECT_STREQ(broadloomInvocationMessage(call), "argument 1 is null");
  BroadloomShape shape;
  EXPECT_EQ(broadloomInvocationShapes(call, missing, 2, &shape),
            BROADLOOM_INVALID_ARGUMENT);
  EXPECT_STREQ(broadloomInvocationMessage(call), "argument 1 is null");
  BroadloomTensor result;
  EXPECT_EQ(broadloomInvocationTakeResult(call, 3, &result),
            BROADLOOM_INVALID_ARGUMENT);
  EXPECT_STREQ(broadloomInvocationMessage(call),
               "result 3 is not there: no call has succeeded since it was "
               "taken, or the function has fewer results");
  EXPECT_EQ(broadloomInvocationTakeResult(call, 0, nullptr),
            BROADLOOM_INVALID_ARGUMENT);
  EXPECT_STREQ(broadloomInvocationMessage(call),
               "there is no tensor to take result 0 into: it is null");
  broadloomInvocationDestroy(call);
  broadloomModuleDestroy(module);
  EXPECT_EQ(broadloomCompileText(compiler, "?", 1, "x.mlir"), nullptr);
  EXPECT_NE(std::strstr(broadloomDiagnostics(compiler), "x.mlir:1:1: error"),
            nullptr);
  broadloomCompilerDestroy(compiler);
}

TEST(Compiler, sf5_checkLibraryText) {
  std::string text = R"(
    func.func @twice(%x: f32) -> f32 attributes {loom.implements = "my.twice"} {
      %r = arith.addf %x, %x : f32
      return %r : f32
    })";
  Compiler compiler;
  EXPECT_TRUE(compiler.checkLibraryText(text, "mine.mlir"))
      << compiler.diagnostics();
  EXPECT_EQ(compiler.status(), BROADLOOM_OK);
  size_t at = text.find("return %r");
  text.replace(at, 9, "return %q");
  EXPECT_FALSE(compiler.checkLibraryText(text, "mine.mlir"));
  EXPECT_NE(compiler.diagnostics().find(
                "mine.mlir:4:14: error: use of undeclared SSA value name"),
            std::string::npos)
      << compiler.diagnostics();
}

TEST(CApi, sf5_shapeLibraries) {
  std::string library = ::testing::TempDir() + "sf5_shape_library.mlir";
  std::ofstream(library) << R"(
    func.func @twice(%x: f32) -> f32
        attributes {loom.implements = "tosa.custom:mine:twice"} {
      %r = arith.addf %x, %x : f32
      return %r : f32
    })";
  const char *const program = R"(
    func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {
      %0 = tosa.custom %a {domain_name = "mine", implementation_attrs = "",
          operator_name = "twice"} : (tensor<?xf32>) -> tensor<?xf32>
      return %0 : tensor<?xf32>
    })";
  BroadloomCompiler *compiler = broadloomCompilerCreate();
  EXPECT_EQ(
      broadloomCompileText(compiler, program, std::strlen(program), "p.mlir"),
      nullptr);
  EXPECT_NE(std::strstr(broadloomDiagnostics(compiler),
                        "without a reference implementation"),
            nullptr);
  broadloomCompilerAddShapeLibrary(compiler, library.c_str());
  BroadloomModule *module =
      broadloomCompileText(compiler, program, std::strlen(program), "p.mlir");
  ASSERT_NE(module, nullptr) << broadloomDiagnostics(compiler);
  BroadloomInvocation *call = broadloomInvocationCreate(module, nullptr);
  ASSERT_NE(call, nullptr);
  Floats a({2}, {1, 2}), out({2}, {0, 0});
  const BroadloomTensor *inputs[] = {&a.tensor};
  ASSERT_EQ(broadloomInvocationSetOutput(call, 0, &out.tensor), BROADLOOM_OK);
  EXPECT_EQ(broadloomInvocationRun(call, inputs, 1), BROADLOOM_OK);
  EXPECT_EQ(out.values, (std::vector<float>{2, 4}));
  broadloomInvocationDestroy(call);
  broadloomModuleDestroy(module);
  // What cannot be read is told when a program is compiled.
  broadloomCompilerAddShapeLibrary(compiler, "/nowhere/library.mlir");
  EXPECT_EQ(
      broadloomCompileText(compiler, program, std::strlen(program), "p.mlir"),
      nullptr);
  EXPECT_NE(std::strstr(broadloomDiagnostics(compiler),
                        "cannot read shape library '/nowhere/library.mlir'"),
            nullptr);
  broadloomCompilerDestroy(compiler);
  std::remove(library.c_str());
}

/// abi-5: whose fault it is.
TEST(Compiler, abi5_status_of_the_last_program) {
  Compiler good;
  EXPECT_NE(good.compileText(kAdd, "add.mlir"), nullptr);
  EXPECT_EQ(good.status(), BROADLOOM_OK);
  EXPECT_EQ(good.compileText("func.func @main(", "bad.mlir"), nullptr);
  EXPECT_EQ(good.status(), BROADLOOM_INVALID_ARGUMENT);
  EXPECT_EQ(good.compileFile("/nowhere/program.mlir"), nullptr);
  EXPECT_EQ(good.status(), BROADLOOM_INVALID_ARGUMENT);

  CompileOptions options;
  options.provokedBug = "loom-bufferize";
  Compiler broken(options);
  EXPECT_EQ(broken.compileText(kAdd, "add.mlir"), nullptr);
  EXPECT_EQ(broken.status(), BROADLOOM_INTERNAL_ERROR);
  EXPECT_NE(
      broken.diagnostics().find("error: this is a bug in broadloom: pass "
                                "'loom-bufferize' fails on 'builtin.module'"),
      std::string::npos)
      << broken.diagnostics();
  // The next program is one of its own.
  EXPECT_EQ(broken.compileText("func.func @main(", "bad.mlir"), nullptr);
  EXPECT_EQ(broken.status(), BROADLOOM_INVALID_ARGUMENT);

  BroadloomCompiler *compiler = broadloomCompilerCreate();
  EXPECT_EQ(broadloomCompileText(compiler, "func", 4, "bad.mlir"), nullptr);
  EXPECT_EQ(broadloomCompileStatus(compiler), BROADLOOM_INVALID_ARGUMENT);
  BroadloomModule *module =
      broadloomCompileText(compiler, kAdd, std::strlen(kAdd), "add.mlir");
  EXPECT_EQ(broadloomCompileStatus(compiler), BROADLOOM_OK);
  broadloomModuleDestroy(module);
  broadloomCompilerDestroy(compiler);
}

/// No more errors are told than requested.
TEST(Compiler, errorLimit) {
  std::string text = "func.func @main() {\n";
  for (int i = 0; i < 30; ++i)
    text += "  \"tosa.add\"() : () -> ()\n";
  text += "  return\n}\n";
  auto countErrors = [&](unsigned limit) {
    CompileOptions options;
    options.errorLimit = limit;
    Compiler compiler(options);
    EXPECT_EQ(compiler.compileText(text, "p.mlir"), nullptr);
    size_t count = 0;
    for (size_t at = 0;
         (at = compiler.diagnostics().find("error: ", at)) != std::string::npos;
         ++at)
      ++count;
    return count;
  };
  EXPECT_EQ(countErrors(20), 20u);
  EXPECT_EQ(countErrors(5), 5u);
  EXPECT_EQ(countErrors(0), 30u);
}

} // namespace
