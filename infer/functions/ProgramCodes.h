//===- ProgramCodes.h - operations of shape functions as codes --*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_PROGRAMCODES_H
#define BROADLOOM_INFER_FUNCTIONS_PROGRAMCODES_H

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <optional>

namespace broadloom::infer {

/// The code (shape/FunctionProgram.h) of `op`, where it has neither regions nor
/// attributes of its own; nothing for any other operation.
std::optional<int64_t> getPlainCode(mlir::Operation *op);

/// The code of a comparison.
int64_t getComparisonCode(mlir::arith::CmpIPredicate predicate);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_PROGRAMCODES_H
