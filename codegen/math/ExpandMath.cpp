//===- ExpandMath.cpp - functions as inline arithmetic --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/target/CodeTarget.h"
#include "scalar/Bodies.h"
#include "scalar/Emitter.h"
#include "scalar/FloatFormat.h"
#include "scalar/MathExpansion.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

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
static Value expandIPowI(scalar::Emitter &e, math::IPowIOp op) {
  Value x = op.getLhs(), n = op.getRhs();
  Type type = x.getType();
  unsigned width = ConstantIntRanges::getStorageBitwidth(type);
  auto number = [&](int64_t value) {
    return e.integer(type, APInt(width, value, /*isSigned=*/true,
                                 /*implicitTrunc=*/true));
  };
  Value zero = number(0), one = number(1), minusOne = number(-1);
  auto equals = [&](Value a, Value b) {
    return e.compare(arith::CmpIPredicate::eq, a, b);
  };
  auto isOdd = [&](Value value) { return equals(e.bitAnd(value, one), one); };
  Value power = one, square = x;
  for (unsigned bit = 0; bit < width; ++bit) {
    Value rest =
        bit == 0 ? n : e.shiftRight(n, number(bit), /*isUnsigned=*/true);
    power = e.select(isOdd(rest), e.mul(power, square), power);
    square = e.mul(square, square);
  }
  Value ofMinusOne = e.select(isOdd(n), minusOne, one);
  Value inverse = e.select(equals(x, one), one,
                           e.select(equals(x, minusOne), ofMinusOne, zero));
  return e.select(e.compare(arith::CmpIPredicate::slt, n, zero), inverse,
                  power);
}

/// The magnitude of x with the sign of y, computed on bits, because not every
/// float type has an instruction for it.
static Value expandCopySign(scalar::Emitter &e, math::CopySignOp op) {
  unsigned width = op.getType().getIntOrFloatBitWidth();
  Type bits = e.intType(width);
  auto take = [&](Value value, const APInt &mask) {
    return e.bitAnd(e.bitcast(value, bits), e.integer(bits, mask));
  };
  APInt sign = APInt::getSignMask(width);
  return e.bitcast(e.bitOr(take(op.getLhs(), ~sign), take(op.getRhs(), sign)),
                   op.getType());
}

/// |x| to the power of n, with the sign of x if n is odd. The sign needs the
/// integer n, because a large odd n becomes an even float.
static Value expandFPowI(scalar::Emitter &e, math::FPowIOp op) {
  Value x = scalar::widen(e, op.getLhs()), n = op.getRhs();
  Type type = x.getType(), whole = n.getType(),
       bits = e.intType(type.getIntOrFloatBitWidth());
  Value magnitude = e.make<math::PowFOp>(e.make<math::AbsFOp>(x),
                                         e.make<arith::SIToFPOp>(type, n));
  Value isOdd =
      e.compare(arith::CmpIPredicate::ne, e.bitAnd(n, e.integer(whole, 1)),
                e.integer(whole, 0));
  Value isNegative = e.compare(arith::CmpIPredicate::slt, e.bitcast(x, bits),
                               e.integer(bits, 0));
  Value result = e.select(e.bitAnd(isOdd, isNegative),
                          e.make<arith::NegFOp>(magnitude), magnitude);
  return scalar::roundTo(e, result, op.getType());
}

/// Expands a test for the class of a float: infinite, NaN, finite, or normal;
/// null for another operation.
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

/// Expands operations for which neither LLVM nor the C library has a function;
/// null for others.
static Value expandByOthers(scalar::Emitter &e, Operation *op) {
  if (auto rsqrt = dyn_cast<math::RsqrtOp>(op)) {
    Value x = scalar::widen(e, rsqrt.getOperand());
    return scalar::roundTo(e,
                           e.make<arith::DivFOp>(e.real(x.getType(), 1.0),
                                                 e.make<math::SqrtOp>(x)),
                           rsqrt.getType());
  }
  if (auto power = dyn_cast<math::FPowIOp>(op))
    return expandFPowI(e, power);
  if (auto power = dyn_cast<math::IPowIOp>(op))
    return expandIPowI(e, power);
  if (auto copy = dyn_cast<math::CopySignOp>(op))
    return expandCopySign(e, copy);
  return expandClass(e, op);
}

static void expandByOthers(Operation *root) {
  SmallVector<Operation *> found;
  root->walk([&](Operation *op) {
    if (isa_and_nonnull<math::MathDialect>(op->getDialect()) &&
        op->getResult(0).getType().isIntOrIndexOrFloat())
      found.push_back(op);
  });
  for (Operation *op : found) {
    OpBuilder builder(op);
    scalar::Emitter e(builder, op->getLoc());
    if (Value value = expandByOthers(e, op)) {
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    }
  }
}

/// The larger or the smaller one of two floats, where a NaN is ignored, with +0
/// greater than -0 as in el-5: constants are folded so, while instructions of
/// processors give one of two zeros by their order.
static void defineExtrema(Operation *root) {
  root->walk([](Operation *op) {
    bool isMaximum = isa<arith::MaxNumFOp>(op);
    if (!isMaximum && !isa<arith::MinNumFOp>(op))
      return;
    OpBuilder builder(op);
    scalar::Emitter e(builder, op->getLoc());
    Value x = op->getOperand(0), y = op->getOperand(1);
    Value both = isMaximum ? e.make<arith::MaximumFOp>(x, y)
                           : e.make<arith::MinimumFOp>(x, y);
    op->getResult(0).replaceAllUsesWith(scalar::ignoreNaN(e, x, y, both));
    op->erase();
  });
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
    defineExtrema(getOperation());
    scalar::expandMath(getOperation(), machine->getMathUnit());
  }
};

} // namespace
