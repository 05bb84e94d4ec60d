//===- LoopConditions.h - when an answer about loops holds ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MEMORY_LOOPCONDITIONS_H
#define BROADLOOM_CODEGEN_MEMORY_LOOPCONDITIONS_H

#include "legalize/memory/LoopAccesses.h"

namespace broadloom::codegen {

/// Whether what LoopAccesses leaves to its caller holds in front of `nest`,
/// where `b` inserts. Null for always.
mlir::Value computeHolds(mlir::OpBuilder &b, mlir::Operation *nest,
                         const legalize::LoopAccesses &accesses);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MEMORY_LOOPCONDITIONS_H
