//===- AveragePool.cpp - tosa.avg_pool2d ----------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sum over each window of the padded image, then the division of each sum
// by the number of elements that are not padding.
//
//===----------------------------------------------------------------------===//

#include "lower/tosa/Images.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace broadloom;

namespace {

/// The window along the height (0) or the width (1).
struct Window {
  int64_t kernel, stride, before, after;
};

Window getWindow(tosa::AvgPool2dOp op, unsigned i) {
  return {op.getKernel()[i], op.getStride()[i], op.getPad()[2 * i],
          op.getPad()[2 * i + 1]};
}

/// How many elements of the image the window at the current index reads along
/// `axis`, as index: at least 1, because padding is less than the kernel.
Value countSeen(OpBuilder &b, Location loc, int64_t axis, Window window,
                Value extent) {
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Value index = linalg::IndexOp::create(b, loc, axis);
  Value padded = arith::MulIOp::create(b, loc, index, constant(window.stride));
  Value begin = arith::SubIOp::create(b, loc, padded, constant(window.before));
  Value end = arith::AddIOp::create(b, loc, begin, constant(window.kernel));
  Value last = arith::MinSIOp::create(b, loc, end, extent);
  Value first = arith::MaxSIOp::create(b, loc, begin, constant(0));
  return arith::SubIOp::create(b, loc, last, first);
}

/// `sum` / `count` in integers, as TOSA has it: a multiplication by the
/// reciprocal of `count` with 31 bits, rounded half up. Both are i32.
Value divideByCount(OpBuilder &b, Location loc, Value sum, Value count) {
  Type i8 = b.getI8Type(), i32 = b.getI32Type(), i64 = b.getI64Type();
  auto constant = [&](Type type, int64_t value) -> Value {
    return arith::ConstantIntOp::create(b, loc, type, value);
  };
  Value less = arith::SubIOp::create(b, loc, count, constant(i32, 1));
  Value zeros = math::CountLeadingZerosOp::create(b, loc, less);
  Value bits = arith::SubIOp::create(b, loc, constant(i32, 32), zeros);
  Value numerator = arith::ShLIOp::create(
      b, loc, constant(i64, (int64_t(1) << 30) + 1),
      arith::ExtUIOp::create(b, loc, i64, bits).getResult());
  Value quotient = arith::DivUIOp::create(
      b, loc, numerator,
      arith::ExtUIOp::create(b, loc, i64, count).getResult());
  Value multiplier = arith::TruncIOp::create(b, loc, i32, quotient);
  Value shift = arith::AddIOp::create(
      b, loc, arith::TruncIOp::create(b, loc, i8, bits).getResult(),
      constant(i8, 30));
  auto rounding = tosa::RoundingModeAttr::get(b.getContext(),
                                              tosa::RoundingMode::SINGLE_ROUND);
  return tosa::ApplyScaleOp::create(b, loc, i32, sum, multiplier, shift,
                                    rounding);
}

/// Saturates the integer to a narrower type.
Value saturate(OpBuilder &b, Location loc, Value value, Type type) {
  unsigned wide = value.getType().getIntOrFloatBitWidth();
  unsigned narrow = type.getIntOrFloatBitWidth();
  auto constant = [&](APInt bound) -> Value {
    return arith::ConstantOp::create(
        b, loc, b.getIntegerAttr(value.getType(), bound.sext(wide)));
  };
  if (narrow >= wide)
    return value;
  value = arith::MaxSIOp::create(b, loc, value,
                                 constant(APInt::getSignedMinValue(narrow)));
  value = arith::MinSIOp::create(b, loc, value,
                                 constant(APInt::getSignedMaxValue(narrow)));
  return arith::TruncIOp::create(b, loc, type, value);
}

struct LowerAveragePool : lower::ImagePattern<tosa::AvgPool2dOp> {
  using ImagePattern::ImagePattern;

