//===- SplitModuleTest.cpp - which functions move to other modules --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/SplitModule.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace broadloom::codegen {
namespace {

std::string makeFunction(unsigned number, unsigned length,
                         const std::string &rest) {
  std::string text = "llvm.func internal @f" + std::to_string(number) +
                     "(%x: i64) attributes {passthrough = [\"noinline\"]} {\n";
  for (unsigned i = 0; i < length; ++i)
    text += "  %" + std::to_string(i) + " = llvm.add %x, %x : i64\n";
  return text + rest + "  llvm.return\n}\n";
}

std::string makeProgram(unsigned length) {
  return "llvm.mlir.global internal constant @text(\"one\")\n"
         "llvm.mlir.global internal constant @unused(\"two\")\n"
         "llvm.mlir.global internal @state(0 : i64) : i64\n"
         "llvm.mlir.global internal constant @site() : !llvm.ptr {\n"
         "  %0 = llvm.mlir.addressof @text : !llvm.ptr\n"
         "  llvm.return %0 : !llvm.ptr\n"
         "}\n"
         "llvm.func internal @inlined() { llvm.return }\n"
         "llvm.func internal @caller() { llvm.call @inlined() : () -> ()\n"
         "  llvm.return\n"
         "}\n"
         "llvm.func @main(%x: i64) { llvm.call @f0(%x) : (i64) -> ()\n"
         "  llvm.call @f1(%x) : (i64) -> ()\n"
         "  llvm.return\n"
         "}\n" +
         makeFunction(0, length,
                      "  %s = llvm.mlir.addressof @site : !llvm.ptr\n"
                      "  llvm.call @f1(%x) : (i64) -> ()\n") +
         makeFunction(1, length,
                      "  %s = llvm.mlir.addressof @state : !llvm.ptr\n");
}

struct SplitModule : testing::Test {
  OwningOpRef<ModuleOp> parse(unsigned length) {
    context.loadDialect<LLVM::LLVMDialect>();
    return parseSourceString<ModuleOp>(makeProgram(length), &context);
  }
  MLIRContext context;
};

// Each moves once, with a copy of the constants that it refers to; what can be
// written to stays where it is, under a name that all modules see.
TEST_F(SplitModule, FunctionsOfLongProgramsMove) {
  OwningOpRef<ModuleOp> module = parse(4000);
  ASSERT_TRUE(module);
  auto parts = splitModule(*module);
  ASSERT_EQ(parts.size(), 2u);
  for (OwningOpRef<ModuleOp> &part : parts)
    EXPECT_TRUE(succeeded(verify(*part)));
  ASSERT_TRUE(succeeded(verify(*module)));

  SymbolTable first(*parts[0]), second(*parts[1]), rest(*module);
  EXPECT_FALSE(first.lookup<LLVM::LLVMFuncOp>("f0").isExternal());
  EXPECT_TRUE(first.lookup<LLVM::LLVMFuncOp>("f1").isExternal());
  EXPECT_FALSE(second.lookup<LLVM::LLVMFuncOp>("f1").isExternal());
  EXPECT_TRUE(rest.lookup<LLVM::LLVMFuncOp>("f0").isExternal());
  EXPECT_TRUE(first.lookup("site") && first.lookup("text"));
  EXPECT_FALSE(rest.lookup("site") || rest.lookup("text") ||
               rest.lookup("unused"));
  auto state = rest.lookup<LLVM::GlobalOp>("state"),
       declared = second.lookup<LLVM::GlobalOp>("state");
  EXPECT_EQ(state.getLinkage(), LLVM::Linkage::External);
  EXPECT_TRUE(state.getValueOrNull());
  EXPECT_FALSE(declared.getValueOrNull());
  // What LLVM inlines stays together.
  EXPECT_FALSE(rest.lookup<LLVM::LLVMFuncOp>("inlined").isExternal());
  EXPECT_FALSE(rest.lookup<LLVM::LLVMFuncOp>("caller").isExternal());
}

// Sequences of calls, and what is rarely called and not optimised, are in parts
// that LLVM does not optimise: as many operations between calls are not.
TEST_F(SplitModule, GlueHasPartsOfItsOwn) {
  auto function = [](unsigned number, unsigned calls, unsigned between,
                     StringRef attributes) {
    std::string text = ("llvm.func internal @f" + Twine(number) +
                        "(%x: i64) attributes {passthrough = [\"noinline\"" +
                        attributes + "]} {\n")
                           .str();
    for (unsigned i = 0; i < calls; ++i) {
      text += "  llvm.call @out(%x) : (i64) -> ()\n";
      for (unsigned j = 0; j < between; ++j)
        text += ("  %" + Twine(i * between + j) + " = llvm.add %x, %x : i64\n")
                    .str();
    }
    return text + "  llvm.return\n}\n";
  };
  auto split = [&](unsigned calls) {
    context.loadDialect<LLVM::LLVMDialect>();
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
        "llvm.func @out(i64)\n" + function(0, calls, 10, "") +
            function(1, 10, 300, "") +
            function(2, 1, 300, ", \"cold\", \"optnone\"") +
            function(3, 10, 301, ", \"cold\""),
        &context);
    EXPECT_TRUE(module);
    std::vector<std::string> found;
    for (OwningOpRef<ModuleOp> &part : splitModule(*module))
      for (auto func : part->getOps<LLVM::LLVMFuncOp>())
        if (!func.isExternal())
          found.push_back(func.getName().str() +
                          (isGluePart(*part) ? " glue" : ""));
    return found;
  };
  EXPECT_EQ(split(500),
            (std::vector<std::string>{"f3", "f1", "f0 glue", "f2 glue"}));
  // Little of it is optimised with the rest.
  EXPECT_EQ(split(30), (std::vector<std::string>{"f3", "f1", "f0", "f2"}));
}

TEST_F(SplitModule, ShortProgramsStayWhole) {
  OwningOpRef<ModuleOp> module = parse(100);
  ASSERT_TRUE(module);
  EXPECT_TRUE(splitModule(*module).empty());
}

} // namespace
} // namespace broadloom::codegen
