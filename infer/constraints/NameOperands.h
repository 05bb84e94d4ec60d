//===- NameOperands.h - of which operands a message is ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The author of a shape function writes its messages. This file adds the shapes
// of the operands, and their origins, to every message.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_NAMEOPERANDS_H
#define BROADLOOM_INFER_CONSTRAINTS_NAMEOPERANDS_H

#include "infer/analysis/ShapeAnalysis.h"
#include "infer/functions/Evaluate.h"

namespace broadloom::infer {

/// Adds the shapes of the operands of `op`, and their origins, to the messages
/// of constraints that are not proved, unless there are many operands.
void nameOperands(ShapeAnalysis &analysis, mlir::Operation *op,
                  Outcome &outcome);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_NAMEOPERANDS_H
