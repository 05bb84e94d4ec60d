//===- EraseIdentities.cpp - operations that give what they get -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

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

namespace {

struct LoomEraseIdentitiesPass
    : legalize::impl::LoomEraseIdentitiesBase<LoomEraseIdentitiesPass> {
  LogicalResult apply(ModuleOp module) override {
    module.walk([](Operation *op) {
      if (!isIdentity(op))
        return;
      op->replaceAllUsesWith(op->getOperands().take_front(op->getNumResults()));
      op->erase();
    });
    return success();
  }
};

} // namespace
