//===- MergeObjectsTest.cpp -----------------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/MergeObjects.h"

#include "codegen/machine/MachineCode.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Object/ObjectFile.h"
#include "gtest/gtest.h"

#include <string>
#include <vector>

using namespace broadloom;

namespace {

/// The object file of a text in the LLVM dialect.
std::string compileText(llvm::StringRef text) {
  mlir::DialectRegistry registry;
  registry.insert<mlir::LLVM::LLVMDialect>();
  codegen::registerLLVMTranslations(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  auto code = codegen::compileObjects(*module);
  return code ? code->objects.front() : "";
}

/// Both have a text of their own under the same name.
std::string makeCaller() {
  return compileText(R"(
    llvm.mlir.global internal constant @text("caller")
    llvm.mlir.global external @counter(40 : i32) : i32
    llvm.func @callee(!llvm.ptr) -> i32
    llvm.func @caller() -> i32 {
      %0 = llvm.mlir.addressof @text : !llvm.ptr
      %1 = llvm.call @callee(%0) : (!llvm.ptr) -> i32
      llvm.return %1 : i32
    })");
}
std::string makeCallee() {
  return compileText(R"(
    llvm.mlir.global internal constant @text("Xallee")
    llvm.mlir.global external @counter() : i32
    llvm.func @strlen(!llvm.ptr) -> i64
    llvm.func @callee(%text: !llvm.ptr) -> i32 {
      %0 = llvm.mlir.addressof @counter : !llvm.ptr
      %1 = llvm.load volatile %0 : !llvm.ptr -> i32
      %2 = llvm.mlir.addressof @text : !llvm.ptr
      %3 = llvm.load volatile %2 : !llvm.ptr -> i8
      %4 = llvm.load volatile %text : !llvm.ptr -> i8
      %5 = llvm.sub %4, %3 : i8
      %6 = llvm.sext %5 : i8 to i32
      %7 = llvm.add %1, %6 : i32
      llvm.store volatile %7, %0 : i32, !llvm.ptr
      %8 = llvm.call @strlen(%text) : (!llvm.ptr) -> i64
      llvm.return %7 : i32
    })");
}

std::string describeError(llvm::Expected<std::string> merged) {
  return merged ? "" : llvm::toString(merged.takeError());
}

TEST(MergeObjects, PartsUseEachOther) {
  auto merged = codegen::mergeObjects({makeCaller(), makeCallee()}, "caller");
  ASSERT_TRUE(bool(merged)) << llvm::toString(merged.takeError());
  auto code = codegen::LoadedCode::load({*merged});
  ASSERT_TRUE(bool(code)) << llvm::toString(code.takeError());
  auto caller = (*code)->lookup("caller");
  ASSERT_TRUE(bool(caller)) << llvm::toString(caller.takeError());
  // Each part reads its own text, and both the one counter.
  EXPECT_EQ(reinterpret_cast<int (*)()>(*caller)(), 40 + 'c' - 'X');
  EXPECT_EQ(reinterpret_cast<int (*)()>(*caller)(), 40 + 2 * ('c' - 'X'));
  auto callee = (*code)->lookup("callee");
  EXPECT_FALSE(bool(callee));
  llvm::consumeError(callee.takeError());
}

TEST(MergeObjects, OneSymbolIsVisible) {
  std::string merged = llvm::cantFail(
      codegen::mergeObjects({makeCaller(), makeCallee()}, "caller"));
  auto file = llvm::cantFail(llvm::object::ObjectFile::createObjectFile(
      llvm::MemoryBufferRef(merged, "merged")));
  std::vector<std::string> defined, undefined;
  for (const llvm::object::SymbolRef &symbol : file->symbols()) {
    uint32_t flags = llvm::cantFail(symbol.getFlags());
    if (flags & llvm::object::SymbolRef::SF_Global)
      (flags & llvm::object::SymbolRef::SF_Undefined ? undefined : defined)
          .push_back(llvm::cantFail(symbol.getName()).str());
  }
  EXPECT_EQ(defined, std::vector<std::string>{"caller"});
  EXPECT_TRUE(llvm::is_contained(undefined, "strlen"));
  EXPECT_FALSE(llvm::is_contained(undefined, "callee"));
}

TEST(MergeObjects, WhatCannotBeMerged) {
  EXPECT_EQ(describeError(
                codegen::mergeObjects({makeCaller(), makeCaller()}, "caller")),
            "two parts define 'caller'");
  std::string caller = makeCaller();
  for (size_t size : {size_t(0), size_t(10), caller.size() / 2})
    EXPECT_NE(describeError(codegen::mergeObjects(
                  {makeCallee(), caller.substr(0, size)}, "caller")),
              "")
        << size;
}

} // namespace
