//===- FunctionFrameTest.cpp - where values are described -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/abi/FunctionFrame.h"
#include "dialect/LoomDialect.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace broadloom::codegen {

// The operation that made a value is erased, and another may come to have its
// address: its results are not described where the old value was.
TEST(FunctionFrame, ValuesThatAreReplacedAreForgotten) {
  MLIRContext context;
  context.loadDialect<func::FuncDialect, LLVM::LLVMDialect,
                      memref::MemRefDialect, loom::LoomDialect>();
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>("func.func @f(%n: index) {\n"
                                  "  %a = memref.alloc(%n) : memref<?xf32>\n"
                                  "  memref.dealloc %a : memref<?xf32>\n"
                                  "  return\n"
                                  "}\n",
                                  &context);
  ASSERT_TRUE(module);
  auto func = *module->getOps<func::FuncOp>().begin();
  auto made = *func.getOps<memref::AllocOp>().begin();
  auto user = *func.getOps<memref::DeallocOp>().begin();
  RuntimeCalls runtime(*module);
  FunctionFrame frame(func, runtime, FunctionFrame::Convention::Values);
  OpBuilder builder(user);

  FrameSlot slot = frame.takeDescriptor(1);
  frame.record(made.getMemref(), slot);
  ASSERT_TRUE(frame.find(made.getMemref()));
  frame.replace(builder, func.getLoc(), made.getMemref(), slot);
  EXPECT_FALSE(frame.find(made.getMemref()));
  ASSERT_TRUE(frame.find(user.getMemref()));
  EXPECT_EQ(frame.find(user.getMemref())->offset, slot.offset);
}

} // namespace broadloom::codegen
