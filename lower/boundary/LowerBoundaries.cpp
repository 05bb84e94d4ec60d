//===- LowerBoundaries.cpp - boundaries that are made as tensors ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What other operations than maps read is made: the source is copied, and what
// is beyond its ends computed element by element, in a part for each end of
// each axis.
//
//===----------------------------------------------------------------------===//

#include "lower/Passes.h"
#include "lower/boundary/Boundary.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace broadloom::lower {
#define GEN_PASS_DEF_LOOMLOWERBOUNDARIES
#include "lower/Passes.h.inc"
} // namespace broadloom::lower

using namespace mlir;
using namespace broadloom;
using namespace broadloom::lower;

namespace {

/// Makes the tensor of one boundary.
class Maker {
public:
  Maker(OpBuilder &b, const Boundary &boundary)
      : b(b), loc(boundary.op->getLoc()), boundary(boundary), sizes(b, loc) {}

  Value make() {
    for (int64_t axis : llvm::seq(boundary.getRank())) {
      inner.sizes.push_back(
          tensor::getMixedSize(b, loc, boundary.source, axis));
      inner.offsets.push_back(boundary.low[axis]);
      OpFoldResult begin = sizes.add(boundary.low[axis], inner.sizes[axis]);
      extents.push_back(sizes.add(begin, boundary.high[axis]));
    }
    Value whole =
        tensor::EmptyOp::create(b, loc, extents, boundary.getElementType());
    return makeFrom(0, whole);
  }

private:
  /// Makes what is inside along the axes before `axis`: in front, in between,
  /// and behind.
  Value makeFrom(int64_t axis, Value whole) {
    if (axis == boundary.getRank())
      return putBox(b, loc, boundary.source, whole, inner);
    whole = makeEnd(axis, sizes.get(0), boundary.low[axis], whole);
    whole = makeFrom(axis + 1, whole);
    return makeEnd(axis, sizes.add(inner.offsets[axis], inner.sizes[axis]),
                   boundary.high[axis], whole);
  }

  Value makeEnd(int64_t axis, OpFoldResult begin, OpFoldResult size,
                Value whole) {
    if (getConstantIntValue(size) == 0)
      return whole;
    Box box = inner;
    box.offsets[axis] = begin;
    box.sizes[axis] = size;
    for (int64_t behind = axis + 1; behind < boundary.getRank(); ++behind) {
      box.offsets[behind] = sizes.get(0);
      box.sizes[behind] = extents[behind];
    }
    Value part = computeBox(b, loc, boundary, box, axis);
    return putBox(b, loc, part, whole, box);
  }

  OpBuilder &b;
  Location loc;
  const Boundary &boundary;
  Sizes sizes;
  /// Where the source is.
  Box inner;
  SmallVector<OpFoldResult> extents;
};

Value makePad(OpBuilder &b, loom::BoundaryOp op) {
  return tensor::PadOp::create(b, op.getLoc(), Type(), op.getSource(),
                               op.getMixedLow(), op.getMixedHigh(),
                               op.getValue());
}

/// Fills a tensor with the value, and puts the elements of the source where
/// they belong.
Value makeSpread(OpBuilder &b, loom::BoundaryOp op) {
  Location loc = op.getLoc();
  Sizes sizes(b, loc);
  SmallVector<OpFoldResult> low = op.getMixedLow(), high = op.getMixedHigh(),
                            inner =
                                tensor::getMixedSizes(b, loc, op.getSource()),
                            extents, steps;
  for (auto [axis, extent] : llvm::enumerate(inner)) {
    int64_t between = op.getInteriorOf(axis);
    OpFoldResult spread = getAsOpFoldResult(
        loom::getSpreadExtent(b, loc, sizes.getValue(extent), between));
    extents.push_back(sizes.add(sizes.add(low[axis], spread), high[axis]));
    steps.push_back(b.getIndexAttr(between + 1));
  }
  Value empty = tensor::EmptyOp::create(b, loc, extents,
                                        op.getShapedType().getElementType());
  Value filled =
      linalg::FillOp::create(b, loc, op.getValue(), empty).getResult(0);
  return putBox(b, loc, op.getSource(), filled, {low, inner}, steps);
}

struct LoomLowerBoundariesPass
    : lower::impl::LoomLowerBoundariesBase<LoomLowerBoundariesPass> {
  void runOnOperation() override {
    SmallVector<loom::BoundaryOp> boundaries;
    getOperation()->walk(
        [&](loom::BoundaryOp op) { boundaries.push_back(op); });
    for (loom::BoundaryOp op : boundaries) {
      OpBuilder b(op);
      Value made = op.hasInterior() ? makeSpread(b, op)
                   : op.getMode() == loom::BoundaryMode::Constant
                       ? makePad(b, op)
                       : Maker(b, *getBoundary(op)).make();
      op.replaceAllUsesWith(
          castTo(b, op.getLoc(), made, cast<RankedTensorType>(op.getType())));
      op.erase();
    }
  }
};

} // namespace
