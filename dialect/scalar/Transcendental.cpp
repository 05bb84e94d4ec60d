//===- Transcendental.cpp - functions from the math library ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/scalar/Bodies.h"
#include "dialect/scalar/FloatFormat.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace broadloom::scalar;

/// 1 / (1 + exp(-x)), with the exponential always at or below 1: it does not
/// overflow, and where x is far below 0 the result is exp(x), with its relative
/// accuracy and its subnormals.
static Value emitSigmoid(Emitter &e, Value x) {
  Type type = x.getType();
  Value one = e.real(type, 1);
  Value power = e.make<math::ExpOp>(negateFloat(e, absFloat(e, x)));
  Value isPositive = e.compare(arith::CmpFPredicate::OGE, x, e.real(type, 0));
  return e.make<arith::DivFOp>(e.select(isPositive, one, power),
                               e.make<arith::AddFOp>(one, power));
}

static Value emitFunction(Emitter &e, Function function, Value x) {
  switch (function) {
  case Function::Cos:
    return e.make<math::CosOp>(x);
  case Function::Erf:
    return e.make<math::ErfOp>(x);
  case Function::Exp:
    return e.make<math::ExpOp>(x);
  case Function::Log:
    return e.make<math::LogOp>(x);
  case Function::Sigmoid:
    return emitSigmoid(e, x);
  case Function::Sin:
    return e.make<math::SinOp>(x);
  case Function::Tanh:
    return e.make<math::TanhOp>(x);
  }
  llvm_unreachable("all functions are handled");
}

Value broadloom::scalar::applyFunction(Emitter &e, Function function, Value x) {
  return computeWidened(e, x.getType(), {x}, [&](ArrayRef<Value> v) {
    return emitFunction(e, function, v[0]);
  });
}

Value broadloom::scalar::power(Emitter &e, Value x, Value y) {
  return computeWidened(e, x.getType(), {x, y}, [&](ArrayRef<Value> v) {
    return e.make<math::PowFOp>(v[0], v[1]);
  });
}
