//===- ExpandConversions.cpp - conversions of narrow floats ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program's own conversions, and those of what is computed by loops, such as
// a Fourier transform. Maps of `tosa.cast` have these formulas already.
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "scalar/Bodies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMEXPANDCONVERSIONS
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;

/// Whether there is a formula for the type, and the conversion to LLVM has none
/// but that between bf16 and f32.
static bool isNarrow(Type type) {
  return isa<BFloat16Type, Float8E4M3FNType, Float8E5M2Type>(type);
}

bool codegen::convertsNarrowFloats(Operation *op) {
  if (!isa<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::UIToFPOp>(
          op))
    return false;
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  if ((from.isBF16() && to.isF32()) || (from.isF32() && to.isBF16()))
    return false;
  return from.isIntOrFloat() && from.getIntOrFloatBitWidth() <= 64 &&
         (isNarrow(from) || isNarrow(to));
}

namespace {

struct LoomExpandConversionsPass
    : codegen::impl::LoomExpandConversionsBase<LoomExpandConversionsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> found;
    getOperation()->walk([&](Operation *op) {
      if (codegen::convertsNarrowFloats(op))
        found.push_back(op);
    });
    for (Operation *op : found) {
      OpBuilder builder(op);
      scalar::Emitter e(builder, op->getLoc());
      Value value = op->getOperand(0);
      bool isUnsigned = isa<arith::UIToFPOp>(op);
      // An i1 with a sign is 0 or -1.
      if (value.getType().isInteger(1))
        value = e.resize(value, e.intType(8), isUnsigned);
      value = scalar::castScalar(e, value, op->getResult(0).getType(),
                                 isUnsigned, isUnsigned);
      op->getResult(0).replaceAllUsesWith(value);
      op->erase();
    }
  }
};

} // namespace
