//===- NameArguments.h - the names that a program's text has ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Notes the names of functions' arguments (dialect/ArgumentName.h). A name
// comes from the first of these that has one:
//   - the argument's attribute `tf_saved_model.index_path` or
//     `ml_program.identifier`
//   - the function's attribute `tf.entry_function`
//   - the argument's location, as in `loc("img")`
//   - the text of the program, which has `%img`
// `%0` and `%arg0`, which are MLIR's own, are no names, and neither is a name
// that two arguments of a function have.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_INSPECT_NAMEARGUMENTS_H
#define BROADLOOM_DRIVER_INSPECT_NAMEARGUMENTS_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MemoryBuffer.h"

namespace broadloom {

/// `source` is the file that `module` was read from.
void nameArguments(mlir::ModuleOp module, const llvm::MemoryBuffer &source);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_INSPECT_NAMEARGUMENTS_H
