//===- PlaceLayouts.h - accesses by layouts that are maps -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MEMORY_PLACELAYOUTS_H
#define BROADLOOM_CODEGEN_MEMORY_PLACELAYOUTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace broadloom::codegen {

/// Gives memory whose layout is a map, and no strides, the shape that it has,
/// and computes the places of its accesses.
void placeLayouts(mlir::func::FuncOp func);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MEMORY_PLACELAYOUTS_H
