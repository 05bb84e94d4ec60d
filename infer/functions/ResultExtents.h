//===- ResultExtents.h - result extents as values ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits what the shape function of an operation says of its results, for
// lowerings that allocate them: no lowering has a formula of its own (sf-1).
//
// Invariant: what the function requires has been checked before the operation
// (Refiner.h); what is emitted here checks nothing.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_RESULTEXTENTS_H
#define BROADLOOM_INFER_FUNCTIONS_RESULTEXTENTS_H

#include "infer/functions/Library.h"

#include "mlir/IR/Builders.h"

namespace broadloom::infer {

/// The extents of result `index` of `op`, a tensor of known rank: numbers where
/// the declared type has them, else computed at `builder` from the extents of
/// `operands`, which stand for those of `op`. Fails where `library` has no
/// function for the operation or the extents do not follow from the operands'.
/// A static type needs no library, which may then be null.
mlir::FailureOr<llvm::SmallVector<mlir::OpFoldResult>>
emitResultExtents(mlir::OpBuilder &builder, mlir::Operation *op, unsigned index,
                  mlir::ValueRange operands, const ShapeLibrary *library);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_RESULTEXTENTS_H
