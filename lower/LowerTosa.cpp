//===- LowerTosa.cpp - the rest of TOSA, through upstream's patterns ------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//


#include "lower/Passes.h"

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
#include "mlir/Transforms/DialectConversion.h"

namespace broadloom::lower {
#define GEN_PASS_DEF_LOOMLOWERTOSA
#include "lower/Passes.h.inc"
} // namespace broadloom::lower

using namespace mlir;
using namespace broadloom;

static void populatePatterns(TypeConverter &converter,
                             RewritePatternSet &patterns) {
  tosa::populateTosaDecomposeTransposeConv(patterns.getContext(), patterns);
  tosa::populateTosaToLinalgNamedConversionPatterns(
      converter, &patterns, TosaToLinalgNamedOptions());
  tosa::populateTosaToLinalgConversionPatterns(converter, &patterns);
  tosa::populateTosaToTensorConversionPatterns(converter, &patterns);
  tosa::populateTosaToArithConversionPatterns(&patterns);
  tosa::populateTosaRescaleToArithConversionPatterns(&patterns,
                                                     /*include32Bit=*/true);
  tosa::populateTosaToSCFConversionPatterns(&patterns);
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

struct LoomLowerTosaPass
    : lower::impl::LoomLowerTosaBase<LoomLowerTosaPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
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
