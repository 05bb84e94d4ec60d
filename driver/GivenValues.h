//===- GivenValues.h - values of arguments in a question --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A question about shapes may give values of integers, scalars and lists, on
// which extents may depend: `i64=4`, `2xi64=3 4`.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_GIVENVALUES_H
#define BROADLOOM_DRIVER_GIVENVALUES_H

#include "runtime/calls/Tensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>
#include <vector>

namespace broadloom {

/// Takes an element type off the end of a text such as `2x3xf32`, if there is
/// one.
std::optional<BroadloomElementType> takeElementType(llvm::StringRef &text);

/// Makes the values that `arguments` give constants of `function`, and takes
/// them off the texts, of which shapes are left. What is no integer decides no
/// extent and is not looked at. Where there are values, what they contradict is
/// an error before the query is made; so the function is told the extents too,
/// which the error tells as that of a call does (abi-2). Gives why a text is
/// wrong, or nothing.
std::string useGivenValues(mlir::func::FuncOp function,
                           std::vector<std::string> &arguments);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_GIVENVALUES_H
