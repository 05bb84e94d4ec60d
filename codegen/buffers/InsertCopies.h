//===- InsertCopies.h - copies before writes to memory ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides which operations write to existing memory, and which to a copy.
// Upstream's analysis of that compares every two uses of what may be the same
// memory, takes exponential time for nested branches, rejects loops that need
// copies, and lets a loop write to a function's argument (decision 14).
//
// Here a value *owns* its memory if no other value that is read later has it:
// it is the result of an operation that allocates memory, or takes over the
// memory of an owner at the owner's last use. An operation that would write to
// another value's memory gets a copy.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_BUFFERS_INSERTCOPIES_H
#define BROADLOOM_CODEGEN_BUFFERS_INSERTCOPIES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace broadloom::codegen {

/// Copies in `func` each tensor that an operation writes to and does not own.
/// Afterwards every operation can write in place.
void insertCopies(mlir::func::FuncOp func);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_BUFFERS_INSERTCOPIES_H
