//===- CompilerTest.cpp - what is compiled and refused, from C++ and C ----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/CApi.h"
#include "test/lib/driver/AddProgram.h"
#include "test/lib/driver/TestTensors.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <fstream>

using namespace broadloom;

namespace {

TEST(Compiler, errors_have_the_files_name_and_position) {
  Compiler compiler;
  EXPECT_FALSE(compiler.compile(Source::text("func.func @f(", "broken.mlir")));
  EXPECT_EQ(compiler.diagnostics().rfind("broken.mlir:1:", 0), 0u)
      << compiler.diagnostics();
  EXPECT_FALSE(compiler.compile(Source::file("/no/such/file.mlir")));
  EXPECT_EQ(compiler.diagnostics(),
            "/no/such/file.mlir: error: cannot be read: No such file or "
            "directory\n");
  // A compiler that has rejected a program compiles the next.
  EXPECT_TRUE(compiler.compile(Source::text(kAdd, "add.mlir")));
  EXPECT_EQ(compiler.diagnostics(), "");
}

TEST(Compiler, functions_are_chosen_by_name) {
  Compiler compiler;
  auto module = compiler.compile(Source::text(R"(
    func.func @exp(%a: tensor<?xf32>) -> tensor<?xf32> {
      return %a : tensor<?xf32>
    }
    func.func @other(%a: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
      return %a, %a : tensor<f32>, tensor<f32>
    }
    func.func private @hidden()
  )",
                                              "two.mlir"));
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
  EXPECT_EQ(compiler.compile(Source::text(kAdd, "add.mlir")), nullptr);
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
  EXPECT_STREQ(broadloomInvocationMessage(call), "argument 'b' is null");
  BroadloomShape shape;
  EXPECT_EQ(broadloomInvocationShapes(call, missing, 2, &shape),
            BROADLOOM_INVALID_ARGUMENT);
  EXPECT_STREQ(broadloomInvocationMessage(call), "argument 'b' is null");
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

TEST(Compiler, sf5_checkLibrary) {
  std::string text = R"(
    func.func @twice(%x: f32) -> f32 attributes {loom.implements = "my.twice"} {
      %r = arith.addf %x, %x : f32
      return %r : f32
    })";
  Compiler compiler;
  EXPECT_TRUE(compiler.checkLibrary(Source::text(text, "mine.mlir")))
      << compiler.diagnostics();
  EXPECT_EQ(compiler.status(), BROADLOOM_OK);
  size_t at = text.find("return %r");
  text.replace(at, 9, "return %q");
  EXPECT_FALSE(compiler.checkLibrary(Source::text(text, "mine.mlir")));
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
  EXPECT_NE(good.compile(Source::text(kAdd, "add.mlir")), nullptr);
  EXPECT_EQ(good.status(), BROADLOOM_OK);
  EXPECT_EQ(good.compile(Source::text("func.func @main(", "bad.mlir")),
            nullptr);
  EXPECT_EQ(good.status(), BROADLOOM_INVALID_ARGUMENT);
  EXPECT_EQ(good.compile(Source::file("/nowhere/program.mlir")), nullptr);
  EXPECT_EQ(good.status(), BROADLOOM_INVALID_ARGUMENT);

  CompileOptions options;
  options.provokedBug = "loom-bufferize";
  Compiler broken(options);
  EXPECT_EQ(broken.compile(Source::text(kAdd, "add.mlir")), nullptr);
  EXPECT_EQ(broken.status(), BROADLOOM_INTERNAL_ERROR);
  EXPECT_NE(
      broken.diagnostics().find("error: this is a bug in broadloom: pass "
                                "'loom-bufferize' fails on 'builtin.module'"),
      std::string::npos)
      << broken.diagnostics();
  // The next program is one of its own.
  EXPECT_EQ(broken.compile(Source::text("func.func @main(", "bad.mlir")),
            nullptr);
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
    EXPECT_EQ(compiler.compile(Source::text(text, "p.mlir")), nullptr);
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
