//===- CopyTransposed.cpp - transposed tensors in memory ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"

#include "dialect/MemoryFunction.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMCOPYTRANSPOSED
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;

/// With at most this many elements, a loop takes less time than a call.
static constexpr int64_t kShort = 64;

static bool isShort(linalg::TransposeOp op) {
  ShapedType type = op.getInput().getType();
  return type.hasStaticShape() && type.getNumElements() <= kShort;
}

static void copyInstead(linalg::TransposeOp op) {
  OpBuilder builder(op);
  SmallVector<unsigned> order(op.getPermutation().begin(),
                              op.getPermutation().end());
  AffineMap map = AffineMap::getPermutationMap(order, op.getContext());
  Value transposed = memref::TransposeOp::create(
      builder, op.getLoc(), op.getInput(), AffineMapAttr::get(map));
  memref::CopyOp::create(builder, op.getLoc(), transposed, op.getInit());
  op.erase();
}

namespace {

struct LoomCopyTransposedPass
    : codegen::impl::LoomCopyTransposedBase<LoomCopyTransposedPass> {
  void runOnOperation() override {
    SmallVector<linalg::TransposeOp> transposes;
    getOperation().walk([&](linalg::TransposeOp op) {
      // Memory of a program may overlap, and then the order of the loops counts
      // (mem-8).
      if (op.hasPureBufferSemantics() && !isShort(op) &&
          !loom::isOverMemory(op))
        transposes.push_back(op);
    });
    llvm::for_each(transposes, copyInstead);
  }
};

} // namespace
