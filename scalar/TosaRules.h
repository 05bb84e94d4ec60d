//===- TosaRules.h - static rules of element-wise operations ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The static rules of docs/spec.md, section 5, for TOSA's element-wise
// operations, apart from their extents.
//
// Invariant: nothing here calls a generated accessor, and nothing is read
// before the structure that it relies on was checked, so that operations
// parsed with verification deferred are safe.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SCALAR_TOSARULES_H
#define BROADLOOM_SCALAR_TOSARULES_H

#include "dialect/BroadcastableOpInterface.h"

#include "mlir/IR/BuiltinAttributeInterfaces.h"

namespace broadloom {

/// Checks how many operands, results, regions and successors `op`, one of the
/// operations of scalar/TosaModels.h, has, and that it works on tensors.
llvm::LogicalResult verifyTosaStructure(mlir::Operation *op);

/// Checks structure, element types, attributes and constants of `op`, one of
/// the operations of scalar/TosaModels.h, and reports the first error.
llvm::LogicalResult verifyTosaElementwise(mlir::Operation *op);

/// Whether `op` is one of TOSA's convolutions, which all have an image, a
/// weight, a bias and the zero points of the first two as operands.
bool isTosaConvolution(mlir::Operation *op);

/// How many of `op`'s leading operands broadcast; those behind are scalars
/// (mul's shift, negate's zero-points).
unsigned getNumBroadcastOperands(mlir::Operation *op);

/// Checks the operand `index`, one that does not broadcast: its element type,
/// that it has one element, and its value if that is a constant (el-1, el-4).
/// The structure and the other operands' types have been checked.
llvm::LogicalResult verifyScalarOperand(mlir::Operation *op, unsigned index);

/// The one element of a constant tensor: an IntegerAttr or a FloatAttr. Null if
/// `value` is not a constant, or has more than one element.
mlir::TypedAttr getConstantElement(mlir::Value value);

/// Implements BroadcastableOpInterface::getScalarConstraints.
void buildTosaScalarConstraints(
    mlir::Operation *op, mlir::OpBuilder &builder, mlir::Location loc,
    mlir::ValueRange scalars,
    llvm::SmallVectorImpl<ScalarConstraint> &constraints);

} // namespace broadloom

#endif // BROADLOOM_SCALAR_TOSARULES_H
