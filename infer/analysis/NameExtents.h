//===- NameExtents.h - names of extents, written back -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the extents of a function's results that an analysis found as
// `loom.extents`: formulas over the names of the arguments' extents.
//
// Invariant: every formula holds in every call. An argument gets new names only
// for extents that formulas of results use, each a name of its own; the
// program's own attributes stay.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_ANALYSIS_NAMEEXTENTS_H
#define BROADLOOM_INFER_ANALYSIS_NAMEEXTENTS_H

#include "infer/analysis/ShapeAnalysis.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace broadloom::infer {

/// `returned` are the shapes of the results with the facts at the return.
void nameExtents(mlir::FunctionOpInterface func, ShapeAnalysis &analysis,
                 const std::vector<Shape> &returned);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_ANALYSIS_NAMEEXTENTS_H
