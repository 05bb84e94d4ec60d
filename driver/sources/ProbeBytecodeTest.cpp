//===- ProbeBytecodeTest.cpp - bytecode in hosts with threads -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/CApi.h"
#include "driver/Compiler.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <pthread.h>
#include <thread>

using namespace broadloom;

namespace {

std::string makeBytecode() {
  mlir::MLIRContext context;
  context.loadDialect<mlir::func::FuncDialect>();
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "func.func @f(%a: tensor<?xf32>) -> tensor<?xf32> {\n"
      "  return %a : tensor<?xf32>\n}\n",
      &context);
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  EXPECT_TRUE(succeeded(mlir::writeBytecodeToFile(*module, stream)));
  return bytes;
}

std::atomic<int> forks;

/// Another thread, as a host has them, and a count of the forks.
class Probe : public ::testing::Test {
protected:
  void SetUp() override {
    static const int counts = pthread_atfork([] { ++forks; }, nullptr, nullptr);
    ASSERT_EQ(counts, 0);
    other = std::thread([this] { end.get_future().wait(); });
    forks = 0;
  }
  void TearDown() override {
    end.set_value();
    other.join();
    unsetenv("BROADLOOM_PROBE");
  }
  /// The diagnostics; empty where the program is good.
  std::string compile(const std::string &bytes, CompileOptions options = {}) {
    Compiler compiler(options);
    return compiler.compile(Source::text(bytes, "model.mlirbc"))
               ? std::string()
               : compiler.diagnostics();
  }

  std::promise<void> end;
  std::thread other;
};

TEST_F(Probe, abi3_goodBytecodeWithoutAFork) {
  EXPECT_EQ(compile(makeBytecode()), "");
  EXPECT_EQ(forks, 0);
}

TEST_F(Probe, abi3_damagedBytecodeIsAnError) {
  std::string bytes = makeBytecode();
  int errors = 0;
  for (size_t at = 4; at < bytes.size(); at += 41) {
    std::string damaged = bytes;
    damaged[at] = char(damaged[at] ^ 0x5B);
    std::string diagnostics = compile(damaged);
    if (diagnostics.empty())
      continue;
    ++errors;
    EXPECT_NE(diagnostics.find("model.mlirbc"), std::string::npos)
        << diagnostics;
    EXPECT_NE(diagnostics.find("error: "), std::string::npos) << diagnostics;
  }
  EXPECT_GT(errors, 0);
  EXPECT_EQ(forks, 0);
}

TEST_F(Probe, theProgramIsWhereTheEnvironmentSays) {
  setenv("BROADLOOM_PROBE", "/nowhere/broadloom-probe", 1);
  EXPECT_EQ(compile(makeBytecode()),
            "model.mlirbc: error: bytecode is not read by a process of several "
            "threads without the program broadloom-probe, which cannot be "
            "started as /nowhere/broadloom-probe; say where it is by "
            "BROADLOOM_PROBE, or trust the bytecode\n");
}

TEST_F(Probe, trustedBytecodeIsReadAtOnce) {
  setenv("BROADLOOM_PROBE", "/nowhere/broadloom-probe", 1);
  CompileOptions options;
  options.trustBytecode = true;
  EXPECT_EQ(compile(makeBytecode(), options), "");

  BroadloomCompiler *compiler = broadloomCompilerCreate();
  broadloomCompilerTrustBytecode(compiler, 1);
  std::string bytes = makeBytecode();
  BroadloomModule *module =
      broadloomCompileText(compiler, bytes.data(), bytes.size(), "model");
  EXPECT_NE(module, nullptr) << broadloomDiagnostics(compiler);
  broadloomModuleDestroy(module);
  broadloomCompilerDestroy(compiler);
}

} // namespace
