//===- SplitModule.h - functions in modules of their own --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Strip kernels do not depend on each other, so that they can be compiled in
// parallel; nor do functions of a program without kernels, such as one over
// memory, unless one may be inlined in the other. Invariant: the assignment of
// functions to modules depends on the program alone, and so does a function's
// code.
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
/// pipeline. Beside few other functions the smallest kernels stay, because a
/// module of its own takes time. Without kernels, the functions of a long
/// program move that LLVM compiles one by one. Returns modules that together
/// define the functions that were moved; `module` declares them.
std::vector<mlir::OwningOpRef<mlir::ModuleOp>>
splitModule(mlir::ModuleOp module);

/// Whether a module of splitModule has nothing but functions in which LLVM's
/// optimisations would take longer than what they save: sequences of calls, and
/// what runs for calls that fail.
bool isGluePart(mlir::ModuleOp part);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINE_SPLITMODULE_H
