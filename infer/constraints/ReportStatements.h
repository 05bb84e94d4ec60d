//===- ReportStatements.h - all that an obligation asks for -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For a report, an obligation is taken apart into one statement per constraint
// and axis, those that are proved at once among them.
//
// Invariant: what is listed beside the open statements of an inquiry is proved
// or refuted already, and never becomes a guard.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_REPORTSTATEMENTS_H
#define BROADLOOM_INFER_CONSTRAINTS_REPORTSTATEMENTS_H

#include "infer/analysis/Obligations.h"

namespace broadloom::infer {

/// The open statements of `inquiry` and those that are decided, axis by axis.
std::vector<Obligation> listStatements(const ShapeAnalysis &analysis,
                                       const Inquiry &inquiry);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_REPORTSTATEMENTS_H
