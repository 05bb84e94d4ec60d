//===- Elementwise.h - one element-wise operation at legalization --*- C++ -*-//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shared by all lowerings of element-wise operations: the operands that
// broadcast, errors in their shapes, and the scalar body.
//
// Invariant: an Element is either a value or a constant.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_ELEMENTWISE_H
#define BROADLOOM_LEGALIZE_ELEMENTWISE_H

#include "dialect/BroadcastableOpInterface.h"
#include "shape/Verify.h"

#include "mlir/IR/BuiltinAttributeInterfaces.h"

namespace broadloom::legalize {

/// A scalar input of a body: a value of an element type, or a constant of a
/// scalar (signless) type.
struct Element {
  mlir::Value value;
  mlir::TypedAttr constant;
};

/// A checked element-wise operation with its shapes.
struct Elementwise {
  BroadcastableOpInterface op;
  /// The operands that broadcast, in order, and the shape value of each (none
  /// without constraints).
  llvm::SmallVector<mlir::Value> operands;
  llvm::SmallVector<mlir::Value> shapes;
  /// The other operands, in order.
  llvm::SmallVector<Element> scalars;
  /// The result's type: as inferred from the operands, as declared, and merged.
  mlir::Type inferredType;
  mlir::Type declaredType;
  mlir::Type refinedType;
};

/// The operands of `op` that broadcast, in order; `op` has been verified.
llvm::SmallVector<mlir::Value>
getBroadcastingValues(BroadcastableOpInterface op);

/// How legalization compares results with operands.
VerifyOptions getVerifyOptions(DynamicToStatic policy);

/// Whether `constraint` is about the result, not about the operands alone.
bool isAboutResult(const ShapeConstraint &constraint);

/// Reports the refuted constraint at `op`, with the messages of
/// shape/Message.h.
llvm::LogicalResult reportRefuted(mlir::Operation *op,
                                  const Verification &verification,
                                  ShapeList operands);

/// Emits the body of `elementwise` at `builder`, one Element for each operand
/// that broadcasts; returns a value of the result's element type.
llvm::FailureOr<mlir::Value> buildBody(mlir::OpBuilder &builder,
                                       const Elementwise &elementwise,
                                       llvm::ArrayRef<Element> elements);

/// Converts `value`, of an element type, to a scalar, and back.
mlir::Value toScalar(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value value);
mlir::Value fromScalar(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value scalar, mlir::Type elementType);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_ELEMENTWISE_H
