//===- LoomDialect.h - the loom dialect -------------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations of the dialect in LoomDialect.td and LoomOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMDIALECT_H
#define BROADLOOM_DIALECT_LOOMDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace broadloom::loom {

/// What a guard writes to: the outcome of the call and nothing else.
struct FailureResource
    : public mlir::SideEffects::Resource::Base<FailureResource> {
  llvm::StringRef getName() final { return "loom.failure"; }
};

} // namespace broadloom::loom

#include "dialect/LoomDialect.h.inc"
#define GET_TYPEDEF_CLASSES
#include "dialect/LoomTypes.h.inc"
#define GET_OP_CLASSES
#include "dialect/LoomOps.h.inc"

#endif // BROADLOOM_DIALECT_LOOMDIALECT_H
