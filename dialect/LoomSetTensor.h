//===- LoomSetTensor.h - tensors whose shape is a set -----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations of the operations in LoomSetTensor.td, and what the encoding of
// such a tensor says.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMSETTENSOR_H
#define BROADLOOM_DIALECT_LOOMSETTENSOR_H

#include "dialect/LoomDialect.h"

#include "dialect/LoomSetTensorEnums.h.inc"
#define GET_OP_CLASSES
#include "dialect/LoomSetTensor.h.inc"

namespace broadloom::loom {

/// The encoding of a tensor whose shape is a set (set-5); null for any other
/// type.
SetShapeAttr getSetEncoding(mlir::Type type);

/// The tensor of one axis that has the elements of such a tensor, whose extent
/// is open where it is not known how many there are.
mlir::RankedTensorType getSetElements(mlir::RankedTensorType type);

/// The number of elements of `set` in a type of these extents; ShapedType's
/// kDynamic where an extent is open.
int64_t countSetElements(SetShapeAttr set, llvm::ArrayRef<int64_t> shape);

/// Makes the encoding check the types that have it.
void attachSetEncoding(mlir::MLIRContext *context);

} // namespace broadloom::loom

#endif // BROADLOOM_DIALECT_LOOMSETTENSOR_H
