//===- LeaveOthers.h - what is not for this compiler ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a pipeline of somebody else's, a module may have functions over memrefs,
// vectors or pointers beside those over tensors. They have no shapes that this
// compiler checks or lowers, and are none of its business.
//
// Invariant: what has a tensor, or an operation of TOSA or loom, anywhere in it
// is never left alone, so that no shape goes unchecked; nor is a function that
// is marked as over memory (loom-mark-memory-functions), as option `memory`
// does.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_PASSES_LEAVEOTHERS_H
#define BROADLOOM_DRIVER_PASSES_LEAVEOTHERS_H

#include "mlir/Pass/PassManager.h"

#include <string>

namespace broadloom {

/// Adds the stage `name` (Pipeline.h), whose passes `add` adds to a pipeline on
/// modules, and keeps from them each operation of the module that could not be
/// compiled and has no shapes: it is out of the module while they run. A
/// function whose signature compiled functions may use stays as a declaration.
/// With `verbose`, each gets a remark. With `dropsMarks`, no function is over
/// memory because its text says so.
void addPassesLeavingOthers(mlir::OpPassManager &pm, std::string name,
                            llvm::function_ref<void(mlir::OpPassManager &)> add,
                            bool verbose, bool dropsMarks);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_PASSES_LEAVEOTHERS_H
