//===- SplitModule.h - kernels in modules of their own ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Strip kernels know nothing of each other, so that they can be compiled side
// by side. Invariant: which kernel goes where depends on the program alone, and
// nothing in a kernel's code depends on where it went.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MACHINE_SPLITMODULE_H
#define BROADLOOM_CODEGEN_MACHINE_SPLITMODULE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <vector>

namespace broadloom::codegen {

/// Moves the kernels out of `module`, all in the LLVM dialect, if there are
/// enough of them, or if the rest has loops, which LLVM optimises with another
/// pipeline. Returns modules that together define the kernels; `module`
/// declares them.
std::vector<mlir::OwningOpRef<mlir::ModuleOp>>
splitKernels(mlir::ModuleOp module);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINE_SPLITMODULE_H
