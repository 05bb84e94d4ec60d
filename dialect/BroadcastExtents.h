//===- BroadcastExtents.h - extents of broadcasts as IR ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits shape/Formula.h as `arith` over indices, for extents whose
// compatibility a guard has checked.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_BROADCASTEXTENTS_H
#define BROADLOOM_DIALECT_BROADCASTEXTENTS_H

#include "mlir/IR/Builders.h"

namespace broadloom::loom {

/// The extent of the broadcast of two compatible extents (bcast-2). `one` is an
/// existing constant 1, or null.
mlir::Value emitBroadcastExtent(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::Value a, mlir::Value b,
                                mlir::Value one = {});

/// The extent on `axis`, of `rank` axes, of the broadcast of ranked `inputs`.
mlir::OpFoldResult reifyBroadcastExtent(mlir::OpBuilder &builder,
                                        mlir::Location loc,
                                        mlir::ValueRange inputs, int64_t rank,
                                        int64_t axis);

} // namespace broadloom::loom

#endif // BROADLOOM_DIALECT_BROADCASTEXTENTS_H
