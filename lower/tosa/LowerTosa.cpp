//===- LowerTosa.cpp - the rest of TOSA, through upstream's patterns ------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"
#include "dialect/WiderIntegers.h"
#include "legalize/user/Unimplemented.h"
#include "lower/Passes.h"
#include "lower/tosa/Control.h"
#include "lower/tosa/Convolution.h"
#include "lower/tosa/Images.h"
#include "lower/tosa/OperandTypes.h"
#include "lower/tosa/Reductions.h"

#include "mlir/Conversion/TosaToArith/TosaToArith.h"
#include "mlir/Conversion/TosaToLinalg/TosaToLinalg.h"
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
#include "mlir/Transforms/DialectConversion.h"

namespace broadloom::lower {
#define GEN_PASS_DEF_LOOMLOWERTOSA
#include "lower/Passes.h.inc"
} // namespace broadloom::lower

using namespace mlir;
using namespace broadloom;

static void populatePatterns(TypeConverter &converter,
                             RewritePatternSet &patterns,
                             const infer::ResultExtents &shapes) {
  tosa::populateTosaToLinalgNamedConversionPatterns(converter, &patterns,
                                                    TosaToLinalgNamedOptions());
  tosa::populateTosaToLinalgConversionPatterns(converter, &patterns);
  tosa::populateTosaToTensorConversionPatterns(converter, &patterns);
  tosa::populateTosaToArithConversionPatterns(&patterns);
  tosa::populateTosaRescaleToArithConversionPatterns(&patterns,
                                                     /*include32Bit=*/true);
  lower::populateMoves(converter, patterns, shapes);
  lower::populateConcatenation(converter, patterns);
  lower::populateIndexed(converter, patterns);
  lower::populateAveragePool(converter, patterns, shapes);
  lower::populateConvolution(converter, patterns, shapes);
  lower::populateDepthwiseConvolution(converter, patterns, shapes);
  lower::populateFourier(converter, patterns);
  lower::populateMatMul(converter, patterns, shapes);
  lower::populateMaxPool(converter, patterns, shapes);
  lower::populateReductions(converter, patterns);
  lower::populateRescale(converter, patterns, shapes);
  lower::populateResize(converter, patterns, shapes);
  lower::populateTransposeConvolution(converter, patterns, shapes);
}

/// Whether `op` computes with shapes, or is a constant one.
static bool isShape(Operation *op) {
  return op->hasTrait<OpTrait::tosa::TosaShapeOperator>();
}

bool lower::needsShapeFunction(Operation *op) {
  if (isShape(op))
    return !isa<tosa::ConstShapeOp>(op);
  if (isa<tosa::Conv2DOp, tosa::Conv3DOp>(op))
    return isOpenConvolution(op);
  if ((isa<tosa::MatMulOp>(op) && !hasOpenZeroPoints(op)) ||
      (isa<tosa::RescaleOp>(op) && !isOpenRescale(op)))
    return false;
  return isa<tosa::AvgPool2dOp, tosa::MaxPool2dOp, tosa::ResizeOp,
             tosa::TransposeConv2DOp, tosa::DepthwiseConv2DOp, tosa::MatMulOp,
             tosa::RescaleOp>(op) &&
         !cast<ShapedType>(op->getResult(0).getType()).hasStaticShape();
}

/// Whether an operation of the module needs a shape function.
static bool needsShapeFunctions(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        return lower::needsShapeFunction(op) ? WalkResult::interrupt()
                                             : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Replaces shapes by their numbers, which the users of the shapes read.
static LogicalResult emitShapes(ModuleOp module,
                                const infer::ResultExtents &shapes) {
  SmallVector<Operation *> operations;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isShape(op))
      operations.push_back(op);
  });
  for (Operation *op : operations)
    if (failed(shapes.emitNumbers(op)))
      return op->emitOpError("has numbers that no extent and no constant "
                             "tells; compute them from 'tosa.dim' and "
                             "'tosa.const_shape'");
  return success();
}

/// Drops encodings, because upstream's lowerings make tensors without them.
/// Only shape functions, which have run, read encodings (sf-10).
static void dropEncodings(ModuleOp module) {
  auto hasEncoding = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getEncoding();
  };
  auto isFound = [&](Operation *op) {
    bool found = llvm::any_of(op->getResultTypes(), hasEncoding);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        found |= llvm::any_of(block.getArgumentTypes(), hasEncoding);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  };
  if (!module.walk(isFound).wasInterrupted())
    return;
  AttrTypeReplacer replacer;
  replacer.addReplacement([](RankedTensorType type) -> std::optional<Type> {
    return type.getEncoding() ? std::optional<Type>(type.dropEncoding())
                              : std::nullopt;
  });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

/// Erases operations on shapes, whose users are replaced.
static void eraseUnusedShapes(ModuleOp module) {
  module.walk([](Operation *op) {
    bool isShape = op->getNumResults() == 1 &&
                   isa<tosa::shapeType>(op->getResult(0).getType());
    if (isShape && op->use_empty())
      op->erase();
  });
}

namespace {

struct LoomLowerTosaPass : lower::impl::LoomLowerTosaBase<LoomLowerTosaPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(legalize::reportUnimplemented(module)))
      return signalPassFailure();
    FailureOr<infer::SharedLibrary> library = infer::SharedLibrary();
    if (needsShapeFunctions(module))
      library = libraries->get(module);
    if (failed(library))
      return signalPassFailure();
    infer::ResultExtents shapes(library->get());
    if (failed(emitShapes(module, shapes)))
      return signalPassFailure();
    // Any rounding is allowed, but upstream has patterns only for the other
    // modes.
    module.walk([](tosa::RescaleOp rescale) {
      if (rescale.getRoundingMode() == tosa::RoundingMode::INEXACT_ROUND)
        rescale.setRoundingMode(tosa::RoundingMode::SINGLE_ROUND);
    });
    dropEncodings(module);
    lower::lowerControl(module);
    lower::takeOperandTypes(module);
    lower::shareConcatenations(module);
    // Upstream's converter makes unsigned integers signless, but only in
    // lowered operations; other operations keep them.
    TypeConverter converter;
    converter.addConversion([](Type type) { return type; });
    RewritePatternSet patterns(&getContext());
    populatePatterns(converter, patterns, shapes);
    ConversionTarget target(getContext());
    target.addIllegalDialect<tosa::TosaDialect>();
    target.addLegalOp<tosa::ConstShapeOp>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    // Upstream's folds of TOSA are unsound for dynamic extents (decision 70).
    ConversionConfig config;
    config.foldingMode = DialectConversionFoldingMode::Never;
    if (failed(applyPartialConversion(module, target, std::move(patterns),
                                      config)))
      return signalPassFailure();
    lower::openContradictions(module);
    eraseUnusedShapes(module);
    widenIntegers(module, 48); // el-12
  }

  infer::SharedLibraries libraries = std::make_shared<infer::ShapeLibraries>();
};

} // namespace

std::unique_ptr<Pass>
lower::createLoomLowerTosa(infer::SharedLibraries libraries) {
  auto pass = std::make_unique<LoomLowerTosaPass>();
  pass->libraries = std::move(libraries);
  return pass;
}
