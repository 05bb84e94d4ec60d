//===- UserDialects.h - dialects defined in a user's text -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defines the dialects that a text describes in IRDL, so that what comes after
// can use their operations and types (sf-5).
//
// Invariant: upstream's loader, which aborts on names that are taken and on
// some malformed definitions, gets only definitions that have been checked. The
// text is parsed in a context of its own first, because its operations cannot
// be parsed before their dialects exist.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_USERDIALECTS_H
#define BROADLOOM_INFER_FUNCTIONS_USERDIALECTS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/MLIRContext.h"

#include <string>
#include <vector>

namespace broadloom::infer {

/// Defines the dialects of all `irdl.dialect`s in `text`, which diagnostics
/// call `name`. A dialect that was defined by the same text before stays; any
/// other name that is taken is an error (abi-3).
llvm::LogicalResult defineDialects(llvm::StringRef text, llvm::StringRef name,
                                   mlir::MLIRContext *context);

/// Defines the dialects of these files in each context of `registry` before a
/// program that may use their operations in functions is parsed. Errors in a
/// file are reported by the pass that reads it as a shape library.
void registerUserDialects(mlir::DialectRegistry &registry,
                          std::vector<std::string> paths);

/// Whether a text defines the type.
bool isUserType(mlir::Type type);

/// The tensor type that a user's type carries: its parameter, if that is one
/// tensor type; null for any other type. A list of tensors of one element
/// shape, for example, carries the element's.
mlir::TensorType getCarriedType(mlir::Type type);

/// The user's type `type` with another carried one; null if its definition does
/// not allow that.
mlir::Type withCarriedType(mlir::Type type, mlir::TensorType carried);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_USERDIALECTS_H
