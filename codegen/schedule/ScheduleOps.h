//===- ScheduleOps.h - edits of loop nests as operations --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_SCHEDULE_SCHEDULEOPS_H
#define BROADLOOM_CODEGEN_SCHEDULE_SCHEDULEOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"

#define GET_OP_CLASSES
#include "codegen/schedule/ScheduleOps.h.inc"

namespace broadloom::codegen {

/// Adds the operations to the transform dialect.
void registerSchedules(mlir::DialectRegistry &registry);

/// Whether `op` is one of these operations.
bool isScheduleOp(mlir::Operation *op);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_SCHEDULE_SCHEDULEOPS_H
