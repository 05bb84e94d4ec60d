//===- MemoryPatterns.h - accesses to memory of any strides -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MACHINE_MEMORYPATTERNS_H
#define BROADLOOM_CODEGEN_MACHINE_MEMORYPATTERNS_H

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/IR/BuiltinOps.h"

namespace broadloom::codegen {

/// Adds the lowering of what `loom-place-memory` has marked: accesses, stack
/// slots, globals, and the questions about the block of memory.
void addMemoryPatterns(const mlir::LLVMTypeConverter &converter,
                       mlir::RewritePatternSet &patterns);

/// Defines the blocks (BroadloomBlock) of globals, to which these refer.
void defineBlocks(mlir::ModuleOp module);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINE_MEMORYPATTERNS_H
