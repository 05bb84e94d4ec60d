//===- ShapeValues.h - the shape of each tensor, as a value -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Creates the `!loom.shape` values of tensors, which constraints use (decision
// 66).
//
// Invariant: no shape value reads the result of a map. A map's result has the
// broadcast of its operands' shapes, made with the map; every other tensor has
// a `loom.shape_of` at its definition. So creating one reads a single
// operation, however long the chain is.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_SHAPEVALUES_H
#define BROADLOOM_INFER_CONSTRAINTS_SHAPEVALUES_H

#include "dialect/LoomDialect.h"

#include "mlir/IR/Builders.h"

namespace broadloom::infer {

class ShapeValues {
public:
  /// Created operations are added to `made`.
  explicit ShapeValues(llvm::SmallVectorImpl<mlir::Operation *> &made)
      : made(made) {}

  /// The shape of `tensor`, for a use in `user`.
  mlir::Value get(mlir::Value tensor, mlir::Operation *user);
  /// Sets the shape of `tensor`.
  void set(mlir::Value tensor, mlir::Value shape) { shapes[tensor] = shape; }

  /// The broadcast of `operands`, or one of them if it is known to be that.
  mlir::Value broadcast(mlir::OpBuilder &builder, mlir::Location loc,
                        llvm::ArrayRef<mlir::Value> operands);

private:
  llvm::DenseMap<mlir::Value, mlir::Value> shapes;
  /// The last created shape of an argument of each block.
  llvm::DenseMap<mlir::Block *, mlir::Operation *> last;
  llvm::SmallVectorImpl<mlir::Operation *> &made;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_SHAPEVALUES_H
