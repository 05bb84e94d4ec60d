//===- CheckStructure.h - can a module be looked at? ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Checks the structure of a module that was parsed with verification deferred,
// before other code of this project reads it.
//
// Invariant: accepts any module, calls no accessor that needs a valid operation
// of its class, and changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_STRUCTURE_CHECKSTRUCTURE_H
#define BROADLOOM_READ_STRUCTURE_CHECKSTRUCTURE_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::read {

/// Checks blocks, terminators, the invariants that operations declare
/// (OperationInvariants.h) and dominance, but runs no verifier. Reports the
/// first error of each operation. After success, every accessor of every
/// operation can be called. abi-3
llvm::LogicalResult checkStructure(mlir::ModuleOp module);

} // namespace broadloom::read

#endif // BROADLOOM_READ_STRUCTURE_CHECKSTRUCTURE_H
