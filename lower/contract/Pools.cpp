//===- Pools.cpp - windows without weights --------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/contract/Pools.h"

#include "dialect/LoomDialect.h"
#include "lower/contract/MakeContraction.h"
#include "lower/contract/Weights.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace broadloom;

/// Whether kernels support these windows.
template <typename Op> static bool isTaken(Op op) {
  constexpr int64_t kFewChannels = 4;
  auto image = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (!image || !isa<RankedTensorType>(op.getResult().getType()) ||
      !lower::isSummed(image.getElementType(), image.getElementType(),
                       Float32Type::get(op.getContext())) ||
      !isa<FloatType>(image.getElementType()))
    return false;
  int64_t channels = image.getDimSize(3);
  return !ShapedType::isDynamic(channels) && channels > kFewChannels;
}

/// A weight with the extents of a window.
static Value makeWindow(IRRewriter &rewriter, Operation *op,
                        ArrayRef<int64_t> kernel) {
  return tensor::EmptyOp::create(rewriter, op->getLoc(), kernel,
                                 rewriter.getI8Type());
}

void lower::convertMaxPool(IRRewriter &rewriter, tosa::MaxPool2dOp op) {
  if (!isTaken(op) || op.getNanMode() != tosa::NanPropagationMode::PROPAGATE)
    return;
  rewriter.setInsertionPoint(op);
  Value window = makeWindow(rewriter, op, op.getKernel());
  lower::replaceByContraction(
      rewriter, op, op.getInput(), window, {}, {rewriter.getF32Type(), {}},
      {op.getStride(), {1, 1}, op.getPad(), ContractionKind::MaxPool});
}

namespace {

/// The windows along the height (0) or the width (1).
class SeenElements {
public:
  SeenElements(tosa::AvgPool2dOp op, int64_t axis)
      : axis(axis), kernel(op.getKernel()[axis]), stride(op.getStride()[axis]),
        before(op.getPad()[2 * axis]), after(op.getPad()[2 * axis + 1]),
        extent(cast<ShapedType>(op.getInput().getType()).getDimSize(axis + 1)) {
  }

  bool areAll() const { return before == 0 && after == 0; }
  /// Whether the types determine how many elements each window reads. With
  /// padding this is a constant per window, so that the number of windows is
  /// limited.
  bool areKnown() const {
    constexpr int64_t kManyWindows = 1 << 16;
    return areAll() ||
           (!ShapedType::isDynamic(extent) &&
            (extent + before + after - kernel) / stride < kManyWindows);
  }
  int64_t getKernel() const { return kernel; }

  /// How many elements of the image each window reads, as a tensor that
  /// broadcasts to the results.
  Value count(OpBuilder &b, Location loc) const {
    SmallVector<float> counts;
    for (int64_t begin = -before; begin + kernel <= extent + after;
         begin += stride)
      counts.push_back(float(std::min(begin + kernel, extent) -
                             std::max<int64_t>(begin, 0)));
    SmallVector<int64_t> shape(3 - axis, 1);
    shape[0] = int64_t(counts.size());
    auto type = RankedTensorType::get(shape, b.getF32Type());
    return arith::ConstantOp::create(
        b, loc, DenseElementsAttr::get(type, ArrayRef<float>(counts)));
  }

private:
  int64_t axis, kernel, stride, before, after, extent;
};

} // namespace

/// Divides the sums by the number of elements that are not padding.
static void divide(OpBuilder &b, loom::ContractOp sums,
                   ArrayRef<SeenElements> axes, size_t numCounts,
                   Type element) {
  Location loc = sums.getLoc();
  Block *body = b.createBlock(&sums.getBody());
  Value sum = body->addArgument(b.getF32Type(), loc);
  Value number;
  auto times = [&](Value count) {
    number = number ? arith::MulFOp::create(b, loc, number, count) : count;
  };
  for (size_t i = 0; i < numCounts; ++i)
    times(body->addArgument(b.getF32Type(), loc));
  for (const SeenElements &axis : axes)
    if (axis.areAll())
      times(arith::ConstantOp::create(
          b, loc, b.getF32FloatAttr(float(axis.getKernel()))));
  Value mean = arith::DivFOp::create(b, loc, sum, number);
  mean = convertScalarToDtype(b, loc, mean, element, /*isUnsignedCast=*/false);
  loom::YieldOp::create(b, loc, mean);
}

void lower::convertAveragePool(IRRewriter &rewriter, tosa::AvgPool2dOp op) {
  SeenElements axes[] = {{op, 0}, {op, 1}};
  if (!isTaken(op) || !op.getAccType().isF32() ||
      llvm::any_of(op.getPad(), [](int64_t pad) { return pad < 0; }) ||
      !llvm::all_of(axes, [](const auto &axis) { return axis.areKnown(); }))
    return;
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<Value> inputs = {op.getInput(),
                               makeWindow(rewriter, op, op.getKernel())};
  for (const SeenElements &axis : axes)
    if (!axis.areAll())
      inputs.push_back(axis.count(rewriter, loc));
  auto sums = loom::ContractOp::create(
      rewriter, loc, op->getResultTypes(), inputs, op.getStride(),
      ArrayRef<int64_t>{1, 1}, op.getPad(), /*zeroPoints=*/DenseI64ArrayAttr(),
      /*packed=*/DenseI64ArrayAttr(),
      loom::ContractionKindAttr::get(rewriter.getContext(),
                                     ContractionKind::SumPool),
      /*paddingMode=*/loom::PaddingModeAttr(), /*groups=*/IntegerAttr());
  divide(rewriter, sums, axes, inputs.size() - 2,
         getElementTypeOrSelf(op.getResult().getType()));
  rewriter.replaceOp(op, sums);
}
