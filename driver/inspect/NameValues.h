//===- NameValues.h - the names that a program's text has -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Notes the names of values (dialect/ArgumentName.h). The name of a function's
// argument comes from the first of these that has one:
//   - the argument's attribute `tf_saved_model.index_path` or
//     `ml_program.identifier`
//   - the function's attribute `tf.entry_function`
//   - the argument's location, as in `loc("img")`
//   - the text of the program, which has `%img`
// `%0` and `%arg0`, which are MLIR's own, are no names there, and neither is a
// name that two arguments of a function have.
//
// Other arguments of blocks, such as the variables of loops, and results that
// are integers or memory have the name that the text has, `%0` too.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_INSPECT_NAMEVALUES_H
#define BROADLOOM_DRIVER_INSPECT_NAMEVALUES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/MemoryBuffer.h"

namespace broadloom {

/// `source` is the file that `module` was read from.
void nameValues(mlir::ModuleOp module, const llvm::MemoryBuffer &source);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_INSPECT_NAMEVALUES_H
