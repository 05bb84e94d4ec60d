//===- TosaToContract.cpp - convolutions and products of matrices ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations that are not converted go to linalg (lower/tosa): other types of
// sums, zero points that are not constant, images in three dimensions channel
// by channel, and some pools (lower/contract/Pools.h) and rescales
// (lower/contract/Rescales.h).
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"
#include "lower/Passes.h"
#include "lower/contract/Dilate.h"
#include "lower/contract/MakeContraction.h"
#include "lower/contract/Phases.h"
#include "lower/contract/Pools.h"
#include "lower/contract/Rescales.h"
#include "lower/contract/Weights.h"
#include "scalar/TosaRules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace broadloom::lower {
#define GEN_PASS_DEF_CONVERTTOSATOCONTRACT
#include "lower/Passes.h.inc"
} // namespace broadloom::lower

using namespace mlir;
using namespace broadloom;

namespace {

Type getElement(Value value) { return getElementTypeOrSelf(value.getType()); }

bool isRanked(Operation *op) {
  auto ranked = [](Type type) { return isa<RankedTensorType>(type); };
  return llvm::all_of(op->getOperandTypes(), ranked) &&
         llvm::all_of(op->getResultTypes(), ranked);
}

/// The sum of `op`; nothing if kernels do not support it, because of its types
/// or of a zero point that is not constant.
std::optional<lower::ContractedSum> readSum(Operation *op, Type type,
                                            Value image, Value weight,
                                            Value imageZero, Value weightZero) {
  lower::ContractedSum sum{type, {}};
  if (!isRanked(op) ||
      !lower::isSummed(getElement(image), getElement(weight), type))
    return std::nullopt;
  if (isa<FloatType>(type))
    return sum;
  for (Value value : {imageZero, weightZero}) {
    DenseIntElementsAttr constant;
    if (!matchPattern(value, m_Constant(&constant)) ||
        constant.getNumElements() != 1)
      return std::nullopt;
    sum.zeroPoints.push_back((*constant.begin()).getSExtValue());
  }
  return sum;
}

/// The same for a convolution, whose padding must not be negative.
template <typename Op> std::optional<lower::ContractedSum> readSum(Op op) {
  if (llvm::any_of(op.getPad(), [](int64_t pad) { return pad < 0; }))
    return std::nullopt;
  return readSum(op, op.getAccType(), op.getInput(), op.getWeight(),
                 op.getInputZp(), op.getWeightZp());
}

template <typename Op> void convertConvolution(IRRewriter &rewriter, Op op) {
  std::optional<lower::ContractedSum> sum = readSum(op);
  if (!sum)
    return;
  rewriter.setInsertionPoint(op);
  // Transposes the weight from output channels first to output channels last.
  int64_t rank = cast<ShapedType>(op.getWeight().getType()).getRank();
  auto order = llvm::to_vector(llvm::seq<int64_t>(1, rank));
  order.push_back(0);
  Value weight = lower::permuteAxes(rewriter, op.getWeight(), order);
  lower::replaceByContraction(rewriter, op, op.getInput(), weight, op.getBias(),
                              *sum,
                              {op.getStride(), op.getDilation(), op.getPad()});
}

/// Whether, by the types, the image has no row or column: a guard then always
/// fails (img-1).
bool hasNothing(tosa::TransposeConv2DOp op) {
  return llvm::any_of(ArrayRef<int64_t>{1, 2}, [&](int64_t axis) {
    return cast<ShapedType>(op.getInput().getType()).getDimSize(axis) == 0 ||
           cast<ShapedType>(op.getWeight().getType()).getDimSize(axis) == 0;
  });
}

void convertTransposed(IRRewriter &rewriter, tosa::TransposeConv2DOp op) {
  std::optional<lower::ContractedSum> sum =
      readSum(op, op.getAccType(), op.getInput(), op.getWeight(),
              op.getInputZp(), op.getWeightZp());
  if (!sum || hasNothing(op))
    return;
  rewriter.setInsertionPoint(op);
  if (lower::replaceByPhases(rewriter, op, *sum))
    return;
  Value image = lower::dilateImage(
      rewriter, op, sum->zeroPoints.empty() ? 0 : sum->zeroPoints.front());
  Value weight = lower::permuteAxes(
      rewriter, lower::reverseKernel(rewriter, op), {1, 2, 3, 0});
  lower::replaceByContraction(rewriter, op, image, weight, op.getBias(), *sum,
                              {{1, 1}, {1, 1}, {0, 0, 0, 0}});
}

/// Whether each result depends on the image's element at its own index.
bool isPointwise(tosa::DepthwiseConv2DOp op) {
  auto weight = cast<ShapedType>(op.getWeight().getType());
  auto all = [](ArrayRef<int64_t> numbers, int64_t number) {
    return llvm::all_of(numbers, [=](int64_t n) { return n == number; });
  };
  return weight.getDimSize(0) == 1 && weight.getDimSize(1) == 1 &&
         all(op.getStride(), 1) && all(op.getPad(), 0) &&
         op.getResult().getType() == op.getInput().getType() &&
         op.getAccType() == getElement(op.getInput());
}

/// Such a convolution is a map.
void replaceByMap(IRRewriter &rewriter, tosa::DepthwiseConv2DOp op,
                  Value weight) {
  Location loc = op.getLoc();
  Type element = getElement(op.getInput());
  auto map = loom::MapOp::create(rewriter, loc, op->getResultTypes(),
                                 {op.getInput(), weight, op.getBias()});
  using loom::AxisAccess;
  auto access = [&](ArrayRef<AxisAccess> axes) -> Attribute {
    return loom::AccessAttr::get(rewriter.getContext(), /*ranked=*/true, axes);
  };
  constexpr AxisAccess match = AxisAccess::Match, one = AxisAccess::One;
  int64_t biases = cast<ShapedType>(op.getBias().getType()).getDimSize(0);
  int64_t channels = cast<ShapedType>(op.getInput().getType()).getDimSize(3);
  bool isMatch = biases == channels && !ShapedType::isDynamic(biases);
  map.setKindsAttr(rewriter.getArrayAttr(
      {access({match, match, match, match}), access({one, one, match}),
       access({biases == 1 ? one
               : isMatch   ? match
                           : AxisAccess::RunTime})}));
  Block *body = rewriter.createBlock(
      &map.getBody(), {}, {element, element, element}, {loc, loc, loc});
  Value product = arith::MulFOp::create(rewriter, loc, body->getArgument(0),
                                        body->getArgument(1));
  Value sum =
      arith::AddFOp::create(rewriter, loc, product, body->getArgument(2));
  loom::YieldOp::create(rewriter, loc, sum);
  rewriter.replaceOp(op, map);
}

/// The image with each channel repeated as often as the weight has kernels for
/// it, which may be known only at run time. So the order of additions does not
/// depend on the types.
Value repeatChannels(IRRewriter &rewriter, tosa::DepthwiseConv2DOp op) {
  Location loc = op.getLoc();
  auto type = cast<RankedTensorType>(op.getInput().getType());
  auto weight = cast<RankedTensorType>(op.getWeight().getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.push_back(1);
  SmallVector<ReassociationIndices> apart{{0}, {1}, {2}, {3, 4}};
  SmallVector<OpFoldResult> extents =
      tensor::getMixedSizes(rewriter, loc, op.getInput());
  extents.push_back(rewriter.getIndexAttr(1));
  Value single = tensor::ExpandShapeOp::create(rewriter, loc, type.clone(shape),
                                               op.getInput(), apart, extents);
  // One position of the kernel; the map reads only its extents.
  OpFoldResult zero = rewriter.getIndexAttr(0), one = rewriter.getIndexAttr(1);
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(rewriter, loc, op.getWeight());
  sizes[0] = sizes[1] = one;
  Value position = tensor::ExtractSliceOp::create(
      rewriter, loc, weight.clone(weight.getShape().drop_front(2)),
      op.getWeight(), SmallVector<OpFoldResult>(4, zero), sizes,
      SmallVector<OpFoldResult>(4, one));
  shape.back() = weight.getDimSize(3);
  auto map = loom::MapOp::create(rewriter, loc, TypeRange{type.clone(shape)},
                                 {single, position});
  Block *body = rewriter.createBlock(&map.getBody(), {},
                                     {getElement(single), getElement(position)},
                                     {loc, loc});
  loom::YieldOp::create(rewriter, loc, body->getArgument(0));
  rewriter.setInsertionPoint(op);
  return tensor::CollapseShapeOp::create(rewriter, loc, map.getResult(0),
                                         apart);
}

void convertDepthwise(IRRewriter &rewriter, tosa::DepthwiseConv2DOp op) {
  std::optional<lower::ContractedSum> sum = readSum(op);
  if (!sum)
    return;
  rewriter.setInsertionPoint(op);
  Value image = op.getInput();
  Value weight = lower::joinLastAxes(rewriter, op.getWeight());
  if (cast<ShapedType>(op.getWeight().getType()).getDimSize(3) != 1)
    image = repeatChannels(rewriter, op);
  else if (isa<FloatType>(sum->type) && isPointwise(op))
    return replaceByMap(rewriter, op, weight);
  lower::replaceByContraction(rewriter, op, image, weight, op.getBias(), *sum,
                              {op.getStride(), op.getDilation(), op.getPad(),
                               ContractionKind::Depthwise});
}

void convertMatMul(IRRewriter &rewriter, tosa::MatMulOp op) {
  std::optional<lower::ContractedSum> sum =
      readSum(op, getElement(op.getResult()), op.getA(), op.getB(), op.getAZp(),
              op.getBZp());
  if (!sum)
    return;
  rewriter.setInsertionPoint(op);
  lower::replaceByContraction(rewriter, op, op.getA(), op.getB(), {}, *sum, {});
}

struct ConvertTosaToContractPass
    : lower::impl::ConvertTosaToContractBase<ConvertTosaToContractPass> {
  void runOnOperation() override {
    SmallVector<Operation *> operations;
    getOperation()->walk([&](Operation *op) {
      if (isTosaConvolution(op) || isa<tosa::MatMulOp, tosa::MaxPool2dOp,
                                       tosa::AvgPool2dOp, tosa::RescaleOp>(op))
        operations.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (Operation *op : operations) {
      if (auto flat = dyn_cast<tosa::Conv2DOp>(op))
        convertConvolution(rewriter, flat);
      else if (auto deep = dyn_cast<tosa::Conv3DOp>(op))
        convertConvolution(rewriter, deep);
      else if (auto own = dyn_cast<tosa::DepthwiseConv2DOp>(op))
        convertDepthwise(rewriter, own);
      else if (auto transposed = dyn_cast<tosa::TransposeConv2DOp>(op))
        convertTransposed(rewriter, transposed);
      else if (auto pool = dyn_cast<tosa::MaxPool2dOp>(op))
        lower::convertMaxPool(rewriter, pool);
      else if (auto average = dyn_cast<tosa::AvgPool2dOp>(op))
        lower::convertAveragePool(rewriter, average);
      else if (auto rescale = dyn_cast<tosa::RescaleOp>(op))
        lower::convertRescale(rewriter, rescale);
      else
        convertMatMul(rewriter, cast<tosa::MatMulOp>(op));
    }
  }
};

} // namespace
