//===- ResultExtents.h - result extents as values ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits the extents of an operation's results by its shape function, for
// lowerings that allocate the results, and for results that are shapes: no
// lowering has a formula of its own (sf-1).
//
// Invariant: the function's requirements are checked before the operation
// (Refiner.h); the emitted code checks nothing.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_FUNCTIONS_RESULTEXTENTS_H
#define BROADLOOM_INFER_FUNCTIONS_RESULTEXTENTS_H

#include "infer/functions/Library.h"

#include "mlir/IR/Builders.h"

namespace broadloom::infer {

/// Emits the extents of results as arithmetic on other extents.
class ResultExtents {
public:
  /// `library` may be null if all types are static and all shapes constant.
  explicit ResultExtents(const ShapeLibrary *library) : library(library) {}

  /// The extents of result `index` of `op`, a tensor of known rank: static
  /// extents of the declared type, else extents computed at `builder` from
  /// those of `operands`, which replace the operands of `op`, and from the
  /// numbers of its shapes. Fails where the library has no function for the
  /// operation or the extents do not follow from these.
  mlir::FailureOr<llvm::SmallVector<mlir::OpFoldResult>>
  emit(mlir::OpBuilder &builder, mlir::Operation *op, unsigned index,
       mlir::ValueRange operands) const;

  /// Computes before `op`, whose only result is a `!tosa.shape`, its numbers as
  /// indices, and replaces it by a cast of these; a constant shape stays. To be
  /// called for each such operation, after those that it reads. Fails like
  /// emit().
  mlir::LogicalResult emitNumbers(mlir::Operation *op) const;

private:
  const ShapeLibrary *library;
};

/// The numbers of a `!tosa.shape` that emitNumbers has left: attributes and
/// indices. Nothing for any other value.
std::optional<llvm::SmallVector<mlir::OpFoldResult>>
getNumbers(mlir::Value shape);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_FUNCTIONS_RESULTEXTENTS_H
