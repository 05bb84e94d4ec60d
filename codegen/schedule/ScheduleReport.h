//===- ScheduleReport.h - what a schedule would do --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_SCHEDULE_SCHEDULEREPORT_H
#define BROADLOOM_CODEGEN_SCHEDULE_SCHEDULEREPORT_H

#include "infer/report/GuardReport.h"

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::codegen {

/// sch-18. Adds to `report` what becomes of each edit of the schedule in the
/// file `path`, in `program` behind its guards: one that is refused, and those
/// of loops that it would make, are left out, and the others are tried.
/// `program` stays as it is. False, with errors, if the file has no schedule.
bool reportSchedule(mlir::ModuleOp program, const std::string &path,
                    infer::GuardReport &report);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_SCHEDULE_SCHEDULEREPORT_H
