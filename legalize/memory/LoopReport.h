//===- LoopReport.h - which loops are parallel ------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a report says of the loops of a function over memory.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_LOOPREPORT_H
#define BROADLOOM_LEGALIZE_MEMORY_LOOPREPORT_H

#include "infer/report/GuardReport.h"
#include "legalize/memory/CallEffects.h"
#include "legalize/memory/ExtentRoots.h"

namespace broadloom::legalize {

/// Lists the loops down to the outermost ones that are parallel: why they are,
/// or two iterations that meet and where.
void reportLoops(mlir::func::FuncOp func, const ExtentRoots &roots,
                 const CallEffects &effects, infer::GuardReport &report);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_LOOPREPORT_H
