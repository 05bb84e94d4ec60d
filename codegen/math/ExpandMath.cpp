//===- ExpandMath.cpp - functions as inline arithmetic --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/target/CodeTarget.h"
#include "scalar/Emitter.h"
#include "scalar/FloatFormat.h"
#include "scalar/MathExpansion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <limits>

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMEXPANDMATH
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// x to the power of n, in wrapping arithmetic: a product for each bit of n. A
/// negative power of a number other than 1 and -1 is 0.
static Value expandIPowI(ImplicitLocOpBuilder &b, math::IPowIOp op) {
  Value x = op.getLhs(), n = op.getRhs();
  Type type = x.getType();
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, b.getIntegerAttr(type, value));
  };
  Value zero = constant(0), one = constant(1), minusOne = constant(-1);
  auto equals = [&](Value a, Value c) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, a, c);
  };
  auto isOdd = [&](Value value) {
    return equals(arith::AndIOp::create(b, value, one), one);
  };
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  Value power = one, square = x;
  for (unsigned bit = 0; bit < width; ++bit) {
    Value rest =
        bit == 0 ? n : Value(arith::ShRUIOp::create(b, n, constant(bit)));
    power = arith::SelectOp::create(
        b, isOdd(rest), arith::MulIOp::create(b, power, square), power);
    square = arith::MulIOp::create(b, square, square);
  }
  Value inverse = arith::SelectOp::create(
      b, equals(x, one), one,
      arith::SelectOp::create(
          b, equals(x, minusOne),
          arith::SelectOp::create(b, isOdd(n), minusOne, one), zero));
  Value isNegative =
      arith::CmpIOp::create(b, arith::CmpIPredicate::slt, n, zero);
  return arith::SelectOp::create(b, isNegative, inverse, power);
}

/// The magnitude of x with the sign of y, as bits: not every float type has an
/// instruction for it.
static Value expandCopySign(ImplicitLocOpBuilder &b, math::CopySignOp op) {
  unsigned width = op.getType().getIntOrFloatBitWidth();
  Type bits = b.getIntegerType(width);
  auto take = [&](Value value, const APInt &mask) -> Value {
    return arith::AndIOp::create(
        b, arith::BitcastOp::create(b, bits, value),
        arith::ConstantOp::create(b, b.getIntegerAttr(bits, mask)));
  };
  APInt sign = APInt::getSignMask(width);
  return arith::BitcastOp::create(
      b, op.getType(),
      arith::OrIOp::create(b, take(op.getLhs(), ~sign),
                           take(op.getRhs(), sign)));
}

/// What `op` says of the class of a float: whether it is infinite, NaN, finite,
/// or neither 0 nor subnormal nor any of these; null for another operation.
static Value expandClass(scalar::Emitter &e, Operation *op) {
  if (!isa<math::IsInfOp, math::IsNaNOp, math::IsFiniteOp, math::IsNormalOp>(
          op))
    return {};
  Value x = op->getOperand(0);
  auto least = APFloat::getSmallestNormalized(
      cast<FloatType>(x.getType()).getFloatSemantics());
  // Not every float type has comparisons; widening is exact.
  x = scalar::widen(e, x);
  auto compare = [&](arith::CmpFPredicate predicate, double to) {
    return e.make<arith::CmpFOp>(predicate, e.make<math::AbsFOp>(x),
                                 e.real(x.getType(), to));
  };
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (isa<math::IsInfOp>(op))
    return compare(arith::CmpFPredicate::OEQ, infinity);
  if (isa<math::IsNaNOp>(op))
    return e.isNaN(x);
  Value isFinite = compare(arith::CmpFPredicate::OLT, infinity);
  if (isa<math::IsFiniteOp>(op))
    return isFinite;
  return e.bitAnd(isFinite,
                  compare(arith::CmpFPredicate::OGE, least.convertToDouble()));
}

/// What neither LLVM nor the C library has a function for, in terms of what
/// they have; null for anything else.
static Value expandByOthers(ImplicitLocOpBuilder &b, Operation *op) {
  if (!op->getNumResults() || !op->getResult(0).getType().isIntOrIndexOrFloat())
    return {};
  scalar::Emitter e(b, op->getLoc());
  if (auto rsqrt = dyn_cast<math::RsqrtOp>(op)) {
    Value x = scalar::widen(e, rsqrt.getOperand());
    return scalar::roundTo(e,
                           arith::DivFOp::create(b, e.real(x.getType(), 1.0),
                                                 math::SqrtOp::create(b, x)),
                           rsqrt.getType());
  }
  if (auto power = dyn_cast<math::FPowIOp>(op)) {
    Value x = scalar::widen(e, power.getLhs());
    Value n = arith::SIToFPOp::create(b, x.getType(), power.getRhs());
    // An n that a float has not is even there; its own lowest bit tells.
    Value magnitude = math::PowFOp::create(b, math::AbsFOp::create(b, x), n);
    Type whole = power.getRhs().getType();
    Value bit = arith::AndIOp::create(b, power.getRhs(), e.integer(whole, 1));
    Value isOdd = e.compare(arith::CmpIPredicate::ne, bit, e.integer(whole, 0));
    Value isNegative = e.compare(
        arith::CmpIPredicate::slt,
        e.bitcast(x, b.getIntegerType(x.getType().getIntOrFloatBitWidth())),
        e.integer(b.getIntegerType(x.getType().getIntOrFloatBitWidth()), 0));
    Value result = e.select(e.bitAnd(isOdd, isNegative),
                            arith::NegFOp::create(b, magnitude), magnitude);
    return scalar::roundTo(e, result, power.getType());
  }
  if (auto power = dyn_cast<math::IPowIOp>(op))
    return expandIPowI(b, power);
  if (auto copy = dyn_cast<math::CopySignOp>(op))
    return expandCopySign(b, copy);
  return expandClass(e, op);
}

static void expandByOthers(Operation *root) {
  SmallVector<Operation *> found;
  root->walk([&](Operation *op) {
    if (isa_and_nonnull<math::MathDialect>(op->getDialect()))
      found.push_back(op);
  });
  for (Operation *op : found) {
    ImplicitLocOpBuilder b(op->getLoc(), op);
    if (Value value = expandByOthers(b, op)) {
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    }
  }
}

namespace {

struct LoomExpandMathPass
    : codegen::impl::LoomExpandMathBase<LoomExpandMathPass> {
  using LoomExpandMathBase::LoomExpandMathBase;

  void runOnOperation() override {
    bool isNamed = !target.empty() || !cpu.empty();
    auto machine = isNamed ? CodeTarget::get(target, cpu)
                           : CodeTarget::getOf(getOperation());
    if (!machine) {
      emitError(getOperation().getLoc()) << llvm::toString(machine.takeError());
      return signalPassFailure();
    }
    expandByOthers(getOperation());
    scalar::expandMath(getOperation(), machine->getMathUnit());
  }
};

} // namespace
