//===- ReportStatements.h - all that a constraint requires ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For a report, splits a constraint into one statement per axis, including
// those that are proved at once.
//
// Invariant: a listed statement that is not open is proved or refuted, and
// never becomes a guard.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_REPORTSTATEMENTS_H
#define BROADLOOM_INFER_CONSTRAINTS_REPORTSTATEMENTS_H

#include "infer/analysis/ConstraintAnswers.h"

namespace broadloom::infer {

/// The open statements of `answered` and those that are decided, axis by axis.
std::vector<ShapeConstraint> listStatements(const ShapeAnalysis &analysis,
                                            const ConstraintAnswer &answered);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_REPORTSTATEMENTS_H
