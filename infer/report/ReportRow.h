//===- ReportRow.h - a row about one operation ------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where an operation stands, in the words of reports.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_REPORT_REPORTROW_H
#define BROADLOOM_INFER_REPORT_REPORTROW_H

#include "infer/report/GuardReport.h"

#include "mlir/IR/Operation.h"

namespace broadloom::infer {

/// A row with all that is known of `op`, which came from an operation that the
/// user knows as `name`; the rest is the caller's to fill in.
GuardReport::Row makeRow(mlir::Operation *op, llvm::StringRef name);

/// Says that row `index` of the report is about `constraint`, which has not
/// been decided yet, and finds it again; null where there is none.
void setRow(mlir::Operation *constraint, size_t index);
GuardReport::Row *findRow(GuardReport &report, mlir::Operation *constraint);

/// Marks the guards that a program has before any pass writes some; they have
/// no constraint that a row is made for.
void markOwnGuards(mlir::Operation *root);
bool isOwnGuard(mlir::Operation *guard);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_REPORT_REPORTROW_H
