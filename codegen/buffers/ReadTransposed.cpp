//===- ReadTransposed.cpp - transposed operands of contractions -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/buffers/MakeLaunch.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMREADTRANSPOSED
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

static bool isFactor(OpOperand &use) {
  return isa<loom::ContractOp>(use.getOwner()) && isReadWithAnyStrides(use);
}

/// Makes contractions, and operations that read extents, read the operand of
/// `transpose`. If another operation needs the row-major copy, they read the
/// copy.
static void readThrough(linalg::TransposeOp transpose) {
  Value result = transpose->getResult(0);
  if (llvm::none_of(result.getUses(), isFactor) ||
      !llvm::all_of(result.getUses(), [](OpOperand &use) {
        return isFactor(use) || isa<tensor::DimOp>(use.getOwner());
      }))
    return;
  OpBuilder builder(transpose);
  Value transposed = loom::TransposedOp::create(
      builder, transpose.getLoc(), result.getType(), transpose.getInput(),
      transpose.getPermutation());
  result.replaceAllUsesWith(transposed);
  Operation *init = transpose.getInit().getDefiningOp();
  transpose.erase();
  if (init && isOpTriviallyDead(init))
    init->erase();
}

namespace {

struct LoomReadTransposedPass
    : codegen::impl::LoomReadTransposedBase<LoomReadTransposedPass> {
  void runOnOperation() override {
    SmallVector<linalg::TransposeOp> transposes;
    getOperation().walk(
        [&](linalg::TransposeOp op) { transposes.push_back(op); });
    llvm::for_each(transposes, readThrough);
  }
};

} // namespace
