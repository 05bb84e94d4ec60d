//===- IndexObligations.cpp - indices that are data -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/IndexObligations.h"

#include "dialect/LoomDialect.h"
#include "infer/functions/Origin.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace broadloom;

/// The least or the greatest element of `tensor`, as an i64; where there is
/// none, the neutral one.
template <typename Op>
static Value reduce(OpBuilder &builder, Location loc, Value tensor,
                    const APInt &neutral) {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto scalar = RankedTensorType::get({}, type.getElementType());
  Value init = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(scalar, neutral));
  MLIRContext *context = builder.getContext();
  SmallVector<AffineMap> maps = {
      AffineMap::getMultiDimIdentityMap(type.getRank(), context),
      AffineMap::get(type.getRank(), 0, context)};
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::reduction);
  auto generic = linalg::GenericOp::create(
      builder, loc, scalar, tensor, init, maps, iterators,
      [](OpBuilder &inner, Location at, ValueRange values) {
        Value best = Op::create(inner, at, values[0], values[1]);
        linalg::YieldOp::create(inner, at, best);
      });
  Value best = tensor::ExtractOp::create(builder, loc, generic.getResult(0),
                                         ValueRange{});
  if (type.getElementType().isInteger(64))
    return best;
  return arith::ExtSIOp::create(builder, loc, builder.getI64Type(), best);
}

void broadloom::lower::obligeIndices(OpBuilder &builder, Operation *op,
                                     Value indices, Value extent) {
  Location loc = op->getLoc();
  unsigned width =
      cast<RankedTensorType>(indices.getType()).getElementTypeBitWidth();
  Value least = reduce<arith::MinSIOp>(builder, loc, indices,
                                       APInt::getSignedMaxValue(width));
  Value greatest = reduce<arith::MaxSIOp>(builder, loc, indices,
                                          APInt::getSignedMinValue(width));
  Value end =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), extent);
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 64);
  Value above = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                      least, zero);
  Value below = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt,
                                      greatest, end);
  Value inside = arith::AndIOp::create(builder, loc, above, below);
  loom::ObligeOp::create(builder, loc, infer::getOrigin(op), inside,
                         "indices are from {0} to {1} but must be in [0, {2})",
                         ValueRange{least, greatest, end});
}
