//===- FixedExtents.h - extents that calls cannot choose --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An importer records which extents of arguments its source fixed, and why, in
// the attribute `loom.fixed` of a function: a list of
//
//   {argument = 0, axis = 1, by = "torch.export", name = "x",
//    at = "model.py:7", because = "the example has 1 there"}
//
// `at` may be missing. A report has a row for each. The attribute has no other
// effect. An entry of another form, or for an axis whose extent the type leaves
// open, is ignored.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_REPORT_FIXEDEXTENTS_H
#define BROADLOOM_INFER_REPORT_FIXEDEXTENTS_H

#include "infer/report/GuardReport.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace broadloom::infer {

/// The attribute of a function.
inline constexpr llvm::StringLiteral kFixedExtents = "loom.fixed";

/// Adds a row for each extent that the attribute of `function` names. The
/// function has its number (OperationNumber.h).
void addFixedExtents(mlir::FunctionOpInterface function, GuardReport &report);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_REPORT_FIXEDEXTENTS_H
