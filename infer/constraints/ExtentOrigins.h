//===- ExtentOrigins.h - where extents come from, in words ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Errors, guards and reports name the arguments and operations that extents and
// numbers are read from (rt-2).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_EXTENTORIGINS_H
#define BROADLOOM_INFER_CONSTRAINTS_EXTENTORIGINS_H

#include "infer/analysis/ShapeAnalysis.h"

#include <string>

namespace broadloom::infer {

/// The value whose shape a node is: `argument 0`; empty if it has no name.
std::string describeNode(const ShapeAnalysis &analysis, NodeId node);

/// The meaning of a symbol: "axis 0 of argument 1".
std::string describeSymbol(ShapeAnalysis &analysis, SymbolId symbol);

/// `2*n + 1 with n = axis 0 of argument 0`: how a number is computed; empty if
/// the text would be long.
std::string describeNumber(const ShapeAnalysis &analysis, const Number &number);

/// The origin of the extent on `axis` of `operand`. For a static extent of a
/// broadcast, the first broadcast tensor that has it.
std::string traceAxis(ShapeAnalysis &analysis, const ShapeInfo &operand,
                      int32_t axis);

/// The argument of a function that a number is; null if it is another number.
mlir::BlockArgument findArgument(const ShapeAnalysis &analysis, AtomId leaf);

/// `s0 (axis 0 of argument 1) and argument 'n'`: the leaves of a condition;
/// empty if they are many or have no names.
std::string nameLeaves(const ShapeAnalysis &analysis, ConditionId condition);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_EXTENTORIGINS_H
