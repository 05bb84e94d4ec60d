//===- ArgumentName.h - what a program calls its arguments ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arguments of functions have names in models, modules and texts. A reader
// of programs notes them in the locations of the arguments, so that the IR
// looks the same with and without them, and messages use them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_ARGUMENTNAME_H
#define BROADLOOM_DIALECT_ARGUMENTNAME_H

#include "mlir/IR/Value.h"

#include <string>

namespace broadloom::loom {

/// Notes the name of a function's argument.
void setArgumentName(mlir::BlockArgument argument, llvm::StringRef name);

/// The name that setArgumentName noted; empty if there is none.
llvm::StringRef getArgumentName(mlir::BlockArgument argument);

/// `argument 'img'`, or `argument 0` without a name.
std::string getArgumentText(mlir::BlockArgument argument);

} // namespace broadloom::loom

#endif // BROADLOOM_DIALECT_ARGUMENTNAME_H
