//===- AutoSchedule.h - a schedule that is found ----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_SCHEDULE_AUTOSCHEDULE_H
#define BROADLOOM_CODEGEN_SCHEDULE_AUTOSCHEDULE_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::codegen {

/// What stands for such a schedule in the place of a file.
inline constexpr llvm::StringLiteral kAutoSchedule = "auto";

/// Edits the nests of functions over memory that kernels do not compute
/// (sch-17). Each edit is one that a schedule can have.
void scheduleNests(mlir::ModuleOp program);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_SCHEDULE_AUTOSCHEDULE_H
