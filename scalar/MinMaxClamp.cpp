//===- MinMaxClamp.cpp - order: comparisons, extrema, clamp ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scalar/Bodies.h"
#include "scalar/FloatFormat.h"

using namespace mlir;
using namespace broadloom::scalar;

namespace {
enum class Extremum { Max, Min };
} // namespace

Value broadloom::scalar::ignoreNaN(Emitter &e, Value x, Value y, Value ofBoth) {
  return e.select(e.isNaN(x), y, e.select(e.isNaN(y), x, ofBoth));
}

/// One of two wide floats, -0 being less than +0. arith.maximumf and minimumf
/// propagate NaN; to ignore a NaN, the other operand is taken (el-5).
static Value extremumFloat(Emitter &e, Extremum which, Value x, Value y,
                           NaNMode mode) {
  Value result = which == Extremum::Max ? e.make<arith::MaximumFOp>(x, y)
                                        : e.make<arith::MinimumFOp>(x, y);
  return mode == NaNMode::Propagate ? result : ignoreNaN(e, x, y, result);
}

static Value extremum(Emitter &e, Extremum which, Value x, Value y,
                      NaNMode mode, bool isUnsigned) {
  if (isa<FloatType>(x.getType()))
    return narrowExact(e,
                       extremumFloat(e, which, widen(e, x), widen(e, y), mode),
                       x.getType());
  return which == Extremum::Max ? e.max(x, y, isUnsigned)
                                : e.min(x, y, isUnsigned);
}

Value broadloom::scalar::maximum(Emitter &e, Value x, Value y, NaNMode mode,
                                 bool isUnsigned) {
  return extremum(e, Extremum::Max, x, y, mode, isUnsigned);
}

Value broadloom::scalar::minimum(Emitter &e, Value x, Value y, NaNMode mode,
                                 bool isUnsigned) {
  return extremum(e, Extremum::Min, x, y, mode, isUnsigned);
}

Value broadloom::scalar::clamp(Emitter &e, Value x, TypedAttr lower,
                               TypedAttr upper, NaNMode mode, bool isUnsigned) {
  if (!isa<FloatType>(x.getType())) {
    Value atLeast = e.max(x, e.constant(lower), isUnsigned);
    return e.min(atLeast, e.constant(upper), isUnsigned);
  }
  Value wide = widen(e, x);
  // Constants of a narrow format are exact in the wide one.
  auto bound = [&](TypedAttr value) {
    return e.real(wide.getType(), cast<FloatAttr>(value).getValueAsDouble());
  };
  Value low = bound(lower), high = bound(upper);
  Value clamped = extremumFloat(
      e, Extremum::Min,
      extremumFloat(e, Extremum::Max, wide, low, NaNMode::Propagate), high,
      NaNMode::Propagate);
  // el-5: NaN that is ignored becomes the lower bound.
  if (mode == NaNMode::Ignore)
    clamped = e.select(e.isNaN(wide), low, clamped);
  return narrowExact(e, clamped, x.getType());
}

static arith::CmpIPredicate getIntegerPredicate(Order order, bool isUnsigned) {
  using Predicate = arith::CmpIPredicate;
  switch (order) {
  case Order::Equal:
    return Predicate::eq;
  case Order::Greater:
    return isUnsigned ? Predicate::ugt : Predicate::sgt;
  case Order::GreaterEqual:
    return isUnsigned ? Predicate::uge : Predicate::sge;
  }
  llvm_unreachable("all orders are handled");
}

/// el-6: ordered, so that a comparison with NaN is false.
static arith::CmpFPredicate getFloatPredicate(Order order) {
  switch (order) {
  case Order::Equal:
    return arith::CmpFPredicate::OEQ;
  case Order::Greater:
    return arith::CmpFPredicate::OGT;
  case Order::GreaterEqual:
    return arith::CmpFPredicate::OGE;
  }
  llvm_unreachable("all orders are handled");
}

Value broadloom::scalar::compare(Emitter &e, Order order, Value x, Value y,
                                 bool isUnsigned) {
  if (isa<FloatType>(x.getType()))
    return e.compare(getFloatPredicate(order), widen(e, x), widen(e, y));
  return e.compare(getIntegerPredicate(order, isUnsigned), x, y);
}
