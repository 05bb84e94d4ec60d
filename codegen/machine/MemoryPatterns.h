//===- MemoryPatterns.h - accesses to memory of any strides -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MACHINE_MEMORYPATTERNS_H
#define BROADLOOM_CODEGEN_MACHINE_MEMORYPATTERNS_H

#include "mlir/Conversion/LLVMCommon/Pattern.h"

namespace broadloom::codegen {

/// Adds the lowering of what `loom-place-memory` has marked: accesses, stack
/// slots, and the question whether memory is live.
void addMemoryPatterns(const mlir::LLVMTypeConverter &converter,
                       mlir::RewritePatternSet &patterns);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINE_MEMORYPATTERNS_H
