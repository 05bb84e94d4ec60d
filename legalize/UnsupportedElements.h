//===- UnsupportedElements.h - elements that are not computed ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The element types with which an operation cannot be compiled (el-10, el-12)
// although upstream's definition allows them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_UNSUPPORTEDELEMENTS_H
#define BROADLOOM_LEGALIZE_UNSUPPORTEDELEMENTS_H

#include "mlir/IR/Operation.h"

namespace broadloom::legalize {

/// Whether a type of an operand or result, or in the type of a function, has
/// `property`.
bool hasType(mlir::Operation *op,
             llvm::function_ref<bool(mlir::Type)> property);

/// Why `op` cannot be computed with its element types, and what to do; empty if
/// it can. `op` may be any operation.
llvm::StringRef findUnsupportedElements(mlir::Operation *op);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_UNSUPPORTEDELEMENTS_H
