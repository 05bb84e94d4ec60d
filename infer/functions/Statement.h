//===- Statement.h - a constraint's condition in words ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a constraint of a shape function asks for, read from the function's own
// text with the numbers of one evaluation: `8 = 8`, `n + 2 >= 3`. Only for
// reports; messages are the author's (sf-3).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_STATEMENT_H
#define BROADLOOM_INFER_FUNCTIONS_STATEMENT_H

#include "infer/functions/Evaluator.h"

namespace broadloom::infer {

/// A comparison of numbers, or several that must hold together; empty where
/// the condition is something else.
std::string describeCondition(Evaluator &evaluator, mlir::Value condition);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_STATEMENT_H
