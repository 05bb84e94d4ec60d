//===- ElementwiseToLinalg.cpp - arith on tensors -------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's pass folds: `x ^ x` becomes a constant of a type with dynamic
// extents, which is invalid. It also treats a select between two tensors as one
// between their elements.
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/UpstreamConstraints.h"
#include "lower/Passes.h"
#include "scalar/ShiftsBeyond.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/DialectConversion.h"

namespace broadloom::lower {
#define GEN_PASS_DEF_LOOMELEMENTWISETOLINALG
#include "lower/Passes.h.inc"
} // namespace broadloom::lower

using namespace mlir;
using namespace broadloom;

namespace {

struct LoomElementwiseToLinalgPass
    : lower::impl::LoomElementwiseToLinalgBase<LoomElementwiseToLinalgPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseToLinalgConversionPatterns(patterns);
    ConversionTarget target(getContext());
    // A select between whole tensors is not element-wise: the tensors may
    // differ in shape.
    target.markUnknownOpDynamicallyLegal(
        [](Operation *op) { return !infer::isElementwiseOnTensors(op); });
    ConversionConfig config;
    config.foldingMode = DialectConversionFoldingMode::Never;
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns), config)))
      return signalPassFailure();
    // Shifts are now on scalars.
    getOperation().walk([](linalg::GenericOp generic) {
      generic.getRegion().walk(
          [](Operation *op) { (void)scalar::defineShift(op); });
    });
  }
};

} // namespace
