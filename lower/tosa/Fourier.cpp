//===- Fourier.cpp - discrete Fourier transforms --------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `tosa.fft2d` and `tosa.rfft2d`, along the columns of each row first and along
// the rows then: H W (H + W) products rather than the (H W)^2 of the
// definition (img-2). Sums are in f64, and sines and cosines come from a table
// of one turn, so that angles are exact for all extents.
//
//===----------------------------------------------------------------------===//

#include "lower/tosa/Elements.h"
#include "lower/tosa/Images.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace broadloom;

namespace {

/// A tensor of complex numbers; of real ones, without an imaginary part.
struct Complex {
  Value real, imaginary;
};

class Transform {
public:
  Transform(OpBuilder &b, Location loc, bool isInverse)
      : b(b), loc(loc), isInverse(isInverse), f64(b.getF64Type()) {}

  /// Transforms along `axis`, 1 or 2, to `count` elements.
  Complex along(int64_t axis, Complex input, OpFoldResult count) {
    OpFoldResult length = tensor::getMixedSize(b, loc, input.real, axis);
    Value cosines = makeTable(length, /*isSine=*/false),
          sines = makeTable(length, /*isSine=*/true);
    SmallVector<OpFoldResult> extents =
        tensor::getMixedSizes(b, loc, input.real);
    extents[axis] = count;
    Value zeros = makeZeros(extents);
    // Batch, row, column of the result, and the element along the axis.
    SmallVector<AffineExpr> from{b.getAffineDimExpr(0), b.getAffineDimExpr(1),
                                 b.getAffineDimExpr(2)},
        to = from;
    from[axis] = b.getAffineDimExpr(3);
    SmallVector<Value> inputs{input.real};
    if (input.imaginary)
      inputs.push_back(input.imaginary);
    auto map = [&](ArrayRef<AffineExpr> indices) {
      return AffineMap::get(4, 0, indices, b.getContext());
    };
    SmallVector<AffineMap> maps(inputs.size(), map(from));
    maps.append(2, map(to));
    SmallVector<utils::IteratorType> iterators(3,
                                               utils::IteratorType::parallel);
    iterators.push_back(utils::IteratorType::reduction);
    Value turn = getValueOrCreateConstantIndexOp(b, loc, length);
    auto sums = linalg::GenericOp::create(
        b, loc, TypeRange{zeros.getType(), zeros.getType()}, inputs,
        ValueRange{zeros, zeros}, maps, iterators,
        [&](OpBuilder &inner, Location loc, ValueRange elements) {
          Value k = linalg::IndexOp::create(inner, loc, axis);
          Value n = linalg::IndexOp::create(inner, loc, 3);
          Value index = arith::RemUIOp::create(
              inner, loc, arith::MulIOp::create(inner, loc, k, n).getResult(),
              turn);
          Value cosine = tensor::ExtractOp::create(inner, loc, cosines, index);
          Value sine = tensor::ExtractOp::create(inner, loc, sines, index);
          addProduct(inner, loc, elements, cosine, sine);
        });
    return {sums.getResult(0), sums.getResult(1)};
  }

private:
  /// cos or sin of 2 pi i / length; the sine is negated for the inverse
  /// transform.
  Value makeTable(OpFoldResult length, bool isSine) {
    Value count = getValueOrCreateConstantIndexOp(b, loc, length);
    return lower::computeElements(
        b, loc, length, f64, {},
        [&](OpBuilder &b, Location loc, ValueRange) -> Value {
          auto asFloat = [&](Value index) -> Value {
            Value word =
                arith::IndexCastOp::create(b, loc, b.getI64Type(), index);
            return arith::SIToFPOp::create(b, loc, f64, word);
          };
          constexpr double kTurn = 6.283185307179586476925286766559;
          Value turn = arith::ConstantOp::create(
              b, loc, b.getF64FloatAttr(isInverse ? -kTurn : kTurn));
          Value index = asFloat(linalg::IndexOp::create(b, loc, 0));
          Value angle = arith::DivFOp::create(
              b, loc, arith::MulFOp::create(b, loc, index, turn).getResult(),
              asFloat(count));
          Value value = isSine ? math::SinOp::create(b, loc, angle).getResult()
                               : math::CosOp::create(b, loc, angle).getResult();
          Value zero = arith::ConstantOp::create(b, loc, b.getF64FloatAttr(0));
          return arith::SelectOp::create(b, loc, isZero(b, loc, isSine, count),
                                         zero, value);
        });
  }

