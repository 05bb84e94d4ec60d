//===- ConstraintRows.h - constraints in a report ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rows of a report for the constraints of one operation's shape function.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_CONSTRAINTROWS_H
#define BROADLOOM_INFER_CONSTRAINTS_CONSTRAINTROWS_H

#include "infer/functions/Evaluate.h"
#include "infer/report/GuardReport.h"

namespace broadloom::infer {

/// A row for each constraint in `outcome`; those that become constraints may be
/// decided later. Returns the rows' numbers.
std::vector<size_t> addRows(GuardReport &report, mlir::Operation *op,
                            const Outcome &outcome);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_CONSTRAINTROWS_H
