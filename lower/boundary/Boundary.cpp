//===- Boundary.cpp - what reads tensors beyond their ends ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/boundary/Boundary.h"
#include "lower/tosa/Elements.h"
#include "lower/tosa/OperandTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
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

std::optional<Boundary> lower::getBoundary(Value value) {
  if (auto op = value.getDefiningOp<loom::BoundaryOp>())
    return Boundary{
        op,           op.getSource(), op.getMixedLow(), op.getMixedHigh(),
        op.getMode(), op.getValue()};
  auto pad = value.getDefiningOp<tensor::PadOp>();
  Value constant = pad ? pad.getConstantPaddingValue() : Value();
  if (!constant)
    return std::nullopt;
  // A constant may stand in the region.
  if (constant.getParentRegion() == &pad.getRegion())
    constant.getDefiningOp()->moveBefore(pad);
  return Boundary{pad,
                  pad.getSource(),
                  pad.getMixedLowPad(),
                  pad.getMixedHighPad(),
                  loom::BoundaryMode::Constant,
                  constant};
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

/// The remainder of a division rounded down by a number above 0.
static Value emitModulo(OpBuilder &b, Location loc, Value number,
                        Value divisor) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value rest = arith::RemSIOp::create(b, loc, number, divisor);
  Value isLess =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, rest, zero);
  Value moved = arith::AddIOp::create(b, loc, rest, divisor);
  return arith::SelectOp::create(b, loc, isLess, moved, rest);
}

/// The index inside an axis that is read for one outside (bnd-1).
static Value emitReflected(OpBuilder &b, Location loc, loom::BoundaryMode mode,
                           Value index, Value extent) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value last = arith::SubIOp::create(b, loc, extent, one);
  if (mode == loom::BoundaryMode::Replicate) {
    Value low = arith::MaxSIOp::create(b, loc, index, zero);
    return arith::MinSIOp::create(b, loc, low, last);
  }
  // An axis without elements is never read. Nothing is divided by 0 there.
  Value whole = arith::MaxSIOp::create(b, loc, extent, one);
  if (mode == loom::BoundaryMode::Wrap)
    return emitModulo(b, loc, index, whole);
  // There and back again: with the ends twice, or once.
  bool isTwice = mode == loom::BoundaryMode::Symmetric;
  Value half = isTwice ? extent : last;
  Value period = arith::MaxSIOp::create(
      b, loc, arith::AddIOp::create(b, loc, half, half), one);
  Value there = emitModulo(b, loc, index, period);
  Value back = arith::SubIOp::create(b, loc, period, there);
  if (isTwice)
    back = arith::SubIOp::create(b, loc, back, one);
  return arith::MinSIOp::create(b, loc, there, back);
}

namespace {

/// Emits one element of a boundary.
class ElementEmitter {
public:
  ElementEmitter(OpBuilder &b, Location loc, const Boundary &boundary,
                 ValueRange extents)
      : b(b), loc(loc), boundary(boundary), extents(extents) {}

  /// `indices` count from the first element of the source; those before
  /// `firstOpen` are inside.
  Value emit(ArrayRef<Value> indices, int64_t firstOpen) {
    return boundary.mode == loom::BoundaryMode::Constant
               ? emitOrConstant(indices, firstOpen)
               : emitInside(indices, firstOpen);
  }

private:
  Value isInside(Value index, int64_t axis) {
    // An index before the source wraps, and is then beyond its extent.
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, index,
                                 extents[axis]);
  }

  Value extract(OpBuilder &builder, ValueRange indices) {
    return tensor::ExtractOp::create(builder, loc, boundary.source, indices);
  }

  /// Most indices are inside, and divisions are slow.
  Value emitInside(ArrayRef<Value> indices, int64_t firstOpen) {
    SmallVector<Value> places(indices);
    for (int64_t axis = firstOpen; axis < int64_t(indices.size()); ++axis) {
      Value index = indices[axis];
      places[axis] = scf::IfOp::create(
                         b, loc, isInside(index, axis),
                         [&](OpBuilder &then, Location) {
                           scf::YieldOp::create(then, loc, index);
                         },
                         [&](OpBuilder &other, Location) {
                           Value place = emitReflected(
                               other, loc, boundary.mode, index, extents[axis]);
                           scf::YieldOp::create(other, loc, place);
                         })
                         .getResult(0);
    }
    return extract(b, places);
  }

  Value emitOrConstant(ArrayRef<Value> indices, int64_t firstOpen) {
    Value all = arith::ConstantIntOp::create(b, loc, 1, 1);
    for (int64_t axis = firstOpen; axis < int64_t(indices.size()); ++axis)
      all = arith::AndIOp::create(b, loc, all, isInside(indices[axis], axis));
    return scf::IfOp::create(
               b, loc, all,
               [&](OpBuilder &then, Location) {
                 scf::YieldOp::create(then, loc, extract(then, indices));
               },
               [&](OpBuilder &other, Location) {
                 scf::YieldOp::create(other, loc, boundary.value);
               })
        .getResult(0);
  }

  OpBuilder &b;
  Location loc;
  const Boundary &boundary;
  ValueRange extents;
};

} // namespace

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
        return ElementEmitter(body, at, boundary, extents)
            .emit(indices, firstOpen);
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
                    const Box &box) {
  return tensor::InsertSliceOp::create(builder, loc, part, whole, box.offsets,
                                       box.sizes, getUnitStrides(builder, box));
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
