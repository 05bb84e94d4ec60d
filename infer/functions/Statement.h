//===- Statement.h - a constraint's condition in words ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a constraint requires, read from the text of a shape function or of a
// program with the numbers that are known there: `8 = 8`, `n + 2 >= 3`. Only
// for reports; messages are the author's (sf-3).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_STATEMENT_H
#define BROADLOOM_INFER_FUNCTIONS_STATEMENT_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace broadloom::infer {

/// A comparison of numbers, or several that must hold together; empty where
/// the condition is something else. `write` gives a number's text, with `?` in
/// it where it has none.
std::string
describeCondition(mlir::Value condition,
                  llvm::function_ref<std::string(mlir::Value)> write);

/// A row's constraint: what holds, if that has a text, and the message where it
/// does not.
std::string makeConstraint(const std::string &holds,
                           const std::string &message);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_STATEMENT_H
