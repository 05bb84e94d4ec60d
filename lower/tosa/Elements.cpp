//===- Elements.cpp - tensors, element by element -------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/tosa/Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace broadloom;

Value lower::computeElements(OpBuilder &builder, Location loc,
                             ArrayRef<OpFoldResult> extents, Type elementType,
                             ValueRange inputs, ElementBody body) {
  Value empty = tensor::EmptyOp::create(builder, loc, extents, elementType);
  SmallVector<AffineMap> maps(inputs.size() + 1,
                              builder.getMultiDimIdentityMap(extents.size()));
  SmallVector<utils::IteratorType> iterators(extents.size(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), inputs, empty, maps, iterators,
             [&](OpBuilder &inner, Location loc, ValueRange elements) {
               Value element = body(inner, loc, elements.drop_back());
               linalg::YieldOp::create(inner, loc, element);
             })
      .getResult(0);
}

Value lower::readZeroPoint(OpBuilder &builder, Location loc, Value zeroPoint,
                           Type type) {
  Value first = arith::ConstantIndexOp::create(builder, loc, 0);
  Value value = tensor::ExtractOp::create(builder, loc, zeroPoint, first);
  return convertScalarToDtype(builder, loc, value, type,
                              /*isUnsignedCast=*/false);
}

void lower::replaceWithCast(PatternRewriter &rewriter, Operation *op, Type type,
                            Value value) {
  if (value.getType() != type)
    value = tensor::CastOp::create(rewriter, op->getLoc(), type, value);
  rewriter.replaceOp(op, value);
}
