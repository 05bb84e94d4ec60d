//===- LoomBoundary.h - what goes on beyond its ends ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations of the operation in LoomBoundary.td.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMBOUNDARY_H
#define BROADLOOM_DIALECT_LOOMBOUNDARY_H

#include "dialect/LoomDialect.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#define GET_OP_CLASSES
#include "dialect/LoomBoundary.h.inc"

namespace broadloom::loom {

/// Emits how many elements an axis of `extent` has with `interior` between each
/// two of them (bnd-1): none where it has none.
mlir::Value getSpreadExtent(mlir::OpBuilder &b, mlir::Location loc,
                            mlir::Value extent, int64_t interior);

} // namespace broadloom::loom

#endif // BROADLOOM_DIALECT_LOOMBOUNDARY_H
