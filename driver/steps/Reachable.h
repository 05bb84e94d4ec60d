//===- Reachable.h - the functions that are needed --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_STEPS_REACHABLE_H
#define BROADLOOM_DRIVER_STEPS_REACHABLE_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <string>

namespace broadloom {

/// Erases from `module`, which need not be verified, all functions but `name`
/// and those that it calls. Does nothing if there is no function of that name.
void keepReachable(mlir::ModuleOp module, llvm::StringRef name);

/// The operations of `module`, which need not be verified, but private
/// functions that no other one of these names, directly or not.
llvm::SmallPtrSet<mlir::Operation *, 16> findNeeded(mlir::ModuleOp module);

/// As keepReachable, for the public function that findFunction finds.
void keepQueried(mlir::ModuleOp module, const std::string &name);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_STEPS_REACHABLE_H