  /// Whether the table entry is exactly 0: the sine at a multiple of a half
  /// turn, or the cosine a quarter turn from one. The computed value would not
  /// be 0, because no float equals pi.
  static Value isZero(OpBuilder &b, Location loc, bool isSine, Value count) {
    Value index = linalg::IndexOp::create(b, loc, 0);
    auto divides = [&](int64_t times) -> Value {
      Value all = arith::MulIOp::create(
          b, loc, index, arith::ConstantIndexOp::create(b, loc, times));
      Value rest = arith::RemUIOp::create(b, loc, all, count);
      return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, rest,
                                   arith::ConstantIndexOp::create(b, loc, 0));
    };
    Value isHalf = divides(2);
    return isSine ? isHalf
                  : arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                          divides(4), isHalf)
                        .getResult();
  }

  Value makeZeros(ArrayRef<OpFoldResult> extents) {
    Value zero = arith::ConstantOp::create(b, loc, b.getF64FloatAttr(0));
    Value empty = tensor::EmptyOp::create(b, loc, extents, f64);
    return linalg::FillOp::create(b, loc, zero, empty).getResult(0);
  }

  /// Yields the sums plus the element times (cosine - i * sine).
  void addProduct(OpBuilder &b, Location loc, ValueRange elements, Value cosine,
                  Value sine) {
    auto times = [&](Value x, Value y) -> Value {
      return arith::MulFOp::create(b, loc, x, y);
    };
    auto wide = [&](Value x) {
      return convertScalarToDtype(b, loc, x, f64, /*isUnsignedCast=*/false);
    };
    bool isComplex = elements.size() == 4;
    Value x = wide(elements[0]);
    Value real = times(x, cosine), imaginary = times(x, sine);
    imaginary = arith::NegFOp::create(b, loc, imaginary);
    if (isComplex) {
      Value y = wide(elements[1]);
      real = arith::AddFOp::create(b, loc, real, times(y, sine));
      imaginary = arith::AddFOp::create(b, loc, imaginary, times(y, cosine));
    }
    ValueRange sums = elements.take_back(2);
    real = arith::AddFOp::create(b, loc, sums[0], real);
    imaginary = arith::AddFOp::create(b, loc, sums[1], imaginary);
    linalg::YieldOp::create(b, loc, ValueRange{real, imaginary});
  }

  OpBuilder &b;
  Location loc;
  bool isInverse;
  Type f64;
};

/// Replaces the operation by a transform of the rows followed by one of the
/// columns.
void replace(ConversionPatternRewriter &rewriter, Operation *op,
             const TypeConverter &converter, Complex input,
             OpFoldResult columns, bool isInverse) {
  Location loc = op->getLoc();
  Transform transform(rewriter, loc, isInverse);
  OpFoldResult rows = tensor::getMixedSize(rewriter, loc, input.real, 1);
  Complex output = transform.along(1, transform.along(2, input, columns), rows);
  Value sums[] = {output.real, output.imaginary};
  SmallVector<Value> results;
  for (auto [value, result] : llvm::zip(sums, op->getResults())) {
    auto type = cast<RankedTensorType>(converter.convertType(result.getType()));
    Value narrow = lower::computeElements(
        rewriter, loc, tensor::getMixedSizes(rewriter, loc, value),
        type.getElementType(), value,
        [&](OpBuilder &b, Location loc, ValueRange elements) {
          return convertScalarToDtype(b, loc, elements[0],
                                      type.getElementType(),
                                      /*isUnsignedCast=*/false);
        });
    if (narrow.getType() != type)
      narrow = tensor::CastOp::create(rewriter, loc, type, narrow);
    results.push_back(narrow);
  }
  rewriter.replaceOp(op, results);
}

// Higher than that of upstream's patterns for the same operations.
constexpr unsigned kBenefit = 1000;

struct LowerFft : OpConversionPattern<tosa::FFT2dOp> {
  LowerFft(TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern(converter, context, kBenefit) {}

  LogicalResult
  matchAndRewrite(tosa::FFT2dOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    OpFoldResult columns =
        tensor::getMixedSize(rewriter, op.getLoc(), adaptor.getInputReal(), 2);
    replace(rewriter, op, *getTypeConverter(),
            {adaptor.getInputReal(), adaptor.getInputImag()}, columns,
            op.getInverse());
    return success();
  }
};

struct LowerRfft : OpConversionPattern<tosa::RFFT2dOp> {
  LowerRfft(TypeConverter &converter, MLIRContext *context)
      : OpConversionPattern(converter, context, kBenefit) {}

  LogicalResult
  matchAndRewrite(tosa::RFFT2dOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value image = adaptor.getInputReal();
    // The other half of the columns is the conjugate.
    OpFoldResult columns = affine::makeComposedFoldedAffineApply(
        rewriter, op.getLoc(), rewriter.getAffineDimExpr(0).floorDiv(2) + 1,
        tensor::getMixedSize(rewriter, op.getLoc(), image, 2));
    replace(rewriter, op, *getTypeConverter(), {image, Value()}, columns,
            /*isInverse=*/false);
    return success();
  }
};

} // namespace

void lower::populateFourier(TypeConverter &converter,
                            RewritePatternSet &patterns) {
  patterns.add<LowerFft, LowerRfft>(converter, patterns.getContext());
}
