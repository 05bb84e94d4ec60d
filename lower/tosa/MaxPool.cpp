//===- MaxPool.cpp - tosa.max_pool2d of floats ----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream begins with the least finite number, and pads with it, so that the
// maximum of negative infinities is wrong. Here the initial value is negative
// infinity, or NaN if NaN is ignored, so that a window of NaN alone gives NaN
// (el-5).
//
//===----------------------------------------------------------------------===//

#include "lower/tosa/Images.h"
#include "scalar/Bodies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace broadloom;

namespace {

struct LowerMaxPool : lower::ImagePattern<tosa::MaxPool2dOp> {
  using ImagePattern::ImagePattern;

  bool applies(tosa::MaxPool2dOp op) const override {
    return isa<FloatType>(getElementTypeOrSelf(op.getType()));
  }

  Value compute(OpBuilder &b, tosa::MaxPool2dOp op, OpAdaptor adaptor,
                ArrayRef<OpFoldResult> extents,
                Type elementType) const override {
    Location loc = op.getLoc();
    auto element = cast<FloatType>(elementType);
    bool ignores = op.getNanMode() == tosa::NanPropagationMode::IGNORE;
    const llvm::fltSemantics &semantics = element.getFloatSemantics();
    APFloat nothing = ignores ? APFloat::getNaN(semantics)
                              : APFloat::getInf(semantics, /*Negative=*/true);
    Value least =
        arith::ConstantOp::create(b, loc, FloatAttr::get(element, nothing));
    Value image = pad(b, op, adaptor.getInput(), least);
    Value empty = tensor::EmptyOp::create(b, loc, extents, element);
    Value start = linalg::FillOp::create(b, loc, least, empty).getResult(0);
    Value window = tensor::EmptyOp::create(b, loc, op.getKernel(), element);
    if (ignores)
      return takeLargestNumber(b, op, image, window, start);
    return linalg::PoolingNhwcMaxOp::create(
               b, loc, start.getType(), ValueRange{image, window}, start,
               b.getI64VectorAttr(op.getStride()), b.getI64VectorAttr({1, 1}))
        .getResult(0);
  }

private:
  static Value pad(OpBuilder &b, tosa::MaxPool2dOp op, Value image,
                   Value with) {
    ArrayRef<int64_t> pads = op.getPad();
    if (llvm::all_of(pads, [](int64_t n) { return n == 0; }))
      return image;
    SmallVector<OpFoldResult> low = getAsIndexOpFoldResult(
                                  b.getContext(), {0, pads[0], pads[2], 0}),
                              high = getAsIndexOpFoldResult(
                                  b.getContext(), {0, pads[1], pads[3], 0});
    return tensor::PadOp::create(b, op.getLoc(), Type(), image, low, high,
                                 with);
  }

  /// The loops are batch, rows, columns, the kernel's rows and columns, and
  /// channels.
  static Value takeLargestNumber(OpBuilder &b, tosa::MaxPool2dOp op,
                                 Value image, Value window, Value start) {
    SmallVector<AffineExpr, 6> d(6);
    bindDimsList(b.getContext(), MutableArrayRef<AffineExpr>(d));
    ArrayRef<int64_t> stride = op.getStride();
    auto map = [&](ArrayRef<AffineExpr> results) {
      return AffineMap::get(6, 0, results, b.getContext());
    };
    SmallVector<AffineMap> maps = {
        map({d[0], d[1] * stride[0] + d[3], d[2] * stride[1] + d[4], d[5]}),
        map({d[3], d[4]}), map({d[0], d[1], d[2], d[5]})};
    constexpr auto kEach = utils::IteratorType::parallel;
    constexpr auto kFolded = utils::IteratorType::reduction;
    SmallVector<utils::IteratorType> iterators = {kEach,   kEach,   kEach,
                                                  kFolded, kFolded, kEach};
    return linalg::GenericOp::create(
               b, op.getLoc(), start.getType(), ValueRange{image, window},
               start, maps, iterators,
               [&](OpBuilder &b, Location loc, ValueRange arguments) {
                 scalar::Emitter e(b, loc);
                 Value x = arguments[0], before = arguments[2];
                 Value larger = e.make<arith::MaximumFOp>(x, before);
                 linalg::YieldOp::create(
                     b, loc, scalar::ignoreNaN(e, x, before, larger));
               })
        .getResult(0);
  }
};

} // namespace

void lower::populateMaxPool(TypeConverter &converter,
                            RewritePatternSet &patterns,
                            const infer::ResultExtents &shapes) {
  patterns.add<LowerMaxPool>(converter, patterns.getContext(), shapes);
}
