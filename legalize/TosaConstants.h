//===- TosaConstants.h - constants at legalization --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Constant tensors: `tosa.const` and `arith.constant`.
//
// Invariant: after checkConstant the value exists and has the size of its type,
// so that later reads are inside its memory.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_TOSACONSTANTS_H
#define BROADLOOM_LEGALIZE_TOSACONSTANTS_H

#include "mlir/IR/Builders.h"

namespace broadloom::legalize {

/// Checks a `tosa.const`, or the value of a verified `arith.constant` or
/// `memref.global`: a resource must exist and have the right size (abi-3). A
/// resource of one element becomes dense, because passes read the values of
/// scalars.
llvm::LogicalResult checkConstant(mlir::Operation *op);

/// Whether the value of a constant was elided from the program's text.
bool wasLeftOut(mlir::Operation *op);
/// Reports that at `op`, one of `count` such constants of a program.
llvm::LogicalResult reportLeftOut(mlir::Operation *op, size_t count);

/// Replaces a `tosa.const` by an `arith.constant` and returns that. Resources
/// stay resources.
mlir::Operation *convertTosaConstant(mlir::Operation *op);

/// The value that all elements of a constant tensor have, as an attribute of
/// the signless scalar type. Null if `value` is not a constant or has different
/// elements.
mlir::TypedAttr getSplatScalar(mlir::Value value);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_TOSACONSTANTS_H
