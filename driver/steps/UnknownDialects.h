//===- UnknownDialects.h - functions of dialects unknown here ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program may have functions for another compiler beside its own, with
// operations, types and attributes of dialects that nobody knows here. Where
// they are private and nothing needs them, they are read, and left out when the
// program is compiled. Anything else of such a dialect is an error. abi-11
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_STEPS_UNKNOWNDIALECTS_H
#define BROADLOOM_DRIVER_STEPS_UNKNOWNDIALECTS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace broadloom {

/// The attribute of a function that is left out, whose value is the operation
/// for a remark. It is none of the program's.
inline constexpr llvm::StringLiteral kLeftOutKey = "loom.left_out";

/// What `read` reads, with functions of unknown dialects where they are not
/// needed. `read` is called twice at most, and reports why it returns null.
mlir::OwningOpRef<mlir::ModuleOp>
readBesideUnknown(mlir::MLIRContext *context,
                  llvm::function_ref<mlir::OwningOpRef<mlir::ModuleOp>()> read);

/// Erases these functions. `verbose`: with a remark on each.
void leaveOutUnknown(mlir::ModuleOp module, bool verbose);

} // namespace broadloom

#endif // BROADLOOM_DRIVER_STEPS_UNKNOWNDIALECTS_H
