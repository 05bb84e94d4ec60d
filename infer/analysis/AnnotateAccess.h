//===- AnnotateAccess.h - what is known of a map's access -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the access kind of each operand axis to the IR, where rewrites and
// tests can read it (decision 65): whether the axis is known to match the
// result's, known to be 1, or decided at run time.
//
// Invariant: a kind other than `run_time` holds once the guards before the map
// have passed.
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
