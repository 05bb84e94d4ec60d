//===- OperationInvariants.h - what accessors rely on -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the accessors of an operation's class take for granted: how many
// operands, results, regions and successors there are, how operands are cut
// into groups, which attributes are there and of what kind, and what types
// operands and results have. In a module that was parsed without verification
// none of it holds by itself.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_IMPORT_STRUCTURE_OPERATIONINVARIANTS_H
#define BROADLOOM_IMPORT_STRUCTURE_OPERATIONINVARIANTS_H

#include "mlir/IR/Operation.h"

namespace broadloom {

/// Checks the invariants that the operation's definition in TableGen declares:
/// no hand-written verifier runs, and no other operation is read. For
/// operations with rules of this project only the counts are checked.
/// Operations of dialects that are defined at run time have no class and are
/// skipped.
llvm::LogicalResult checkInvariants(mlir::Operation *op);

} // namespace broadloom

#endif // BROADLOOM_IMPORT_STRUCTURE_OPERATIONINVARIANTS_H
