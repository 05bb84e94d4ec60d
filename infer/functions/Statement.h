//===- Statement.h - a constraint's condition in words ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formula of a constraint, from the text of a shape function or a program,
// with the known numbers in it: `8 = 8`, `n + 2 >= 3`. Only for reports;
// messages are the author's (sf-3).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_STATEMENT_H
#define BROADLOOM_INFER_FUNCTIONS_STATEMENT_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <string>

namespace broadloom::infer {

/// A comparison of numbers, or several that must hold together; empty for other
/// conditions. `write` returns a number's text, with `?` for unknown parts.
std::string
describeCondition(mlir::Value condition,
                  llvm::function_ref<std::string(mlir::Value)> write);

/// The text of a row's constraint: the formula, if it has a text, and the
/// message for its failure.
std::string makeConstraint(const std::string &holds,
                           const std::string &message);

/// The template of a message with `?` in place of {0}, {1}, ..., for a failure
/// that cannot be: "the bias has 24 values but the output has 24 channels"
/// reads wrongly. The number of an axis, behind the word `axis`, stays.
std::string hideNumbers(llvm::StringRef message);

struct Outcome;
struct Constraint;
/// The message of a failure that cannot be, with the values that it keeps.
std::string describeImpossible(const Outcome &outcome,
                               const Constraint &constraint);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_STATEMENT_H
