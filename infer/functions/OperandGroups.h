//===- OperandGroups.h - operands and parameters ----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library. Which operands of an operation each parameter of its
// shape function stands for.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_OPERANDGROUPS_H
#define BROADLOOM_INFER_FUNCTIONS_OPERANDGROUPS_H

#include "infer/functions/Evaluate.h"

namespace broadloom::infer {

/// How many operands each parameter stands for. Nothing where the operation
/// has another number of operands than the function is for.
std::optional<llvm::SmallVector<size_t>>
getOperandGroups(const ShapeFunction &function, const Request &request);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_OPERANDGROUPS_H
