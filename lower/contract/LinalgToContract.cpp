//===- LinalgToContract.cpp - sums of products of linalg ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// linalg adds products to its destination. If the destination is 0, the sum is
// that of a contraction (sum-1); otherwise it begins with another number, and
// the operation stays.
//
// linalg computes as many windows as the destination has elements, a
// contraction as many as the image has: a larger image is sliced.
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"
#include "lower/Passes.h"
#include "lower/contract/LinalgProducts.h"
#include "lower/contract/MakeContraction.h"
#include "lower/contract/Weights.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace broadloom::lower {
#define GEN_PASS_DEF_CONVERTLINALGTOCONTRACT
#include "lower/Passes.h.inc"
} // namespace broadloom::lower

using namespace mlir;
using namespace broadloom;

namespace {

/// Whether every element of the tensor is +0; a sum of negative zeros that
/// begins with -0 would be -0.
bool isFilledWithZero(Value destination) {
  if (auto fill = destination.getDefiningOp<linalg::FillOp>())
    destination = fill.getInputs()[0];
  return matchPattern(destination, m_PosZeroFloat()) ||
         matchPattern(destination, m_Zero());
}

SmallVector<int64_t> getNumbers(DenseIntElementsAttr numbers) {
  return llvm::to_vector(numbers.getValues<int64_t>());
}

/// Where a convolution has the axes of a contraction's image, weight and
/// result: axis `i` is that axis of the operand. Empty where all are the same.
struct Layout {
  SmallVector<int64_t> image, weight, result;
};

/// The window of a convolution, whose image is already padded.
struct Window {
  SmallVector<int64_t> strides, dilations;
  ContractionKind kind = ContractionKind::Products;
  Layout layout;
};

template <typename Op>
Window getWindow(Op op, ContractionKind kind = ContractionKind::Products,
                 Layout layout = {}) {
  return {getNumbers(op.getStrides()), getNumbers(op.getDilations()), kind,
          std::move(layout)};
}

/// The layout of an operation whose image and result have the channels behind
/// the batch, and whose weight has the output channels and then the input
/// channels, or the channels alone, before the window.
template <typename Op>
Window getChannelsFirst(Op op,
                        ContractionKind kind = ContractionKind::Products) {
  int64_t axes = op.getStrides().getNumElements();
  Layout layout;
  layout.image = {0};
  llvm::append_range(layout.image, llvm::seq<int64_t>(2, axes + 2));
  layout.image.push_back(1);
  layout.result = layout.image;
  int64_t channels = getNumChannelAxes(kind);
  llvm::append_range(layout.weight,
                     llvm::seq<int64_t>(channels, axes + channels));
  llvm::append_range(layout.weight,
                     llvm::reverse(llvm::seq<int64_t>(0, channels)));
  return getWindow(op, kind, std::move(layout));
}

/// The window of `op`; nothing if kernels do not support its sum of products.
std::optional<Window> readWindow(Operation *op) {
  if (auto conv = dyn_cast<linalg::Conv1DNwcWcfOp>(op))
    return getWindow(conv);
  if (auto conv = dyn_cast<linalg::Conv2DNhwcHwcfOp>(op))
    return getWindow(conv);
  if (auto conv = dyn_cast<linalg::Conv3DNdhwcDhwcfOp>(op))
    return getWindow(conv);
  if (auto conv = dyn_cast<linalg::DepthwiseConv2DNhwcHwcOp>(op))
    return getWindow(conv, ContractionKind::Depthwise);
  if (auto conv = dyn_cast<linalg::Conv2DNhwcFhwcOp>(op))
    return getWindow(conv, ContractionKind::Products,
                     {/*image=*/{}, /*weight=*/{1, 2, 3, 0}, /*result=*/{}});
  if (auto conv = dyn_cast<linalg::Conv1DNcwFcwOp>(op))
    return getChannelsFirst(conv);
  if (auto conv = dyn_cast<linalg::Conv2DNchwFchwOp>(op))
    return getChannelsFirst(conv);
  if (auto conv = dyn_cast<linalg::Conv3DNcdhwFcdhwOp>(op))
    return getChannelsFirst(conv);
  if (auto conv = dyn_cast<linalg::DepthwiseConv2DNchwChwOp>(op))
    return getChannelsFirst(conv, ContractionKind::Depthwise);
  return std::nullopt;
}

ArrayRef<int64_t> getShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// The part of the image along the window's axes that the windows of a result
/// with these extents read.
class SeenPart {
public:
  SeenPart(const Window &window, Value image, Value weight, Value destination)
      : window(window), image(image), weight(weight), destination(destination) {
  }

