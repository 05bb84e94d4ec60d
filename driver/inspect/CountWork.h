//===- CountWork.h - multiply-adds and reductions of a call -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
// Counted from the program and not by the compiled code: what an operation
// computes follows from the extents of its operands and results.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_INSPECT_COUNTWORK_H
#define BROADLOOM_DRIVER_INSPECT_COUNTWORK_H

#include "driver/Compiler.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace broadloom {

/// Gives the arguments of `function` the extents of `inputs`: each argument
/// with static extents becomes the value that the body uses. False where an
/// input does not fit its argument.
bool fixArguments(mlir::func::FuncOp function,
                  const std::vector<const BroadloomTensor *> &inputs);

/// The work of one call of `function` in a program whose types have been
/// refined. Nothing where an extent is not known, or a product or reduction is
/// computed on one path of several, or as often as data say.
std::optional<WorkCount> countWork(mlir::func::FuncOp function);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_INSPECT_COUNTWORK_H
