//===- BooleanLoads.h - what a byte of an i1 tensor means -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MACHINE_BOOLEANLOADS_H
#define BROADLOOM_CODEGEN_MACHINE_BOOLEANLOADS_H

#include "mlir/Conversion/LLVMCommon/Pattern.h"

namespace broadloom::codegen {

/// Adds a lowering of loads of i1 outside kernels: any byte but 0 is true
/// (fromStorage). LLVM takes for granted that the byte of an i1 is 0 or 1, but
/// a caller's array may have others.
void addBooleanLoads(const mlir::LLVMTypeConverter &converter,
                     mlir::RewritePatternSet &patterns);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINE_BOOLEANLOADS_H