  /// Whether it is the whole image by the types.
  bool isAll() const {
    return llvm::all_of(axes(), [&](int64_t axis) {
      int64_t extent = getShape(image)[axis + 1],
              kernel = getShape(weight)[axis],
              results = getShape(destination)[axis + 1];
      if (ShapedType::isDynamic(extent) || ShapedType::isDynamic(kernel) ||
          ShapedType::isDynamic(results) || kernel == 0)
        return false;
      int64_t covered = (kernel - 1) * window.dilations[axis] + 1;
      return extent >= covered &&
             (extent - covered) / window.strides[axis] + 1 == results;
    });
  }

  /// Whether the operation computes any element, so that its guards have
  /// checked the image: no extent of the destination or of the weight is 0.
  Value computesAnything(OpBuilder &b, Location loc) const {
    Value all = arith::ConstantIntOp::create(b, loc, true, 1);
    Value none = arith::ConstantIndexOp::create(b, loc, 0);
    for (Value tensor : {destination, weight})
      for (auto [axis, extent] : llvm::enumerate(getShape(tensor))) {
        if (!ShapedType::isDynamic(extent) && extent != 0)
          continue;
        Value some =
            arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                  extentOf(b, loc, tensor, axis), none);
        all = arith::AndIOp::create(b, loc, all, some);
      }
    return all;
  }

  /// Emits the part, if any element is computed.
  Value take(OpBuilder &b, Location loc) const {
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, image);
    for (int64_t axis : axes())
      sizes[axis + 1] = getExtent(b, loc, axis);
    SmallVector<OpFoldResult> zeros(sizes.size(), b.getIndexAttr(0)),
        ones(sizes.size(), b.getIndexAttr(1));
    return tensor::ExtractSliceOp::create(b, loc, image, zeros, sizes, ones);
  }

private:
  llvm::iota_range<int64_t> axes() const {
    return llvm::seq<int64_t>(0, window.strides.size());
  }

  static Value extentOf(OpBuilder &b, Location loc, Value tensor,
                        int64_t axis) {
    return b.createOrFold<tensor::DimOp>(loc, tensor, axis);
  }

  /// (results - 1) * stride + (kernel - 1) * dilation + 1
  OpFoldResult getExtent(OpBuilder &b, Location loc, int64_t axis) const {
    AffineExpr results, kernel;
    bindDims(b.getContext(), results, kernel);
    return affine::makeComposedFoldedAffineApply(
        b, loc,
        (results - 1) * window.strides[axis] +
            (kernel - 1) * window.dilations[axis] + 1,
        {tensor::getMixedSize(b, loc, destination, axis + 1),
         tensor::getMixedSize(b, loc, weight, axis)});
  }

  const Window &window;
  Value image, weight, destination;
};

/// Erases unused zeros.
void eraseUnused(IRRewriter &rewriter, Value zeros) {
  for (Operation *dead = zeros.getDefiningOp();
       dead && isOpTriviallyDead(dead);) {
    auto fill = dyn_cast<linalg::FillOp>(dead);
    Operation *next = fill ? fill.getOutputs()[0].getDefiningOp() : nullptr;
    rewriter.eraseOp(dead);
    dead = next;
  }
}

