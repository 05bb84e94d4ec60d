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

#ifndef BROADLOOM_DRIVER_QUERIES_GIVENVALUES_H
#define BROADLOOM_DRIVER_QUERIES_GIVENVALUES_H

#include "runtime/calls/Tensor.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>
#include <string>
#include <vector>

namespace broadloom {

/// Takes an element type off the end of a text such as `2x3xf32`, if there is
/// one.
std::optional<BroadloomElementType> takeElementType(llvm::StringRef &text);

/// Makes the values in `arguments` constants of `function`, and removes them
/// from the texts, which leaves the shapes. Values that are not integers are
/// ignored, because no extent depends on them. If there are values, the given
/// extents are put into the function too: a constraint that the values refute
/// is then an error before the query is made, and its message has the extents,
/// as that of a call has (abi-2). Returns why a text is wrong, or "".
std::string useGivenValues(mlir::func::FuncOp function,
                           std::vector<std::string> &arguments);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_QUERIES_GIVENVALUES_H
