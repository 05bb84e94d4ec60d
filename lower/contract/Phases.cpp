//===- Phases.cpp - transposed convolutions by phases ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/contract/Phases.h"
#include "dialect/ElementBytes.h"
#include "lower/contract/Weights.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace broadloom;

namespace {

class Phases {
public:
  Phases(IRRewriter &rewriter, tosa::TransposeConv2DOp op,
         const lower::ContractedSum &sum)
      : b(rewriter), op(op), sum(sum), loc(op.getLoc()),
        strides(op.getStride()) {}

  bool replace() {
    if (!fits())
      return false;
    ElementsAttr kernels = makeKernels(), biases = repeatBias();
    if (!kernels || !biases)
      return false;
    Value phases =
        contract(arith::ConstantOp::create(b, loc, cast<TypedAttr>(kernels)),
                 arith::ConstantOp::create(b, loc, cast<TypedAttr>(biases)));
    b.replaceOp(op, cut(interleave(phases)));
    return true;
  }

private:
  int64_t count() const { return strides[0] * strides[1]; }

  bool fits() {
    auto type = cast<RankedTensorType>(op.getWeight().getType());
    auto bias = cast<RankedTensorType>(op.getBias().getType());
    if (count() == 1 || !type.hasStaticShape() || !bias.hasStaticShape() ||
        !matchPattern(op.getWeight(), m_Constant(&weight)) ||
        !matchPattern(op.getBias(), m_Constant(&offsets)))
      return false;
    shape = type.getShape();
    return shape[1] % strides[0] == 0 && shape[2] % strides[1] == 0 &&
           llvm::all_of(op.getOutPad(), [](int64_t pad) { return pad <= 0; }) &&
           !isCutAway(0) && !isCutAway(1);
  }

  /// Whether, by the types, negative padding cuts off more than axis `i` of the
  /// image has: a guard then always fails.
  bool isCutAway(int64_t i) {
    int64_t extent =
        cast<ShapedType>(op.getInput().getType()).getDimSize(1 + i);
    ArrayRef<int64_t> pad = op.getOutPad();
    return !ShapedType::isDynamic(extent) && (extent - 1) * strides[i] +
                                                     shape[1 + i] + pad[2 * i] +
                                                     pad[2 * i + 1] <
                                                 0;
  }

  /// The rows and the columns of a phase's kernel.
  int64_t rows() const { return shape[1] / strides[0]; }
  int64_t columns() const { return shape[2] / strides[1]; }

  /// The kernel by its reversed rows and columns, input channels, phases and
  /// output channels.
  ElementsAttr makeKernels() {
    Type element = weight.getElementType();
    auto apart = RankedTensorType::get(
        {shape[0], rows(), strides[0], columns(), strides[1], shape[3]},
        element);
    auto turned = RankedTensorType::get(
        {rows(), columns(), shape[3], strides[0], strides[1], shape[0]},
        element);
    ElementsAttr kernels = lower::reshapeConstant(weight, apart);
    if (kernels)
      kernels = lower::permuteConstant(kernels, turned, {1, 3, 5, 2, 4, 0});
    if (kernels)
      kernels = lower::reverseAxes(kernels, /*first=*/0);
    if (!kernels)
      return {};
    return lower::reshapeConstant(
        kernels,
        RankedTensorType::get({rows(), columns(), shape[3], count() * shape[0]},
                              element));
  }

  /// The bias repeated for each phase; a single number stays.
  ElementsAttr repeatBias() {
    auto type = cast<RankedTensorType>(offsets.getShapedType());
    if (type.getDimSize(0) == 1)
      return offsets;
    auto repeated = type.clone({count() * type.getDimSize(0)});
    if (offsets.isSplat())
      return cast<DenseElementsAttr>(offsets).resizeSplat(repeated);
    std::optional<ArrayRef<char>> bytes = getElementBytes(offsets);
    if (!bytes)
      return {};
    return makeElements(repeated, [&](MutableArrayRef<char> to) {
      for (int64_t phase = 0; phase < count(); ++phase)
        llvm::copy(*bytes, to.begin() + phase * bytes->size());
    });
  }

  Value contract(Value kernels, Value biases) {
    auto image = cast<RankedTensorType>(op.getInput().getType());
    auto longer = [](int64_t extent, int64_t more) {
      return ShapedType::isDynamic(extent) ? extent : extent + more;
    };
    int64_t y = rows() - 1, x = columns() - 1;
    auto type = RankedTensorType::get(
        {image.getDimSize(0), longer(image.getDimSize(1), y),
         longer(image.getDimSize(2), x), count() * shape[0]},
        getElementTypeOrSelf(op.getType()));
    return lower::makeContraction(b, loc, type, op.getInput(), kernels, biases,
                                  sum, {{1, 1}, {1, 1}, {y, y, x, x}});
  }

  /// Interleaves the phases' elements to the result.
  Value interleave(Value phases) {
    auto type = cast<RankedTensorType>(phases.getType());
    SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, phases);
    sizes.pop_back();
    for (int64_t extent : {strides[0], strides[1], shape[0]})
      sizes.push_back(b.getIndexAttr(extent));
    Value apart = tensor::ExpandShapeOp::create(
        b, loc,
        type.clone({type.getDimSize(0), type.getDimSize(1), type.getDimSize(2),
                    strides[0], strides[1], shape[0]}),
        phases, ArrayRef<ReassociationIndices>{{0}, {1}, {2}, {3, 4, 5}},
        sizes);
    Value turned = lower::permuteAxes(b, apart, {0, 1, 3, 2, 4, 5});
    return tensor::CollapseShapeOp::create(
        b, loc, turned,
        ArrayRef<ReassociationIndices>{{0}, {1, 2}, {3, 4}, {5}});
  }

  /// Cuts off negative padding, and casts to the declared type.
  Value cut(Value whole) {
    ArrayRef<int64_t> pad = op.getOutPad();
    auto type = cast<RankedTensorType>(op.getType());
    if (llvm::any_of(pad, [](int64_t amount) { return amount != 0; })) {
      SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, loc, whole);
      for (int64_t i : {0, 1})
        sizes[1 + i] = affine::makeComposedFoldedAffineApply(
            b, loc, b.getAffineDimExpr(0) + pad[2 * i] + pad[2 * i + 1],
            sizes[1 + i]);
      whole = tensor::ExtractSliceOp::create(
          b, loc, whole,
          getAsIndexOpFoldResult(b.getContext(), {0, -pad[0], -pad[2], 0}),
          sizes, SmallVector<OpFoldResult>(4, b.getIndexAttr(1)));
    }
    if (whole.getType() != type)
      whole = tensor::CastOp::create(b, loc, type, whole);
    return whole;
  }

  IRRewriter &b;
  tosa::TransposeConv2DOp op;
  const lower::ContractedSum &sum;
  Location loc;
  ArrayRef<int64_t> strides, shape;
  ElementsAttr weight, offsets;
};

} // namespace

bool lower::replaceByPhases(IRRewriter &rewriter, tosa::TransposeConv2DOp op,
                            const ContractedSum &sum) {
  return Phases(rewriter, op, sum).replace();
}
