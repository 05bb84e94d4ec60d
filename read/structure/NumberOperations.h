//===- NumberOperations.h - locations in bytecode ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bytecode has no lines. Operations without a location in another file get one
// that says which operation it is:
//
//   model.mlirbc: operation 17 of 'main', 'tosa.conv2d' -> tensor<1x8x8x4xf32>
//
// Operations of a function are counted from 0 in the order of its text, those
// inside others with them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_STRUCTURE_NUMBEROPERATIONS_H
#define BROADLOOM_READ_STRUCTURE_NUMBEROPERATIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::read {

/// Gives such locations to the operations of `module`, which was read from the
/// bytecode `file` and need not be valid. Names in locations stay.
void numberOperations(mlir::ModuleOp module, llvm::StringRef file);

} // namespace broadloom::read

#endif // BROADLOOM_READ_STRUCTURE_NUMBEROPERATIONS_H
