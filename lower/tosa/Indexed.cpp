//===- Indexed.cpp - gather and scatter -----------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's patterns take each extent of the result from one operand, and make
// invalid IR if the types of the others are more or less static.
//
//===----------------------------------------------------------------------===//

#include "lower/tosa/Elements.h"
#include "lower/tosa/Images.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace broadloom;

/// An element of a list of indices as an index.
static Value readIndex(OpBuilder &b, Location loc, Value indices,
                       ValueRange at) {
  Value index = tensor::ExtractOp::create(b, loc, indices, at);
  return arith::IndexCastOp::create(b, loc, b.getIndexType(), index);
}

namespace {

struct LowerGather : OpConversionPattern<tosa::GatherOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tosa::GatherOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value values = adaptor.getValues(), indices = adaptor.getIndices();
    SmallVector<OpFoldResult> extents = {
        tensor::getMixedSize(rewriter, loc, values, 0),
        tensor::getMixedSize(rewriter, loc, indices, 1),
        tensor::getMixedSize(rewriter, loc, values, 2)};
    Value gathered = lower::computeElements(
        rewriter, loc, extents, getElementTypeOrSelf(op.getType()), {},
        [&](OpBuilder &body, Location loc, ValueRange) -> Value {
          SmallVector<Value> element;
          for (int64_t axis : llvm::seq<int64_t>(0, 3))
            element.push_back(linalg::IndexOp::create(body, loc, axis));
          element[1] =
              readIndex(body, loc, indices, ArrayRef(element).take_front(2));
          return tensor::ExtractOp::create(body, loc, values, element);
        });
    lower::replaceWithCast(rewriter, op, op.getType(), gathered);
    return success();
  }
};

/// Writes row by row into a copy of the values.
struct LowerScatter : OpConversionPattern<tosa::ScatterOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tosa::ScatterOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value indices = adaptor.getIndices(), input = adaptor.getInput();
    Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
    Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
    Value batches = tensor::DimOp::create(rewriter, loc, indices, 0);
    Value rows = tensor::DimOp::create(rewriter, loc, indices, 1);
    OpFoldResult channels = tensor::getMixedSize(rewriter, loc, input, 2);
    SmallVector<OpFoldResult> sizes = {rewriter.getIndexAttr(1),
                                       rewriter.getIndexAttr(1), channels};
    SmallVector<OpFoldResult> steps(3, rewriter.getIndexAttr(1));
    scf::LoopNest nest = scf::buildLoopNest(
        rewriter, loc, {zero, zero}, {batches, rows}, {one, one},
        ValueRange{adaptor.getValuesIn()},
        [&](OpBuilder &b, Location loc, ValueRange at,
            ValueRange carried) -> scf::ValueVector {
          Value to = readIndex(b, loc, indices, at);
          SmallVector<OpFoldResult> from = {at[0], at[1], b.getIndexAttr(0)};
          SmallVector<OpFoldResult> into = {at[0], to, b.getIndexAttr(0)};
          Value row =
              tensor::ExtractSliceOp::create(b, loc, input, from, sizes, steps);
          return {tensor::InsertSliceOp::create(b, loc, row, carried.front(),
                                                into, sizes, steps)};
        });
    lower::replaceWithCast(rewriter, op, op.getType(), nest.results.front());
    return success();
  }
};

} // namespace

void lower::populateIndexed(TypeConverter &converter,
                            RewritePatternSet &patterns) {
  // With a higher benefit than upstream's patterns.
  patterns.add<LowerGather, LowerScatter>(converter, patterns.getContext(),
                                          /*benefit=*/2);
}
