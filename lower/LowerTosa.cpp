//===- LowerTosa.cpp - the rest of TOSA, through upstream's patterns ------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/Passes.h"
#include "lower/user/Unimplemented.h"

#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Transforms/Passes.h"
#include "mlir/Dialect/Tosa/Utils/ConversionUtils.h"
#include "mlir/Transforms/DialectConversion.h"

namespace broadloom::lower {
#define GEN_PASS_DEF_LOOMLOWERTOSA
#include "lower/Passes.h.inc"
} // namespace broadloom::lower

using namespace mlir;
using namespace broadloom;

namespace {

/// `tosa.slice` has its sizes as an operand; the result's declared type may
/// leave extents open that the sizes give, which upstream's pattern makes
/// invalid IR of.
struct SliceByItsSizes : OpConversionPattern<tosa::SliceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tosa::SliceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value input = adaptor.getInput1();
    auto type = dyn_cast<RankedTensorType>(input.getType());
    SmallVector<int64_t> starts, sizes;
    if (!type ||
        !tosa::getConstShapeValues(op.getStart().getDefiningOp(), starts) ||
        !tosa::getConstShapeValues(op.getSize().getDefiningOp(), sizes))
      return rewriter.notifyMatchFailure(op, "start or size is no constant");
    SmallVector<OpFoldResult> offsets, extents, strides;
    SmallVector<int64_t> shape;
    for (auto [axis, start, size] : llvm::enumerate(starts, sizes)) {
      offsets.push_back(rewriter.getIndexAttr(start));
      strides.push_back(rewriter.getIndexAttr(1));
      // A size of -1 is all that is left.
      int64_t extent = type.getDimSize(axis);
      if (size == -1 && !ShapedType::isDynamic(extent))
        size = std::max<int64_t>(extent - start, 0);
      shape.push_back(size == -1 ? ShapedType::kDynamic : size);
      if (size != -1) {
        extents.push_back(rewriter.getIndexAttr(size));
        continue;
      }
      Value all = tensor::DimOp::create(rewriter, loc, input, axis);
      Value first = arith::ConstantIndexOp::create(rewriter, loc, start);
      extents.push_back(
          arith::SubIOp::create(rewriter, loc, all, first).getResult());
    }
    auto sliced = RankedTensorType::get(shape, type.getElementType());
    if (!tensor::CastOp::areCastCompatible(sliced, op.getType()))
      return op.emitOpError("gives ")
             << sliced << " by its sizes, but declares " << op.getType();
    Value slice = tensor::ExtractSliceOp::create(rewriter, loc, sliced, input,
                                                 offsets, extents, strides);
    if (slice.getType() != op.getType())
      slice = tensor::CastOp::create(rewriter, loc, op.getType(), slice);
    rewriter.replaceOp(op, slice);
    return success();
  }
};

/// `tosa.tile` reads element i modulo the operand's extent. Upstream's pattern
/// goes through a reshape with several open extents, which is invalid IR.
struct TileByIndex : OpConversionPattern<tosa::TileOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tosa::TileOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value input = adaptor.getInput1();
    auto type = dyn_cast<RankedTensorType>(input.getType());
    SmallVector<int64_t> multiples;
    if (!type || failed(op.getConstantMultiples(multiples)) ||
        llvm::any_of(multiples, [](int64_t n) { return n < 0; }))
      return rewriter.notifyMatchFailure(op, "multiples are no constant");
    SmallVector<Value> own;
    SmallVector<OpFoldResult> extents;
    for (auto [axis, multiple] : llvm::enumerate(multiples)) {
      own.push_back(tensor::DimOp::create(rewriter, loc, input, axis));
      if (!type.isDynamicDim(axis)) {
        extents.push_back(
            rewriter.getIndexAttr(type.getDimSize(axis) * multiple));
        continue;
      }
      Value factor = arith::ConstantIndexOp::create(rewriter, loc, multiple);
      extents.push_back(
          arith::MulIOp::create(rewriter, loc, own.back(), factor).getResult());
    }
    Value empty =
        tensor::EmptyOp::create(rewriter, loc, extents, type.getElementType());
    SmallVector<utils::IteratorType> iterators(type.getRank(),
                                               utils::IteratorType::parallel);
    auto generic = linalg::GenericOp::create(
        rewriter, loc, empty.getType(), ValueRange(), empty,
        rewriter.getMultiDimIdentityMap(type.getRank()), iterators,
        [&](OpBuilder &body, Location loc, ValueRange) {
          SmallVector<Value> indices;
          for (auto [axis, extent] : llvm::enumerate(own)) {
            Value index = linalg::IndexOp::create(body, loc, axis);
            indices.push_back(arith::RemUIOp::create(body, loc, index, extent));
          }
          Value element = tensor::ExtractOp::create(body, loc, input, indices);
          linalg::YieldOp::create(body, loc, element);
        });
    Value tiled = generic.getResult(0);
    if (tiled.getType() != op.getType())
      tiled = tensor::CastOp::create(rewriter, loc, op.getType(), tiled);
    rewriter.replaceOp(op, tiled);
    return success();
  }
};

} // namespace

static void populatePatterns(TypeConverter &converter,
                             RewritePatternSet &patterns) {
  tosa::populateTosaDecomposeTransposeConv(patterns.getContext(), patterns);
  tosa::populateTosaToLinalgNamedConversionPatterns(converter, &patterns,
                                                    TosaToLinalgNamedOptions());
  tosa::populateTosaToLinalgConversionPatterns(converter, &patterns);
  tosa::populateTosaToTensorConversionPatterns(converter, &patterns);
  tosa::populateTosaToArithConversionPatterns(&patterns);
  tosa::populateTosaRescaleToArithConversionPatterns(&patterns,
                                                     /*include32Bit=*/true);
  tosa::populateTosaToSCFConversionPatterns(&patterns);
  // Before upstream's own.
  patterns.add<SliceByItsSizes, TileByIndex>(converter, patterns.getContext(),
                                             /*benefit=*/2);
}

/// Shapes are read where they are used, not converted; with their users gone
/// they compute nothing.
static void eraseUnusedShapes(ModuleOp module) {
  SmallVector<tosa::ConstShapeOp> shapes;
  module.walk([&](tosa::ConstShapeOp shape) { shapes.push_back(shape); });
  for (tosa::ConstShapeOp shape : shapes)
    if (shape->use_empty())
      shape->erase();
}

namespace {

struct LoomLowerTosaPass : lower::impl::LoomLowerTosaBase<LoomLowerTosaPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(lower::reportUnimplemented(module)))
      return signalPassFailure();
    TypeConverter converter;
    tosa::populateTosaTypeConversion(converter);
    RewritePatternSet patterns(&getContext());
    populatePatterns(converter, patterns);
    ConversionTarget target(getContext());
    target.addIllegalDialect<tosa::TosaDialect>();
    target.addLegalOp<tosa::ConstShapeOp>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    // Upstream's folds of TOSA are unsound for dynamic extents (D8a).
    ConversionConfig config;
    config.foldingMode = DialectConversionFoldingMode::Never;
    if (failed(applyPartialConversion(module, target, std::move(patterns),
                                      config)))
      return signalPassFailure();
    eraseUnusedShapes(module);
  }
};

} // namespace
