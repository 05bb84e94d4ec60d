//===- WideElements.h - computing in wider elements -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations on element types that later passes do not support become the same
// operations on wider types, between lossless casts (el-12).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_WIDEELEMENTS_H
#define BROADLOOM_LEGALIZE_WIDEELEMENTS_H

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace broadloom::legalize {

/// The numbers of the operands of `op` that are zero points.
llvm::ArrayRef<unsigned> getZeroPoints(mlir::Operation *op);

/// Makes `op` compute in f16 if it computes with floats of 8 bits, and changes
/// an argmax to i64 to i32. Returns the inserted casts in order.
llvm::SmallVector<mlir::tosa::CastOp> computeInWider(mlir::Operation *op);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_WIDEELEMENTS_H
