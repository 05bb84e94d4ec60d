//===- EraseIdentities.cpp - operations that give what they get -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/Origin.h"
#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMERASEIDENTITIES
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;

/// Whether `op` is a cast between equal types, as converters of models leave
/// them, or transposes a tensor without axes, on which upstream's verifier
/// crashes.
static bool isIdentity(Operation *op) {
  auto transpose = dyn_cast<linalg::TransposeOp>(op);
  if (transpose ? !transpose.getPermutation().empty()
                : !isa<UnrealizedConversionCastOp>(op))
    return false;
  ValueRange given = transpose ? ValueRange(op->getOperands().take_front())
                               : op->getOperands();
  return given.getTypes() == op->getResultTypes();
}

/// Copies the element of memory without axes that `op` transposes.
static void copyElement(linalg::TransposeOp op) {
  OpBuilder builder(op);
  auto copy =
      memref::CopyOp::create(builder, op.getLoc(), op.getInput(), op.getInit());
  infer::takeOrigin(copy, op);
  op.erase();
}

static bool transposesMemory(linalg::TransposeOp op) {
  auto isMemory = [](Type type) {
    auto memory = dyn_cast<MemRefType>(type);
    return memory && memory.getRank() == 0;
  };
  return op.getPermutation().empty() && op->getNumResults() == 0 &&
         llvm::all_of(op->getOperandTypes(), isMemory);
}

namespace {

struct LoomEraseIdentitiesPass
    : legalize::impl::LoomEraseIdentitiesBase<LoomEraseIdentitiesPass> {
  LogicalResult apply(ModuleOp module) override {
    module.walk([](Operation *op) {
      if (auto transpose = dyn_cast<linalg::TransposeOp>(op);
          transpose && transposesMemory(transpose))
        return copyElement(transpose);
      if (!isIdentity(op))
        return;
      op->replaceAllUsesWith(op->getOperands().take_front(op->getNumResults()));
      op->erase();
    });
    return success();
  }
};

} // namespace
