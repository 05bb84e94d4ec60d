//===- MatchExtents.h - operands of one space, typed alike ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's verifiers of some operations of `linalg` compare the extents in
// types, so that `?` and a number are an error. By the rules it is unknown
// whether they agree (ext-2).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MATCHEXTENTS_H
#define BROADLOOM_LEGALIZE_MATCHEXTENTS_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::legalize {

/// Makes such extents dynamic if operands disagree, with casts around the
/// operation.
void matchExtents(mlir::ModuleOp module);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MATCHEXTENTS_H
