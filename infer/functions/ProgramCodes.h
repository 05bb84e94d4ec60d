//===- ProgramCodes.h - operations of shape functions as codes --*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_PROGRAMCODES_H
#define BROADLOOM_INFER_FUNCTIONS_PROGRAMCODES_H

#include "mlir/Support/LLVM.h"

#include <optional>

namespace broadloom::infer {

/// The code (shape/FunctionProgram.h) of the operation `name`, where it has
/// neither regions nor attributes of its own; nothing for any other operation.
std::optional<int64_t> getPlainCode(llvm::StringRef name);

/// The code of a comparison by `predicate`, as both arith and index write it.
int64_t getComparisonCode(llvm::StringRef predicate);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_PROGRAMCODES_H
