//===- Emitter.cpp - emits straight-line scalar code ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scalar/Emitter.h"

using namespace mlir;
using namespace broadloom::scalar;

Value Emitter::constant(TypedAttr value) {
  Value &known = constants[value];
  if (!known)
    known = make<arith::ConstantOp>(value);
  return known;
}

Type Emitter::intLike(Type type, unsigned width) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? Type(vector.clone(intType(width))) : intType(width);
}

/// `value`, or a splat of it if `type` is a vector.
static TypedAttr splat(Type type, TypedAttr value) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? DenseElementsAttr::get(vector, Attribute(value)) : value;
}

Value Emitter::integer(Type type, int64_t value) {
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  return integer(type, APInt(width, value, /*isSigned=*/true,
                             /*implicitTrunc=*/true));
}

Value Emitter::integer(Type type, const APInt &value) {
  Type element = getElementTypeOrSelf(type);
  return constant(splat(type, builder.getIntegerAttr(element, value)));
}

Value Emitter::real(Type type, double value) {
  Type element = getElementTypeOrSelf(type);
  return constant(splat(type, builder.getFloatAttr(element, value)));
}

Value Emitter::minInteger(Type type, bool isUnsigned) {
  unsigned width = type.getIntOrFloatBitWidth();
  return integer(type, isUnsigned ? APInt::getMinValue(width)
                                  : APInt::getSignedMinValue(width));
}

Value Emitter::maxInteger(Type type, bool isUnsigned) {
  unsigned width = type.getIntOrFloatBitWidth();
  return integer(type, isUnsigned ? APInt::getMaxValue(width)
                                  : APInt::getSignedMaxValue(width));
}

Value Emitter::shiftRight(Value x, Value y, bool isUnsigned) {
  return isUnsigned ? make<arith::ShRUIOp>(x, y) : make<arith::ShRSIOp>(x, y);
}

Value Emitter::min(Value x, Value y, bool isUnsigned) {
  return isUnsigned ? make<arith::MinUIOp>(x, y) : make<arith::MinSIOp>(x, y);
}

Value Emitter::max(Value x, Value y, bool isUnsigned) {
  return isUnsigned ? make<arith::MaxUIOp>(x, y) : make<arith::MaxSIOp>(x, y);
}

Value Emitter::resize(Value x, Type type, bool isUnsigned) {
  unsigned from = x.getType().getIntOrFloatBitWidth();
  unsigned to = type.getIntOrFloatBitWidth();
  if (from == to)
    return x;
  if (from > to)
    return make<arith::TruncIOp>(type, x);
  return isUnsigned ? make<arith::ExtUIOp>(type, x)
                    : make<arith::ExtSIOp>(type, x);
}

Value Emitter::bitcast(Value x, Type type) {
  return x.getType() == type ? x : make<arith::BitcastOp>(type, x);
}
