//===- AnnotateAccess.h - what is known of a map's access -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kinds, not guesses (D4): whether an operand's axis is known to match the
// result's, known to be one, or decided at run time, kept in the IR where
// rewrites and tests see it.
//
// Invariant: a kind other than `run_time` holds wherever the guards before the
// map have passed.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_ANALYSIS_ANNOTATEACCESS_H
#define BROADLOOM_INFER_ANALYSIS_ANNOTATEACCESS_H

#include "infer/analysis/ShapeAnalysis.h"

namespace broadloom::infer {

/// Sets the attribute `kinds` of `map`, whose operands `analysis` has visited.
void annotateAccess(loom::MapOp map, ShapeAnalysis &analysis);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_ANALYSIS_ANNOTATEACCESS_H
