//===- LoopReport.h - which loops are parallel ------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a report says of the loops of functions over memory.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_LOOPREPORT_H
#define BROADLOOM_LEGALIZE_MEMORY_LOOPREPORT_H

#include "infer/report/GuardReport.h"
#include "legalize/memory/LoopDependences.h"

namespace broadloom::legalize {

/// Lists the loops of a program that has its guards, down to the outermost ones
/// that are parallel: why they are, or two iterations that meet and where.
void reportLoops(mlir::ModuleOp module, infer::GuardReport &report);

/// Why the iterations of a loop may not run in any order.
std::string describeOrder(const LoopDependences &facts);

/// `%i`: the variable of a loop that NestReader reads; empty without a name.
std::string getVariableName(mlir::Operation *loop);

/// "'affine.store' at p.mlir:4:5".
std::string describeAccess(mlir::Operation *op);
/// "element [1, 2] of argument 'a'": where the accesses meet.
std::string describeElement(const LoopAccesses::Conflict &conflict);
/// "argument 'n' is 3": what is known in front of the loops, in the conflict.
std::vector<std::string>
describeSymbols(const LoopAccesses &accesses,
                const LoopAccesses::Conflict &conflict);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_LOOPREPORT_H
