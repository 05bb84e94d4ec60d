//===- LinalgToContract.cpp - named sums of products of linalg ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// linalg adds products to what its destination holds. Where that is 0, the sum
// is that of a contraction (sum-1); anywhere else it begins from another
// number, and the operation stays what it is.
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"
#include "lower/Passes.h"
#include "lower/contract/MakeContraction.h"
#include "lower/contract/Weights.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace broadloom::lower {
#define GEN_PASS_DEF_CONVERTLINALGTOCONTRACT
#include "lower/Passes.h.inc"
} // namespace broadloom::lower

using namespace mlir;
using namespace broadloom;

namespace {

/// Whether every element of the tensor is 0, and not the negative zero, which
/// negative zeros would add to.
bool isFilledWithZero(Value destination) {
  if (auto fill = destination.getDefiningOp<linalg::FillOp>())
    destination = fill.getInputs()[0];
  return matchPattern(destination, m_PosZeroFloat()) ||
         matchPattern(destination, m_Zero());
}

SmallVector<int64_t> getNumbers(DenseIntElementsAttr numbers) {
  return llvm::to_vector(numbers.getValues<int64_t>());
}

/// The window of a convolution, whose image is padded already.
struct Window {
  SmallVector<int64_t> strides, dilations;
  bool depthwise = false;
};

template <typename Op> Window getWindow(Op op, bool depthwise = false) {
  return {getNumbers(op.getStrides()), getNumbers(op.getDilations()),
          depthwise};
}

/// What window `op` has; nothing where it is no sum of products that kernels
/// have.
std::optional<Window> readWindow(Operation *op) {
  auto isPlain = [](auto product) {
    return !product.hasUserDefinedMaps() &&
           product.getCast() == linalg::TypeFn::cast_signed;
  };
  if (auto product = dyn_cast<linalg::MatmulOp>(op))
    return isPlain(product) ? std::optional<Window>(Window()) : std::nullopt;
  if (auto product = dyn_cast<linalg::BatchMatmulOp>(op))
    return isPlain(product) ? std::optional<Window>(Window()) : std::nullopt;
  if (auto conv = dyn_cast<linalg::Conv1DNwcWcfOp>(op))
    return getWindow(conv);
  if (auto conv = dyn_cast<linalg::Conv2DNhwcHwcfOp>(op))
    return getWindow(conv);
  if (auto conv = dyn_cast<linalg::Conv3DNdhwcDhwcfOp>(op))
    return getWindow(conv);
  if (auto conv = dyn_cast<linalg::DepthwiseConv2DNhwcHwcOp>(op))
    return getWindow(conv, /*depthwise=*/true);
  return std::nullopt;
}

void convert(IRRewriter &rewriter, linalg::LinalgOp op) {
  std::optional<Window> window = readWindow(op);
  if (!window || op->getNumResults() != 1)
    return;
  Value image = op.getDpsInputs()[0], weight = op.getDpsInputs()[1];
  Value destination = op.getDpsInits()[0];
  Type sum = getElementTypeOrSelf(destination.getType());
  if (!isa<RankedTensorType>(destination.getType()) ||
      !lower::isSummed(getElementTypeOrSelf(image.getType()),
                       getElementTypeOrSelf(weight.getType()), sum) ||
      !isFilledWithZero(destination))
    return;
  rewriter.setInsertionPoint(op);
  SmallVector<int64_t> pads(2 * window->strides.size(), 0);
  lower::replaceByContraction(
      rewriter, op, image, weight, /*bias=*/{}, {sum, {}},
      {window->strides, window->dilations, pads, window->depthwise});
  // Nobody needs the zeros.
  for (Operation *dead = destination.getDefiningOp();
       dead && isOpTriviallyDead(dead);) {
    auto fill = dyn_cast<linalg::FillOp>(dead);
    Operation *next = fill ? fill.getOutputs()[0].getDefiningOp() : nullptr;
    rewriter.eraseOp(dead);
    dead = next;
  }
}

struct ConvertLinalgToContractPass
    : lower::impl::ConvertLinalgToContractBase<ConvertLinalgToContractPass> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> operations;
    getOperation()->walk(
        [&](linalg::LinalgOp op) { operations.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : operations)
      convert(rewriter, op);
  }
};

} // namespace
