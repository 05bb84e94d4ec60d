//===- Optimise.h - the passes of LLVM that compiled code needs -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A strip kernel is one loop, in a form that only needs vectorisation; the code
// around kernels has no loops and runs once per call. Both get a few passes,
// chosen by measurement. Only functions with loops of another kind (from
// linalg) get LLVM's own pipeline.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MACHINE_OPTIMISE_H
#define BROADLOOM_CODEGEN_MACHINE_OPTIMISE_H

namespace llvm {
class Function;
class Module;
class TargetMachine;
} // namespace llvm

namespace broadloom::codegen {

/// Whether a function other than a strip kernel has a loop.
bool hasLoop(const llvm::Function &function);

/// The same for a loop with a path that calls neither the runtime nor another
/// function that does more than compute a number.
bool hasFastLoop(const llvm::Function &function);

/// Whether `module` is long and has neither fast loops nor kernels: its time is
/// spent in the functions that it calls, so that optimising it does not pay.
bool isLongGlue(const llvm::Module &module);

/// Optimises `module` for `target`, each function separately, unless one that
/// is not a kernel has a loop.
void optimise(llvm::Module &module, llvm::TargetMachine &target);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINE_OPTIMISE_H
