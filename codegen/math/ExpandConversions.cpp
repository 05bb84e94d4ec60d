//===- ExpandConversions.cpp - conversions of narrow floats ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expands conversions of the input program, and those in loops such as a
// Fourier transform. Maps of `tosa.cast` already have these formulas.
// Computations of the program in floats of 8 bits go through f32.
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "scalar/Bodies.h"
#include "scalar/FloatFormat.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMEXPANDCONVERSIONS
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;

/// Whether this file expands conversions of the type. The conversion to LLVM
/// supports only those between bf16 and f32.
static bool isNarrow(Type type) {
  return isa<BFloat16Type, Float8E4M3FNType, Float8E5M2Type>(type);
}

static bool isConversion(Operation *op) {
  return isa<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp>(
      op);
}

static bool isOf8Bits(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type);
}

/// Whether the operation computes with floats of 8 bits. Tests for normal
/// numbers depend on the format, and moves keep the bits.
static bool computesIn8Bits(Operation *op) {
  return isa_and_nonnull<arith::ArithDialect, math::MathDialect>(
             op->getDialect()) &&
         op->getNumOperands() > 0 && !isConversion(op) &&
         !isa<arith::BitcastOp, arith::SelectOp, math::IsNormalOp>(op) &&
         (llvm::any_of(op->getOperandTypes(), isOf8Bits) ||
          llvm::any_of(op->getResultTypes(), isOf8Bits));
}

static bool convertsNarrow(Operation *op) {
  if (!isConversion(op))
    return false;
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  if ((from.isBF16() && to.isF32()) || (from.isF32() && to.isBF16()))
    return false;
  return from.isIntOrFloat() && from.getIntOrFloatBitWidth() <= 64 &&
         (isNarrow(from) || isNarrow(to));
}

bool codegen::computesInNarrowFloats(Operation *op) {
  return convertsNarrow(op) || computesIn8Bits(op);
}

/// Rounds once, from the exact value (el-7).
static void expandConversion(scalar::Emitter &e, Operation *op) {
  Value value = op->getOperand(0);
  bool isUnsigned = isa<arith::UIToFPOp>(op);
  // A signed i1 is 0 or -1.
  if (value.getType().isInteger(1))
    value = e.resize(value, e.intType(8), isUnsigned);
  value = scalar::castScalar(e, value, op->getResult(0).getType(), isUnsigned,
                             isUnsigned);
  op->getResult(0).replaceAllUsesWith(value);
}

/// Computes in f32 and rounds once (el-11).
static void computeInF32(scalar::Emitter &e, OpBuilder &b, Operation *op) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(isOf8Bits(operand.getType()) ? scalar::widen(e, operand)
                                                    : operand);
  Operation *wide = b.clone(*op);
  wide->setOperands(operands);
  for (auto [result, computed] :
       llvm::zip(op->getResults(), wide->getResults())) {
    Value value = computed;
    if (isOf8Bits(result.getType())) {
      value.setType(e.f32());
      value = scalar::roundTo(e, value, result.getType());
    }
    result.replaceAllUsesWith(value);
  }
}

namespace {

struct LoomExpandConversionsPass
    : codegen::impl::LoomExpandConversionsBase<LoomExpandConversionsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation()->walk([&](Operation *op) {
      if (codegen::computesInNarrowFloats(op))
        found.push_back(op);
    });
    for (Operation *op : found) {
      OpBuilder builder(op);
      scalar::Emitter e(builder, op->getLoc());
      if (isConversion(op))
        expandConversion(e, op);
      else
        computeInF32(e, builder, op);
      op->erase();
    }
  }
};

} // namespace
