//===- ReportRow.h - a row about one operation ------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Creates rows with the name and location of an operation.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_REPORT_REPORTROW_H
#define BROADLOOM_INFER_REPORT_REPORTROW_H

#include "infer/report/GuardReport.h"

#include "mlir/IR/Operation.h"

namespace broadloom::infer {

/// A row with the location and number of `op`, which was made from the user's
/// operation `name`. The caller fills in the rest.
GuardReport::Row makeRow(mlir::Operation *op, llvm::StringRef name);

/// Connects row `index` of the report with `constraint`, which is not decided
/// yet; and finds the row again, null if there is none.
void setRow(mlir::Operation *constraint, size_t index);
GuardReport::Row *findRow(GuardReport &report, mlir::Operation *constraint);

/// Marks the guards that a program has before passes insert others. They have
/// no constraint with a row.
void markOwnGuards(mlir::Operation *root);
bool isOwnGuard(mlir::Operation *guard);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_REPORT_REPORTROW_H
