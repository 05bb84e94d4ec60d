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

#ifndef BROADLOOM_DRIVER_REDUCEPROGRAM_H
#define BROADLOOM_DRIVER_REDUCEPROGRAM_H

#include "mlir/IR/BuiltinOps.h"

#include <functional>
#include <string>

namespace broadloom {

/// Takes functions and operations out of `module`, whose structure is sound,
/// as long as `fails` says of the text of what is left that it still does;
/// returns the last such text. What used the results of an operation that goes
/// gets arguments of the function in their place. `fails` is called no more
/// than 1,000 times.
std::string
reduceProgram(mlir::ModuleOp module,
              const std::function<bool(const std::string &)> &fails);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_REDUCEPROGRAM_H
