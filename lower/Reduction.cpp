//===- Reduction.cpp - what TOSA's reductions compute ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/Reduction.h"

#include "scalar/Bodies.h"
#include "scalar/FloatFormat.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::lower;
using namespace broadloom::scalar;
using Kind = Reduction::Kind;

static std::optional<Kind> getKind(Operation *op) {
  if (isa<tosa::ArgMaxOp>(op))
    return Kind::ArgMax;
  if (isa<tosa::ReduceAllOp>(op))
    return Kind::All;
  if (isa<tosa::ReduceAnyOp>(op))
    return Kind::Any;
  if (isa<tosa::ReduceMaxOp>(op))
    return Kind::Max;
  if (isa<tosa::ReduceMinOp>(op))
    return Kind::Min;
  if (isa<tosa::ReduceProductOp>(op))
    return Kind::Product;
  if (isa<tosa::ReduceSumOp>(op))
    return Kind::Sum;
  return std::nullopt;
}

static bool isLogical(Kind kind) {
  return kind == Kind::All || kind == Kind::Any;
}

static bool canReduce(Kind kind, Type element) {
  if (isLogical(kind))
    return element.isInteger(1);
  // A key of 64 bits has no space for the index and a wider value. red-5
  if (kind == Kind::ArgMax && element.isIntOrFloat() &&
      element.getIntOrFloatBitWidth() > 32)
    return false;
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element) ||
         (element.isSignlessInteger() && !element.isInteger(1) &&
          llvm::is_contained({8u, 16u, 32u, 64u},
                             element.getIntOrFloatBitWidth()));
}

std::optional<Reduction> lower::matchReduction(Operation *op) {
  std::optional<Kind> kind = getKind(op);
  if (!kind)
    return std::nullopt;
  auto input = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto result = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  auto axis = op->getAttrOfType<IntegerAttr>("axis");
  bool isArgMax = kind == Kind::ArgMax;
  if (!input || !result || !axis ||
      input.getRank() != result.getRank() + isArgMax ||
      result.getElementType() != (isArgMax
                                      ? IntegerType::get(op->getContext(), 32)
                                      : input.getElementType()) ||
      !canReduce(*kind, input.getElementType()))
    return std::nullopt;
  Reduction reduction{*kind};
  reduction.axis = axis.getInt();
  if (reduction.axis < 0 || reduction.axis >= input.getRank())
    return std::nullopt;
  auto mode = op->getAttrOfType<tosa::NanPropagationModeAttr>("nan_mode");
  reduction.ignoresNaN = mode &&
                         mode.getValue() == tosa::NanPropagationMode::IGNORE &&
                         isa<FloatType>(input.getElementType());
  return reduction;
}

TypedAttr lower::getNeutral(const Reduction &reduction, Type type) {
  Builder builder(type.getContext());
  Kind kind = reduction.kind;
  if (auto floatType = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &format = floatType.getFloatSemantics();
    if (kind == Kind::Sum || kind == Kind::Product)
      return builder.getFloatAttr(type, kind == Kind::Sum ? 0.0 : 1.0);
    return builder.getFloatAttr(
        type, reduction.ignoresNaN
                  ? APFloat::getQNaN(format)
                  : APFloat::getInf(format, /*Negative=*/kind == Kind::Max));
  }
  unsigned width = type.getIntOrFloatBitWidth();
  APInt value(width, kind == Kind::Product || kind == Kind::All);
  if (kind == Kind::Max)
    value = APInt::getSignedMinValue(width);
  if (kind == Kind::Min)
    value = APInt::getSignedMaxValue(width);
  // The key of the smallest value at index 0.
  if (kind == Kind::ArgMax)
    value = APInt::getSignedMinValue(width) | APInt::getLowBitsSet(width, 32);
  return builder.getIntegerAttr(type, value);
}

static Value combine(Emitter &e, const Reduction &reduction, Value x, Value y) {
  bool isFloat = isa<FloatType>(x.getType());
  NaNMode mode = reduction.ignoresNaN ? NaNMode::Ignore : NaNMode::Propagate;
  switch (reduction.kind) {
  case Kind::All:
    return e.bitAnd(x, y);
  case Kind::Any:
    return e.bitOr(x, y);
  case Kind::ArgMax:
    return e.max(x, y, /*isUnsigned=*/false);
  case Kind::Max:
    return maximum(e, x, y, mode, /*isUnsigned=*/false);
  case Kind::Min:
    return minimum(e, x, y, mode, /*isUnsigned=*/false);
  case Kind::Product:
    return isFloat ? e.make<arith::MulFOp>(x, y) : e.mul(x, y);
  case Kind::Sum:
    return isFloat ? e.make<arith::AddFOp>(x, y) : e.add(x, y);
  }
  llvm_unreachable("all kinds are handled");
}

