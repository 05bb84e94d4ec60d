//===- StackSlots.h - memory on the stack, taken once -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream allocates the descriptor of a tensor that is cast to unknown rank on
// the stack at the cast. In a loop each iteration allocates a descriptor, so
// that the stack of a long loop overflows.
//
// Invariant: a slot is allocated once per call of a function, unless its
// address is passed to another block, where it may have to outlive the next
// one.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MACHINE_STACKSLOTS_H
#define BROADLOOM_CODEGEN_MACHINE_STACKSLOTS_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::codegen {

/// Moves stack slots of known size to the entry of each function of `module`,
/// which is in the LLVM dialect.
void takeStackSlotsOnce(mlir::ModuleOp module);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINE_STACKSLOTS_H