  Value compute(OpBuilder &b, tosa::AvgPool2dOp op, OpAdaptor adaptor,
                ArrayRef<OpFoldResult> extents,
                Type elementType) const override {
    Value sums = sumWindows(b, op, adaptor.getInput(), extents);
    return divide(b, op, adaptor, sums, extents, elementType);
  }

private:
  static Value sumWindows(OpBuilder &b, tosa::AvgPool2dOp op, Value image,
                          ArrayRef<OpFoldResult> extents) {
    Location loc = op.getLoc();
    Window y = getWindow(op, 0), x = getWindow(op, 1);
    auto element = cast<RankedTensorType>(image.getType()).getElementType();
    if (y.before || y.after || x.before || x.after) {
      Value zero = arith::ConstantOp::create(
          b, loc, cast<TypedAttr>(b.getZeroAttr(element)));
      SmallVector<OpFoldResult> low = getAsIndexOpFoldResult(
                                    b.getContext(), {0, y.before, x.before, 0}),
                                high = getAsIndexOpFoldResult(
                                    b.getContext(), {0, y.after, x.after, 0});
      image = tensor::PadOp::create(b, loc, Type(), image, low, high, zero);
    }
    Type sum = op.getAccType();
    int64_t kernel[] = {y.kernel, x.kernel};
    Value window = tensor::EmptyOp::create(b, loc, kernel, sum);
    Value empty = tensor::EmptyOp::create(b, loc, extents, sum);
    Value zero =
        arith::ConstantOp::create(b, loc, cast<TypedAttr>(b.getZeroAttr(sum)));
    Value start = linalg::FillOp::create(b, loc, zero, empty).getResult(0);
    return linalg::PoolingNhwcSumOp::create(
               b, loc, start.getType(), ValueRange{image, window}, start,
               b.getI64VectorAttr({y.stride, x.stride}),
               b.getI64VectorAttr({1, 1}))
        .getResult(0);
  }

  static Value divide(OpBuilder &b, tosa::AvgPool2dOp op, OpAdaptor adaptor,
                      Value sums, ArrayRef<OpFoldResult> extents,
                      Type element) {
    Location loc = op.getLoc();
    Type sumType = op.getAccType(), i32 = b.getI32Type();
    Value height = tensor::DimOp::create(b, loc, adaptor.getInput(), 1);
    Value width = tensor::DimOp::create(b, loc, adaptor.getInput(), 2);
    Value inputZero, outputZero;
    if (isa<IntegerType>(element)) {
      inputZero = lower::readZeroPoint(b, loc, adaptor.getInputZp(), sumType);
      outputZero = lower::readZeroPoint(b, loc, adaptor.getOutputZp(), sumType);
    }
    return lower::computeElements(
        b, loc, extents, element, sums,
        [&](OpBuilder &b, Location loc, ValueRange elements) -> Value {
          Value sum = elements[0];
          Value rows = countSeen(b, loc, 1, getWindow(op, 0), height);
          Value columns = countSeen(b, loc, 2, getWindow(op, 1), width);
          Value count = arith::IndexCastOp::create(
              b, loc, i32,
              arith::MulIOp::create(b, loc, rows, columns).getResult());
          if (!inputZero) {
            Value divisor = arith::SIToFPOp::create(b, loc, sumType, count);
            Value mean = arith::DivFOp::create(b, loc, sum, divisor);
            return convertScalarToDtype(b, loc, mean, element,
                                        /*isUnsignedCast=*/false);
          }
          Value zeros = arith::MulIOp::create(b, loc, inputZero, count);
          sum = arith::SubIOp::create(b, loc, sum, zeros);
          Value mean = divideByCount(b, loc, sum, count);
          mean = arith::AddIOp::create(b, loc, mean, outputZero);
          return saturate(b, loc, mean, element);
        });
  }
};

} // namespace

void lower::populateAveragePool(TypeConverter &converter,
                                RewritePatternSet &patterns,
                                const infer::ResultExtents &shapes) {
  patterns.add<LowerAveragePool>(converter, patterns.getContext(), shapes);
}
