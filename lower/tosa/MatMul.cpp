//===- MatMul.cpp - products of matrices with open zero points ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/tosa/Convolution.h"
#include "lower/tosa/Images.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace broadloom;

namespace {

struct LowerMatMul : lower::ImagePattern<tosa::MatMulOp> {
  using ImagePattern::ImagePattern;

  bool applies(tosa::MatMulOp op) const override {
    return lower::hasOpenZeroPoints(op);
  }

  Value compute(OpBuilder &b, tosa::MatMulOp op, OpAdaptor adaptor,
                ArrayRef<OpFoldResult> extents,
                Type elementType) const override {
    Location loc = op.getLoc();
    lower::Factor left = lower::readFactor(b, loc, adaptor.getA(),
                                           adaptor.getAZp(), elementType),
                  right = lower::readFactor(b, loc, adaptor.getB(),
                                            adaptor.getBZp(), elementType);
    AffineExpr batch, row, column, summed;
    bindDims(b.getContext(), batch, row, column, summed);
    auto map = [&](AffineExpr y, AffineExpr x) {
      return AffineMap::get(4, 0, {batch, y, x}, b.getContext());
    };
    left.map = map(row, summed);
    right.map = map(summed, column);
    Value zero = arith::ConstantOp::create(
        b, loc, cast<TypedAttr>(b.getZeroAttr(elementType)));
    Value empty = tensor::EmptyOp::create(b, loc, extents, elementType);
    Value start = linalg::FillOp::create(b, loc, zero, empty).getResult(0);
    SmallVector<utils::IteratorType> iterators(3,
                                               utils::IteratorType::parallel);
    iterators.push_back(utils::IteratorType::reduction);
    return lower::addProducts(b, loc, left, right, start, map(row, column),
                              iterators);
  }
};

} // namespace

void lower::populateMatMul(TypeConverter &converter,
                           RewritePatternSet &patterns,
                           const infer::ResultExtents &shapes) {
  patterns.add<LowerMatMul>(converter, patterns.getContext(), shapes);
}
