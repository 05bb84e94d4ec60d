//===- BroadcastExtents.cpp - extents of broadcasts as IR -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/BroadcastExtents.h"

#include "shape/Formula.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace broadloom;

namespace {

/// `Ops` of joinFormula.
struct ExtentOps {
  OpBuilder &builder;
  Location loc;
  Value oneValue;

  Value one() const { return oneValue; }
  Value equal(Value a, Value b) const {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, b);
  }
  Value select(Value p, Value a, Value b) const {
    return arith::SelectOp::create(builder, loc, p, a, b);
  }
};

} // namespace

Value loom::emitBroadcastExtent(OpBuilder &builder, Location loc, Value a,
                                Value b, Value one) {
  if (!one)
    one = arith::ConstantIndexOp::create(builder, loc, 1);
  return joinFormula(ExtentOps{builder, loc, one}, a, b);
}

OpFoldResult loom::reifyBroadcastExtent(OpBuilder &builder, Location loc,
                                        ValueRange inputs, int64_t rank,
                                        int64_t axis) {
  Value extent;
  for (Value input : inputs) {
    auto type = cast<RankedTensorType>(input.getType());
    int64_t own = axis - (rank - type.getRank());
    if (own < 0 || type.getDimSize(own) == 1)
      continue;
    Value dim = tensor::DimOp::create(builder, loc, input, own);
    extent = extent ? emitBroadcastExtent(builder, loc, extent, dim) : dim;
  }
  if (!extent)
    return builder.getIndexAttr(1);
  return extent;
}
