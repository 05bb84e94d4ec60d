//===- ElementwiseToLinalg.cpp - arith on tensors -------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's pass of this kind is a dialect conversion, which folds: `x ^ x`
// becomes a constant of a type whose extents are not known, and no such
// constant exists. Its pattern alone does no harm.
//
//===----------------------------------------------------------------------===//

#include "lower/Passes.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace broadloom::lower {
#define GEN_PASS_DEF_LOOMELEMENTWISETOLINALG
#include "lower/Passes.h.inc"
} // namespace broadloom::lower

using namespace mlir;
using namespace broadloom;

namespace {

struct LoomElementwiseToLinalgPass
    : lower::impl::LoomElementwiseToLinalgBase<LoomElementwiseToLinalgPass> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    linalg::populateElementwiseToLinalgConversionPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    walkAndApplyPatterns(getOperation(), patterns);
  }

  FrozenRewritePatternSet patterns;
};

} // namespace