/// An integer of 32 bits with the order of floats: +0 and -0 are equal, and all
/// NaN are equal: the greatest, or the least if they are ignored.
static Value orderedBits(Emitter &e, Value x, bool ignoresNaN) {
  x = widen(e, x);
  Type i32 = e.intType(32);
  Value bits =
      e.bitcast(e.make<arith::AddFOp>(x, e.real(x.getType(), 0.0)), i32);
  // The bits of negative floats have the opposite order.
  Value flipped = e.bitAnd(e.shiftRight(bits, 31, /*isUnsigned=*/false),
                           e.integer(i32, 0x7fffffff));
  Value least = e.integer(i32, int64_t(0xff800000 ^ 0x7fffffff));
  return e.select(e.isNaN(x), ignoresNaN ? least : e.integer(i32, 0x7fffffff),
                  e.bitXor(bits, flipped));
}

/// A key of an element and its index: the largest key is that of the first
/// largest element.
static Value argMaxKey(Emitter &e, const Reduction &reduction, Value value,
                       Value index) {
  Type i64 = e.intType(64);
  if (isa<FloatType>(value.getType()))
    value = orderedBits(e, value, reduction.ignoresNaN);
  Value high = e.shiftLeft(e.resize(value, i64, /*isUnsigned=*/false), 32);
  return e.sub(e.bitOr(high, e.integer(i64, 0xffffffff)), index);
}

//===----------------------------------------------------------------------===//
// The parts of a reduction
//===----------------------------------------------------------------------===//

Type lower::getReducedType(const Reduction &reduction, Type element) {
  Builder builder(element.getContext());
  if (reduction.kind == Kind::ArgMax)
    return builder.getI64Type();
  if (element.isInteger(1))
    return builder.getI8Type();
  return element.isF16() || element.isBF16() ? builder.getF32Type() : element;
}

Value lower::prepareElement(OpBuilder &builder, Location loc,
                            const Reduction &reduction, Value element,
                            llvm::function_ref<Value()> index) {
  Emitter e(builder, loc);
  if (reduction.kind == Kind::ArgMax)
    return argMaxKey(e, reduction, element, index());
  if (element.getType().isInteger(1))
    return e.resize(element, e.intType(8), /*isUnsigned=*/true);
  return isa<FloatType>(element.getType()) ? widen(e, element) : element;
}

Value lower::combineElements(OpBuilder &builder, Location loc,
                             const Reduction &reduction, Value x, Value y) {
  Emitter e(builder, loc);
  return combine(e, reduction, x, y);
}

Value lower::finishElement(OpBuilder &builder, Location loc,
                           const Reduction &reduction, Value reduced,
                           Type element) {
  Emitter e(builder, loc);
  if (reduction.kind == Kind::ArgMax)
    return invertBits(e,
                      e.resize(reduced, e.intType(32), /*isUnsigned=*/false));
  if (element.isInteger(1))
    return e.compare(arith::CmpIPredicate::ne, reduced,
                     e.integer(reduced.getType(), 0));
  if (reduced.getType() == element)
    return reduced;
  bool isExact = reduction.kind == Kind::Max || reduction.kind == Kind::Min;
  return isExact ? narrowExact(e, reduced, element)
                 : roundTo(e, reduced, element);
}

Value lower::buildReduce(OpBuilder &builder, Location loc,
                         const Reduction &reduction, Value value) {
  Type element = value.getType();
  Value prepared = prepareElement(builder, loc, reduction, value, [&] {
    return loom::IndexOp::create(builder, loc, builder.getI64Type())
        .getResult();
  });
  Type type = prepared.getType();
  auto reduce = loom::ReduceOp::create(builder, loc, type, prepared,
                                       getNeutral(reduction, type));
  Block &body = reduce.getCombine().emplaceBlock();
  body.addArguments({type, type}, {loc, loc});
  OpBuilder inner = OpBuilder::atBlockBegin(&body);
  Value combined = combineElements(inner, loc, reduction, body.getArgument(0),
                                   body.getArgument(1));
  loom::YieldOp::create(inner, loc, combined);
  return finishElement(builder, loc, reduction, reduce.getResult(), element);
}
