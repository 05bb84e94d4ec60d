//===- FormValues.h - forms of poly/ as arithmetic --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds that edits compute in front of loops.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_SCHEDULE_FORMVALUES_H
#define BROADLOOM_CODEGEN_SCHEDULE_FORMVALUES_H

#include "poly/Space.h"

#include "mlir/IR/PatternMatch.h"

namespace broadloom::codegen {

/// The value of an affine form where `b` inserts. `getValue` has the values of
/// its variables, but for quotients.
mlir::Value
computeForm(mlir::RewriterBase &b, mlir::Location loc, const poly::Space &space,
            const poly::Form &form,
            llvm::function_ref<mlir::Value(poly::Variable)> getValue);

/// `value` by a positive number, rounded down for an upper bound, and else up.
mlir::Value divideBound(mlir::RewriterBase &b, mlir::Location loc,
                        mlir::Value value, int64_t by, bool isUpper);

/// The least or the greatest of some bounds.
mlir::Value joinBounds(mlir::RewriterBase &b, mlir::Location loc,
                       llvm::ArrayRef<mlir::Value> bounds, bool isLeast);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_SCHEDULE_FORMVALUES_H
