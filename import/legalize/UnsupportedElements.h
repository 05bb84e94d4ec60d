//===- UnsupportedElements.h - elements that are not computed with -*- C++
//-*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which types of elements an operation cannot be compiled with (el-10, el-12),
// though upstream's definition of it allows them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_IMPORT_LEGALIZE_UNSUPPORTEDELEMENTS_H
#define BROADLOOM_IMPORT_LEGALIZE_UNSUPPORTEDELEMENTS_H

#include "mlir/IR/Operation.h"

namespace broadloom::legalize {

/// Whether a type of its operands, results, or of the function that it is, has
/// `property`.
bool hasType(mlir::Operation *op,
             llvm::function_ref<bool(mlir::Type)> property);

/// Why `op` is not computed with its elements, and what to do; empty where it
/// is. Any operation may come.
llvm::StringRef findUnsupportedElements(mlir::Operation *op);

} // namespace broadloom::legalize

#endif // BROADLOOM_IMPORT_LEGALIZE_UNSUPPORTEDELEMENTS_H
