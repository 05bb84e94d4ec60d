//===- JitSymbolsTest.cpp -------------------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/JitSymbols.h"
#include "codegen/machine/MachineCode.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ExecutionEngine/Orc/TargetProcess/JITLoaderGDB.h"
#include "gtest/gtest.h"

#include <cstdlib>

using namespace broadloom;

/// Where GDB looks.
extern "C" jit_descriptor __jit_debug_descriptor;

namespace {

void load(const char *request) {
  setenv("BROADLOOM_JIT_SYMBOLS", request, /*overwrite=*/1);
  mlir::DialectRegistry registry;
  registry.insert<mlir::LLVM::LLVMDialect>();
  codegen::registerLLVMTranslations(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "llvm.func @broadloom_seven() -> i32 {\n"
      "  %0 = llvm.mlir.constant(7 : i32) : i32\n"
      "  llvm.return %0 : i32\n"
      "}\n",
      &context);
  auto objects = codegen::compileObjects(*module);
  ASSERT_TRUE(bool(objects));
  auto code = codegen::LoadedCode::load(objects->objects);
  ASSERT_TRUE(bool(code));
  auto seven = (*code)->lookup("broadloom_seven");
  ASSERT_TRUE(bool(seven));
  bool isTold = __jit_debug_descriptor.first_entry != nullptr;
  EXPECT_EQ(isTold, llvm::StringRef(request).contains("gdb"));
  unsetenv("BROADLOOM_JIT_SYMBOLS");
}

TEST(JitSymbolsTest, GdbIsToldOnRequest) {
  load("");
  load("gdb");
}

TEST(JitSymbolsTest, RequestsAreChecked) {
  setenv("BROADLOOM_JIT_SYMBOLS", "perf,gdb", 1);
  EXPECT_EQ(codegen::checkSymbolRequest(), "");
  setenv("BROADLOOM_JIT_SYMBOLS", "gdb,prof", 1);
  EXPECT_EQ(codegen::checkSymbolRequest(),
            "BROADLOOM_JIT_SYMBOLS has 'prof' in the environment; there are "
            "perf and gdb");
  unsetenv("BROADLOOM_JIT_SYMBOLS");
}

} // namespace
