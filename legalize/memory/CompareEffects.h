//===- CompareEffects.h - bodies against declared sets ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_COMPAREEFFECTS_H
#define BROADLOOM_LEGALIZE_MEMORY_COMPAREEFFECTS_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::legalize {

/// Compares each function that has a body with the sets that it declares, if it
/// declares some, and takes the declaration away (ffi-6). An access that is
/// surely outside, and an element that is surely not accessed, are errors; what
/// cannot be decided is a warning.
llvm::LogicalResult compareEffects(mlir::ModuleOp module);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_COMPAREEFFECTS_H
