//===- Boundary.cpp - what reads tensors beyond their ends ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/boundary/Boundary.h"
#include "lower/boundary/BoundaryElement.h"
#include "lower/tosa/Elements.h"
#include "lower/tosa/OperandTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::lower;

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

Value Sizes::getValue(Size size) {
  return getValueOrCreateConstantIndexOp(builder, loc, size);
}

template <typename Op>
static OpFoldResult compute(OpBuilder &b, Location loc, Sizes &sizes,
                            OpFoldResult x, OpFoldResult y) {
  return getAsOpFoldResult(
      b.createOrFold<Op>(loc, sizes.getValue(x), sizes.getValue(y)));
}

Sizes::Size Sizes::add(Size x, Size y) {
  auto a = getConstantIntValue(x), c = getConstantIntValue(y);
  // Extents that do not fit are behind a guard that always fails.
  int64_t sum;
  if (a && c && llvm::AddOverflow(*a, *c, sum))
    return arith::AddIOp::create(builder, loc, getValue(x), getValue(y))
        .getResult();
  return compute<arith::AddIOp>(builder, loc, *this, x, y);
}

Sizes::Size Sizes::subtract(Size x, Size y) {
  return compute<arith::SubIOp>(builder, loc, *this, x, y);
}

Sizes::Size Sizes::least(Size x, Size y) {
  return x == y ? x : compute<arith::MinSIOp>(builder, loc, *this, x, y);
}

Sizes::Size Sizes::greatest(Size x, Size y) {
  return x == y ? x : compute<arith::MaxSIOp>(builder, loc, *this, x, y);
}

//===----------------------------------------------------------------------===//
// Boundaries
//===----------------------------------------------------------------------===//

Type Boundary::getElementType() const {
  return getElementTypeOrSelf(source.getType());
}

/// Whether a padding is computed of its indices and numbers alone, so that it
/// may be computed for any of its elements, in any order.
static bool isComputedFreely(Region &region) {
  return llvm::all_of(region.front().without_terminator(), [](Operation &op) {
    return op.getNumRegions() == 0 && isPure(&op) &&
           llvm::none_of(op.getOperandTypes(), llvm::IsaPred<ShapedType>);
  });
}

std::optional<Boundary> lower::getBoundary(Value value) {
  if (auto op = value.getDefiningOp<loom::BoundaryOp>();
      op && !op.isOfMemory() && !op.hasInterior())
    return Boundary{
        op,           op.getSource(), op.getMixedLow(), op.getMixedHigh(),
        op.getMode(), op.getValue()};
  auto pad = value.getDefiningOp<tensor::PadOp>();
  if (!pad)
    return std::nullopt;
  Boundary boundary{pad,
                    pad.getSource(),
                    pad.getMixedLowPad(),
                    pad.getMixedHighPad(),
                    loom::BoundaryMode::Constant,
                    pad.getConstantPaddingValue()};
  Region &region = pad.getRegion();
  if (!boundary.value && isComputedFreely(region))
    boundary.computed = &region;
  // A constant may stand in the region.
  if (boundary.value && boundary.value.getParentRegion() == &region)
    boundary.value.getDefiningOp()->moveBefore(pad);
  return boundary.value || boundary.computed ? std::optional(boundary)
                                             : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

/// What the region computes, given indices that count from the first element of
/// the source.
static Value computePadding(OpBuilder &b, Location loc,
                            const Boundary &boundary, ArrayRef<Value> indices) {
  Sizes sizes(b, loc);
  IRMapping mapping;
  for (auto [axis, argument] :
       llvm::enumerate(boundary.computed->getArguments()))
    mapping.map(argument,
                sizes.getValue(sizes.add(indices[axis], boundary.low[axis])));
  Block &body = boundary.computed->front();
  for (Operation &op : body.without_terminator())
    b.clone(op, mapping);
  return mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
}

Value lower::computeBox(OpBuilder &builder, Location loc,
                        const Boundary &boundary, const Box &box,
                        int64_t firstOpen) {
  Sizes sizes(builder, loc);
  SmallVector<Value> extents, begins;
  for (int64_t axis : llvm::seq(boundary.getRank())) {
    extents.push_back(sizes.getValue(
        tensor::getMixedSize(builder, loc, boundary.source, axis)));
    begins.push_back(
        sizes.getValue(sizes.subtract(box.offsets[axis], boundary.low[axis])));
  }
  return computeElements(
      builder, loc, box.sizes, boundary.getElementType(), {},
      [&](OpBuilder &body, Location at, ValueRange) {
        SmallVector<Value> indices;
        for (auto [axis, begin] : llvm::enumerate(begins)) {
          Value index = linalg::IndexOp::create(body, at, axis);
          indices.push_back(arith::AddIOp::create(body, at, index, begin));
        }
        BoundaryElement element;
        element.mode = boundary.mode;
        element.indices = indices;
        element.extents = extents;
        element.isInside.resize(indices.size());
        element.isInside.set(0, firstOpen);
        return element.emit(
            body, at,
            [&](OpBuilder &b, ValueRange places) -> Value {
              return tensor::ExtractOp::create(b, at, boundary.source, places);
            },
            [&](OpBuilder &b) {
              return boundary.computed
                         ? computePadding(b, at, boundary, indices)
                         : boundary.value;
            });
      });
}

static SmallVector<OpFoldResult> getUnitStrides(OpBuilder &b, const Box &box) {
  return SmallVector<OpFoldResult>(box.sizes.size(), b.getIndexAttr(1));
}

Value lower::takeBox(OpBuilder &builder, Location loc, Value tensor,
                     const Box &box) {
  return tensor::ExtractSliceOp::create(builder, loc, tensor, box.offsets,
                                        box.sizes,
                                        getUnitStrides(builder, box));
}

Value lower::putBox(OpBuilder &builder, Location loc, Value part, Value whole,
                    const Box &box, ArrayRef<OpFoldResult> strides) {
  // Upstream's verifier wants the offsets inside also where nothing is put.
  if (llvm::any_of(box.sizes, isZeroInteger))
    return whole;
  return tensor::InsertSliceOp::create(
      builder, loc, part, whole, box.offsets, box.sizes,
      strides.empty() ? getUnitStrides(builder, box)
                      : llvm::to_vector(strides));
}

Value lower::castTo(OpBuilder &builder, Location loc, Value tensor,
                    RankedTensorType type) {
  if (tensor.getType() == type)
    return tensor;
  if (!tensor::CastOp::areCastCompatible(tensor.getType(), type))
    tensor = tensor::CastOp::create(builder, loc, openExtents(type), tensor);
  return tensor::CastOp::create(builder, loc, type, tensor);
}

void lower::resolveExtents(const Boundary &boundary) {
  Operation *op = boundary.op;
  SmallVector<tensor::DimOp> asked;
  for (Operation *user : op->getUsers())
    if (auto dim = dyn_cast<tensor::DimOp>(user))
      if (auto axis = dim.getConstantIndex();
          axis && *axis >= 0 && *axis < boundary.getRank())
        asked.push_back(dim);
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  Sizes sizes(b, op->getLoc());
  for (tensor::DimOp dim : asked) {
    int64_t axis = *dim.getConstantIndex();
    OpFoldResult extent =
        tensor::getMixedSize(b, op->getLoc(), boundary.source, axis);
    extent =
        sizes.add(sizes.add(boundary.low[axis], extent), boundary.high[axis]);
    dim.replaceAllUsesWith(sizes.getValue(extent));
    dim.erase();
  }
}
