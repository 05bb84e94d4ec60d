//===- LowerTosa.cpp - the rest of TOSA, through upstream's patterns ------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"
#include "lower/Passes.h"
#include "lower/tosa/Elements.h"
#include "lower/tosa/Images.h"
#include "lower/user/Unimplemented.h"

#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
#include "mlir/Conversion/TosaToSCF/TosaToSCF.h"
#include "mlir/Conversion/TosaToTensor/TosaToTensor.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shape/IR/Shape.h"
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
    lower::replaceWithCast(rewriter, op, op.getType(), slice);
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
    Value tiled = lower::computeElements(
        rewriter, loc, extents, type.getElementType(), {},
        [&](OpBuilder &body, Location loc, ValueRange) -> Value {
          SmallVector<Value> indices;
          for (auto [axis, extent] : llvm::enumerate(own)) {
            Value index = linalg::IndexOp::create(body, loc, axis);
            indices.push_back(arith::RemUIOp::create(body, loc, index, extent));
          }
          return tensor::ExtractOp::create(body, loc, input, indices);
        });
    lower::replaceWithCast(rewriter, op, op.getType(), tiled);
    return success();
  }
};

} // namespace

static void populatePatterns(TypeConverter &converter,
                             RewritePatternSet &patterns,
                             const infer::ShapeLibrary *library) {
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
  lower::populateAveragePool(converter, patterns, library);
  lower::populateConvolution(converter, patterns, library);
  lower::populateDepthwiseConvolution(converter, patterns, library);
  lower::populateResize(converter, patterns, library);
  lower::populateTransposeConvolution(converter, patterns, library);
}

bool lower::needsShapeFunction(Operation *op) {
  if (isa<tosa::Conv2DOp, tosa::Conv3DOp>(op))
    return isOpenConvolution(op);
  return isa<tosa::AvgPool2dOp, tosa::ResizeOp, tosa::TransposeConv2DOp,
             tosa::DepthwiseConv2DOp>(op) &&
         !cast<ShapedType>(op->getResult(0).getType()).hasStaticShape();
}

/// Whether an operation of the module asks for a shape function.
static bool asksForExtents(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return lower::needsShapeFunction(op) ? WalkResult::interrupt()
                                             : WalkResult::advance();
      })
      .wasInterrupted();
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
    // Whoever has loaded none has no functions of a user.
    if (!library && asksForExtents(module)) {
      auto loaded = infer::loadLibraries(&getContext(), {});
      if (failed(loaded))
        return signalPassFailure();
      library = std::move(*loaded);
    }
    TypeConverter converter;
    tosa::populateTosaTypeConversion(converter);
    RewritePatternSet patterns(&getContext());
    populatePatterns(converter, patterns, library.get());
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

  std::shared_ptr<const infer::ShapeLibrary> library;
};

} // namespace

std::unique_ptr<Pass>
lower::createLoomLowerTosa(std::shared_ptr<const infer::ShapeLibrary> library) {
  auto pass = std::make_unique<LoomLowerTosaPass>();
  pass->library = std::move(library);
  return pass;
}
