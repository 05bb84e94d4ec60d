//===- NameExtents.h - names of extents, written back -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What an analysis found of a function's results, as `loom.extents` on them:
// formulas over the names of the arguments' extents.
//
// Invariant: nothing is promised that a call would not keep. An argument gets
// new names only for extents that results are told by, a name of its own each;
// what the program says itself stays.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_ANALYSIS_NAMEEXTENTS_H
#define BROADLOOM_INFER_ANALYSIS_NAMEEXTENTS_H

#include "infer/analysis/ShapeAnalysis.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace broadloom::infer {

/// `returned` are the shapes of the results, by what is known where they are
/// returned.
void nameExtents(mlir::FunctionOpInterface func, ShapeAnalysis &analysis,
                 const std::vector<Shape> &returned);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_ANALYSIS_NAMEEXTENTS_H
