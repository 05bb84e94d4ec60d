//===- BroadcastableOpInterface.h - element-wise operations -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The interface through which element-wise operations of any dialect become
// `loom.map` (decision 64), and its types. Upstream's TOSA operations get it
// from scalar/TosaModels.h; other dialects declare it in their `.td` files
// (BroadcastableOpInterface.td).
//
// Invariant: scalars are signless. An element of type ui8 or si8 is an i8
// scalar; its signedness is read from the operation's types.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_BROADCASTABLEOPINTERFACE_H
#define BROADLOOM_DIALECT_BROADCASTABLEOPINTERFACE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace broadloom {

/// A condition on run-time data that must hold before the operation computes,
/// such as the range of a shift (el-1).
struct ScalarConstraint {
  /// An i1.
  mlir::Value condition;
  /// Text with {0}, {1}, ... for the values.
  std::string message;
  /// The i64 values in the message.
  llvm::SmallVector<mlir::Value, 1> values;
};

/// The type of the scalar that stands for one element: `elementType`, or the
/// signless integer of its width.
mlir::Type getScalarType(mlir::Type elementType);

/// 0, 1, ... for all operands of `op`.
llvm::SmallVector<unsigned> allOperands(mlir::Operation *op);

/// Checks that `op` has one result, at least one operand, no regions and no
/// successors, and that all its types are tensors (ranked or not). Errors are
/// reported at `op`.
llvm::LogicalResult verifyElementwiseStructure(mlir::Operation *op);

} // namespace broadloom

#include "dialect/BroadcastableOpInterface.h.inc"

#endif // BROADLOOM_DIALECT_BROADCASTABLEOPINTERFACE_H
