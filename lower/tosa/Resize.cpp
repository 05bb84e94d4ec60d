//===- Resize.cpp - tosa.resize -------------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each element of the result has an index in the image that is a fraction,
// (index * denominator + offset) / numerator along either axis: between two
// rows and two columns, which beyond the border are the outermost ones.
//
//===----------------------------------------------------------------------===//

#include "lower/tosa/Images.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace broadloom;

namespace {

/// Indices.
struct Scale {
  Value numerator, denominator, offset;
};

/// The position of an element along an axis.
struct Position {
  /// The elements before and after, as indices of the image.
  Value before, behind;
  /// The distance from `before`, in parts of the numerator; an index.
  Value distance;
};

Position locate(OpBuilder &b, Location loc, int64_t axis, Scale scale,
                Value extent) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value one = constant(1);
  Value last = arith::SubIOp::create(b, loc, extent, one);
  auto clamp = [&](Value index) -> Value {
    Value least = arith::MaxSIOp::create(b, loc, index, constant(0));
    return arith::MinSIOp::create(b, loc, least, last);
  };
  Value index = linalg::IndexOp::create(b, loc, axis);
  Value scaled = arith::MulIOp::create(b, loc, index, scale.denominator);
  Value exact = arith::AddIOp::create(b, loc, scaled, scale.offset);
  Value whole = arith::FloorDivSIOp::create(b, loc, exact, scale.numerator);
  Value covered = arith::MulIOp::create(b, loc, whole, scale.numerator);
  Value distance = arith::SubIOp::create(b, loc, exact, covered);
  Value next = arith::AddIOp::create(b, loc, whole, one);
  return {clamp(whole), clamp(next), distance};
}

/// The index of the nearer element; from the middle on, the one after.
Value pickNearer(OpBuilder &b, Location loc, Position position, Scale scale) {
  Value two = arith::ConstantIndexOp::create(b, loc, 2);
  Value twice = arith::MulIOp::create(b, loc, position.distance, two);
  Value isBehind = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sge,
                                         twice, scale.numerator);
  return arith::SelectOp::create(b, loc, isBehind, position.behind,
                                 position.before);
}

/// The weights of the elements before and after: for integers in parts of the
/// numerator, which a later rescale divides; for floats with sum 1.
std::pair<Value, Value> weigh(OpBuilder &b, Location loc, Position position,
                              Scale scale, Type type) {
  if (isa<IntegerType>(type)) {
    Value behind = arith::IndexCastOp::create(b, loc, type, position.distance);
    Value all = arith::IndexCastOp::create(b, loc, type, scale.numerator);
    return {arith::SubIOp::create(b, loc, all, behind), behind};
  }
  auto asFloat = [&](Value index) -> Value {
    return arith::SIToFPOp::create(
        b, loc, type,
        arith::IndexCastOp::create(b, loc, b.getI64Type(), index).getResult());
  };
  Value behind = arith::DivFOp::create(b, loc, asFloat(position.distance),
                                       asFloat(scale.numerator));
  Value one = arith::ConstantOp::create(b, loc, b.getFloatAttr(type, 1.0));
  return {arith::SubFOp::create(b, loc, one, behind), behind};
}

/// a * x + b * y
Value mix(OpBuilder &builder, Location loc, Value a, Value x, Value b,
          Value y) {
  if (isa<IntegerType>(a.getType()))
    return arith::AddIOp::create(
        builder, loc, arith::MulIOp::create(builder, loc, a, x).getResult(),
        arith::MulIOp::create(builder, loc, b, y).getResult());
  return arith::AddFOp::create(
      builder, loc, arith::MulFOp::create(builder, loc, a, x).getResult(),
      arith::MulFOp::create(builder, loc, b, y).getResult());
}

/// The type in which elements are interpolated: small floats are rounded once
/// (el-11).
Type getMixType(Type element) {
  auto isSmall =
      isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32;
  return isSmall ? Float32Type::get(element.getContext()) : element;
}

struct LowerResize : lower::ImagePattern<tosa::ResizeOp> {
  using ImagePattern::ImagePattern;

  Value compute(OpBuilder &builder, tosa::ResizeOp op, OpAdaptor adaptor,
                ArrayRef<OpFoldResult> extents,
                Type elementType) const override {
    Location loc = op.getLoc();
    auto scales = infer::getNumbers(op.getScale());
    auto offsets = infer::getNumbers(op.getOffset());
    if (!scales || !offsets || scales->size() != 4 || offsets->size() != 2)
      return {};
    auto value = [&](OpFoldResult number) {
      return getValueOrCreateConstantIndexOp(builder, loc, number);
    };
    Scale scaleY{value((*scales)[0]), value((*scales)[1]),
                 value((*offsets)[0])},
        scaleX{value((*scales)[2]), value((*scales)[3]), value((*offsets)[1])};
    Value image = adaptor.getInput();
    Value height = tensor::DimOp::create(builder, loc, image, 1);
    Value width = tensor::DimOp::create(builder, loc, image, 2);
    bool isNearest = op.getMode() == tosa::ResizeMode::NEAREST_NEIGHBOR;
    return lower::computeElements(
        builder, loc, extents, elementType, {},
        [&](OpBuilder &b, Location loc, ValueRange) -> Value {
          Position y = locate(b, loc, 1, scaleY, height),
                   x = locate(b, loc, 2, scaleX, width);
          Value batch = linalg::IndexOp::create(b, loc, 0);
          Value channel = linalg::IndexOp::create(b, loc, 3);
          auto read = [&](Value row, Value column) -> Value {
            return tensor::ExtractOp::create(
                b, loc, image, ValueRange{batch, row, column, channel});
          };
          if (isNearest)
            return convertScalarToDtype(b, loc,
                                        read(pickNearer(b, loc, y, scaleY),
                                             pickNearer(b, loc, x, scaleX)),
                                        elementType,
                                        /*isUnsignedCast=*/false);
          Type mixed = getMixType(elementType);
          auto readMixed = [&](Value row, Value column) {
            return convertScalarToDtype(b, loc, read(row, column), mixed,
                                        /*isUnsignedCast=*/false);
          };
          auto [above, below] = weigh(b, loc, y, scaleY, mixed);
          auto [left, right] = weigh(b, loc, x, scaleX, mixed);
          Value top = mix(b, loc, readMixed(y.before, x.before), left,
                          readMixed(y.before, x.behind), right);
          Value bottom = mix(b, loc, readMixed(y.behind, x.before), left,
                             readMixed(y.behind, x.behind), right);
          Value value = mix(b, loc, top, above, bottom, below);
          return convertScalarToDtype(b, loc, value, elementType,
                                      /*isUnsignedCast=*/false);
        });
  }
};

} // namespace

void lower::populateResize(TypeConverter &converter,
                           RewritePatternSet &patterns,
                           const infer::ResultExtents &shapes) {
  patterns.add<LowerResize>(converter, patterns.getContext(), shapes);
}
