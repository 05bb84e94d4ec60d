//===- OperationInvariants.h - what accessors rely on -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The invariants that the accessors of an operation's class assume: the numbers
// of operands, results, regions and successors, the groups of operands, the
// attributes and their kinds, and the types of operands and results. They need
// not hold in a module that was parsed without verification.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_STRUCTURE_OPERATIONINVARIANTS_H
#define BROADLOOM_READ_STRUCTURE_OPERATIONINVARIANTS_H

#include "mlir/IR/Operation.h"

namespace broadloom::read {

/// Checks the invariants that the operation's definition in TableGen declares:
/// no hand-written verifier runs, and no other operation is read. For
/// operations with rules of this project only the counts are checked.
/// Operations of dialects that are defined at run time have no class and are
/// skipped.
llvm::LogicalResult checkInvariants(mlir::Operation *op);

} // namespace broadloom::read

#endif // BROADLOOM_READ_STRUCTURE_OPERATIONINVARIANTS_H