/// A tensor of any elements with the extents of `tensor`, in another order.
Value getLike(OpBuilder &b, Location loc, Value tensor,
              ArrayRef<int64_t> order) {
  if (order.empty())
    return tensor;
  return tensor::EmptyOp::create(
      b, loc, applyPermutation(tensor::getMixedSizes(b, loc, tensor), order),
      getElementTypeOrSelf(tensor.getType()));
}

/// Whether a convolution of this window is a contraction.
bool isContraction(linalg::LinalgOp op, const Window &window) {
  auto image = cast<TensorType>(op.getDpsInputs()[0].getType()),
       weight = cast<TensorType>(op.getDpsInputs()[1].getType());
  auto result = dyn_cast<RankedTensorType>(op.getDpsInits()[0].getType());
  return result &&
         lower::isSummed(image.getElementType(), weight.getElementType(),
                         result.getElementType()) &&
         // A permuted tensor would have no encoding.
         (window.layout.weight.empty() || !result.getEncoding());
}

/// The contraction of this type, of the part of the image that the windows see;
/// zeros like `filled` where no element is computed.
Value contractWindows(OpBuilder &b, Location loc, const Window &window,
                      Value image, Value weight, Value filled) {
  auto type = cast<RankedTensorType>(filled.getType());
  SmallVector<int64_t> pads(2 * window.strides.size(), 0);
  auto contract = [&](OpBuilder &b, Value image) {
    return lower::makeContraction(
        b, loc, type, image, weight, /*bias=*/{}, {type.getElementType(), {}},
        {window.strides, window.dilations, pads, window.kind});
  };
  SeenPart part(window, image, weight, filled);
  if (part.isAll())
    return contract(b, image);
  auto branch = scf::IfOp::create(
      b, loc, part.computesAnything(b, loc),
      [&](OpBuilder &b, Location loc) {
        scf::YieldOp::create(b, loc, contract(b, part.take(b, loc)));
      },
      [&](OpBuilder &b, Location loc) {
        Value zero = arith::ConstantOp::create(
            b, loc, b.getZeroAttr(type.getElementType()));
        scf::YieldOp::create(
            b, loc, linalg::FillOp::create(b, loc, zero, filled).getResult(0));
      });
  return branch.getResult(0);
}

void convertWindows(IRRewriter &rewriter, linalg::LinalgOp op) {
  std::optional<Window> window = readWindow(op);
  if (!window || op->getNumResults() != 1 || !isContraction(op, *window))
    return;
  rewriter.setInsertionPoint(op);
  const Layout &layout = window->layout;
  Value image =
      lower::permuteAxes(rewriter, op.getDpsInputs()[0], layout.image);
  Value weight =
      lower::permuteAxes(rewriter, op.getDpsInputs()[1], layout.weight);
  Value destination = op.getDpsInits()[0];
  Value filled = getLike(rewriter, op.getLoc(), lower::getFilled(destination),
                         layout.result);
  Value result =
      contractWindows(rewriter, op.getLoc(), *window, image, weight, filled);
  rewriter.replaceOp(
      op, lower::permuteAxes(rewriter, result,
                             invertPermutationVector(layout.result)));
  eraseUnused(rewriter, destination);
}

void convert(IRRewriter &rewriter, linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1 || !isFilledWithZero(op.getDpsInits()[0]))
    return;
  Value destination = op.getDpsInits()[0];
  Value product = lower::contractProduct(rewriter, op);
  if (!product)
    return convertWindows(rewriter, op);
  rewriter.replaceOp(op, product);
  eraseUnused(rewriter, destination);
}

struct ConvertLinalgToContractPass
    : lower::impl::ConvertLinalgToContractBase<ConvertLinalgToContractPass> {
  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> operations;
    // Zeros are erased with what adds to them.
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (!isa<linalg::FillOp>(op))
        operations.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : operations)
      convert(rewriter, op);
  }
};

} // namespace
