//===- ProductGuards.h - products that fit into 64 bits ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// rt-13. The analysis computes with numbers, a machine with 64 bits: sizes of
// 4294967296x4294967296 would pass for 0 elements. A guard that compares a
// product therefore also asks that it does not wrap.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_PRODUCTGUARDS_H
#define BROADLOOM_INFER_PRODUCTGUARDS_H

#include "mlir/IR/Builders.h"

namespace broadloom::infer {

/// `condition`, an i1, and that no product wraps of which one of its parts says
/// that it equals something. Factors that are negative are for others to
/// refuse. The product of the extents of one tensor needs no look: it fits, or
/// is 0.
mlir::Value guardProducts(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value condition);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_PRODUCTGUARDS_H
