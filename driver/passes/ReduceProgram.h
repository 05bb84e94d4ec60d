//===- ReduceProgram.h - a smaller program that still fails -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_PASSES_REDUCEPROGRAM_H
#define BROADLOOM_DRIVER_PASSES_REDUCEPROGRAM_H

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <string>

namespace broadloom {

/// Erases functions and operations of `module`, whose structure is sound, as
/// long as `fails` is true of the text of the rest; returns the last such text.
/// Arguments of the function replace the results of an erased operation.
/// `fails` is called no more than 1,000 times.
std::string
reduceProgram(mlir::ModuleOp module,
              const std::function<bool(const std::string &)> &fails);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_PASSES_REDUCEPROGRAM_H
