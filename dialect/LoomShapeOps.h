//===- LoomShapeOps.h - operations of shape functions -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations of the operations in LoomShapeOps.td, which live in the bodies
// of shape functions and nowhere else.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMSHAPEOPS_H
#define BROADLOOM_DIALECT_LOOMSHAPEOPS_H

#include "dialect/LoomDialect.h"

#include "mlir/Dialect/Shape/IR/Shape.h"

namespace broadloom::loom {

/// Trait of operations that are allowed in shape functions only.
template <typename ConcreteOp>
class InShapeFunction
    : public mlir::OpTrait::TraitBase<ConcreteOp, InShapeFunction> {};

/// The resource that a constraint writes: the outcome of an evaluation.
struct ConstraintResource
    : public mlir::SideEffects::Resource::Base<ConstraintResource> {
  llvm::StringRef getName() final { return "loom.constraint"; }
};

/// `tensor<?x!shape.value_shape>`, the type of the operands of a variadic
/// group, which upstream's `tensor.extract` and `tensor.dim` read.
mlir::RankedTensorType getOperandListType(mlir::MLIRContext *context);
/// Whether `type` is that type, with dynamic or static length.
bool isOperandList(mlir::Type type);

} // namespace broadloom::loom

#define GET_OP_CLASSES
#include "dialect/LoomShapeOps.h.inc"

#endif // BROADLOOM_DIALECT_LOOMSHAPEOPS_H
