//===- ArgumentName.h - what a program calls its values ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The arguments of functions have names in models, modules and texts, and so
// have the variables of loops, arguments of blocks and results of operations in
// texts. A reader of programs notes them in locations, so that the IR looks the
// same with and without them, and messages use them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_ARGUMENTNAME_H
#define BROADLOOM_DIALECT_ARGUMENTNAME_H

#include "mlir/IR/Value.h"

#include <string>

namespace broadloom::loom {

/// Notes the name of an argument of a function or of a block: `img` for `%img`.
void setArgumentName(mlir::BlockArgument argument, llvm::StringRef name);

/// The name that setArgumentName noted; empty if there is none.
llvm::StringRef getArgumentName(mlir::BlockArgument argument);

/// Notes the name of the only result of `op`.
void setResultName(mlir::Operation *op, llvm::StringRef name);

/// `%i`: the name in the program's text of a value that is no argument of a
/// function. Empty without a name, and for what a pass has made in place of the
/// value.
std::string getValueName(mlir::Value value);

/// `argument 'img'`, or `argument 0` without a name.
std::string getArgumentText(mlir::BlockArgument argument);

} // namespace broadloom::loom

#endif // BROADLOOM_DIALECT_ARGUMENTNAME_H
