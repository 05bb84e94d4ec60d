//===- IndexConstraints.cpp - indices that are data -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/IndexConstraints.h"

#include "dialect/ElementBytes.h"
#include "dialect/LoomDialect.h"
#include "infer/functions/Origin.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

using namespace mlir;
using namespace broadloom;

/// The least element of `tensor`, the greatest one or the product of all, as an
/// i64: its elements are combined by `Op`. `neutral` is the result for a tensor
/// without elements.
template <typename Op>
static Value reduce(OpBuilder &builder, Location loc, Value tensor,
                    const APInt &neutral) {
  auto type = cast<RankedTensorType>(tensor.getType());
  auto scalar = RankedTensorType::get({}, type.getElementType());
  Value init = arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(scalar, neutral));
  MLIRContext *context = builder.getContext();
  SmallVector<AffineMap> maps = {
      AffineMap::getMultiDimIdentityMap(type.getRank(), context),
      AffineMap::get(type.getRank(), 0, context)};
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::reduction);
  auto generic = linalg::GenericOp::create(
      builder, loc, scalar, tensor, init, maps, iterators,
      [](OpBuilder &inner, Location at, ValueRange values) {
        Value best = Op::create(inner, at, values[0], values[1]);
        linalg::YieldOp::create(inner, at, best);
      });
  Value best = tensor::ExtractOp::create(builder, loc, generic.getResult(0),
                                         ValueRange{});
  if (type.getElementType().isInteger(64))
    return best;
  if (type.getElementType().isIndex())
    return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), best);
  return arith::ExtSIOp::create(builder, loc, builder.getI64Type(), best);
}

namespace {

/// A product of numbers that are not negative. A product that does not fit
/// becomes the greatest number, which is more than any tensor has elements.
struct BoundedProduct {
  static Value create(OpBuilder &b, Location loc, Value x, Value y) {
    Type type = x.getType();
    unsigned width = ConstantIntRanges::getStorageBitwidth(type);
    auto constant = [&](const APInt &value) -> Value {
      return arith::ConstantOp::create(b, loc, b.getIntegerAttr(type, value));
    };
    Value greatest = constant(APInt::getSignedMaxValue(width));
    Value divisor =
        arith::MaxSIOp::create(b, loc, x, constant(APInt(width, 1)));
    Value largest = arith::DivSIOp::create(b, loc, greatest, divisor);
    Value wraps =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt, y, largest);
    Value product = arith::MulIOp::create(b, loc, x, y);
    // 0 times any number is 0.
    Value isNone = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, x,
                                         constant(APInt(width, 0)));
    Value some = arith::SelectOp::create(b, loc, wraps, greatest, product);
    return arith::SelectOp::create(b, loc, isNone, x, some);
  }
};

} // namespace

/// Whether the least of some numbers is not negative and a comparison holds.
static Value isNaturalAnd(OpBuilder &builder, Location loc, Value least,
                          arith::CmpIPredicate predicate, Value a, Value b) {
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 64);
  Value natural = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                        least, zero);
  Value holds = arith::CmpIOp::create(builder, loc, predicate, a, b);
  return arith::AndIOp::create(builder, loc, natural, holds);
}

/// The least and the greatest of the indices, as numbers of 64 bits; those of
/// constants are constants.
static std::pair<Value, Value> getEnds(OpBuilder &builder, Location loc,
                                       Value indices) {
  auto type = cast<RankedTensorType>(indices.getType());
  unsigned width = type.getElementTypeBitWidth();
  APInt least = APInt::getSignedMaxValue(width),
        greatest = APInt::getSignedMinValue(width);
  DenseIntElementsAttr elements;
  if (!matchPattern(indices, m_Constant(&elements)) || elements.empty())
    return {reduce<arith::MinSIOp>(builder, loc, indices, least),
            reduce<arith::MaxSIOp>(builder, loc, indices, greatest)};
  for (const APInt &element : getDistinctIntegers(elements)) {
    least = llvm::APIntOps::smin(least, element);
    greatest = llvm::APIntOps::smax(greatest, element);
  }
  auto make = [&](const APInt &number) -> Value {
    return arith::ConstantIntOp::create(builder, loc, number.getSExtValue(),
                                        64);
  };
  return {make(least), make(greatest)};
}

void broadloom::infer::constrainIndices(OpBuilder &builder, Operation *op,
                                        Value indices, Value extent) {
  Location loc = op->getLoc();
  auto [least, greatest] = getEnds(builder, loc, indices);
  Value end =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), extent);
  Value inside = isNaturalAnd(builder, loc, least, arith::CmpIPredicate::slt,
                              greatest, end);
  loom::ConstrainOp::create(
      builder, loc, infer::getOrigin(op), inside,
      "indices are from {0} to {1} but must be in [0, {2})",
      ValueRange{least, greatest, end});
}

/// The width of the elements, which are integers.
static unsigned getWidth(Value tensor) {
  return ConstantIntRanges::getStorageBitwidth(
      cast<RankedTensorType>(tensor.getType()).getElementType());
}

void broadloom::infer::constrainElements(OpBuilder &builder, Operation *op,
                                         Value list, Value elements) {
  Location loc = op->getLoc();
  unsigned width = getWidth(list);
  Value least = reduce<arith::MinSIOp>(builder, loc, list,
                                       APInt::getSignedMaxValue(width));
  Value product = reduce<BoundedProduct>(builder, loc, list, APInt(width, 1));
  Value expected =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), elements);
  // The product below needs numbers that are not negative.
  Value zero = arith::ConstantIntOp::create(builder, loc, 0, 64);
  Value natural = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                        least, zero);
  loom::ConstrainOp::create(
      builder, loc, infer::getOrigin(op), natural,
      "the shape has an extent of {0}, expected at least 0", ValueRange{least});
  Value holds = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                      product, expected);
  loom::ConstrainOp::create(builder, loc, infer::getOrigin(op), holds,
                            "the operand has {0} elements and cannot become a "
                            "shape of {1} elements",
                            ValueRange{expected, product});
}
