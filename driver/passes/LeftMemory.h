//===- LeftMemory.h - functions over memory that are left -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A call of a function of another library, where it is bound and checked, has
// no form that can be read again. So what is about such calls is left where a
// program becomes text for other pipelines (LeaveOthers.h).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_PASSES_LEFTMEMORY_H
#define BROADLOOM_DRIVER_PASSES_LEFTMEMORY_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"

#include <string>

namespace broadloom {

/// How a remark says that an operation inside of what is left is the reason.
std::string describeUnsupported(mlir::Operation *op);

/// The marked functions of `module` that are left: those of other libraries,
/// functions on numbers alone that cannot be compiled, what calls one of these,
/// directly or not, and what tells effects. With each, how a remark goes on
/// that says why; nothing where nobody needs one.
llvm::DenseMap<mlir::Operation *, std::string>
findLeftMemory(mlir::ModuleOp module);

/// Remarks about what the forms of other pipelines do not check in `function`,
/// which is over memory and is compiled.
void tellUnchecked(mlir::Operation *function);

/// Fails with an error where a call or an access of a global in `left` has not
/// the types of what it names in `symbols`, those of its module: memory of a
/// compiled function has one space.
llvm::LogicalResult checkReferences(mlir::Operation *left,
                                    const mlir::SymbolTable &symbols);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_PASSES_LEFTMEMORY_H
