//===- ExpandSparse.h - sparse constants as those of TOSA -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_TFLITE_EXPANDSPARSE_H
#define BROADLOOM_READ_TFLITE_EXPANDSPARSE_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::read {

/// Replaces the sparse constants of a module that passed checkStructure, and
/// `tfl.densify` of them, by `tosa.const`. Checks them first; together they may
/// have 1 GiB. Any other operation of the dialect is an error. A dialect `tfl`
/// that a user's text defines stays.
llvm::LogicalResult expandSparseConstants(mlir::ModuleOp module);

} // namespace broadloom::read

#endif // BROADLOOM_READ_TFLITE_EXPANDSPARSE_H
