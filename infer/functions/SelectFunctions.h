//===- SelectFunctions.h - part of a library's text -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_SELECTFUNCTIONS_H
#define BROADLOOM_INFER_FUNCTIONS_SELECTFUNCTIONS_H

#include "llvm/ADT/StringSet.h"

#include <string>

namespace broadloom::infer {

/// The text of the built-in library (shapes/tosa.mlir) without the functions
/// that none of `operations` (at least one) needs, because MLIR's parser takes
/// longer for all of it than inference takes for a small program. Functions
/// stay on their lines. `text` has a function, its closing brace, and the
/// mapping of an operation at the beginning of lines of their own, as that file
/// does.
std::string selectFunctions(llvm::StringRef text,
                            const llvm::StringSet<> &operations);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_SELECTFUNCTIONS_H
