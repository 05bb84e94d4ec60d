//===- LocateBodies.cpp - locations in operations of linalg ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/Origin.h"
#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMLOCATEBODIES
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;

namespace {

struct LoomLocateBodiesPass
    : legalize::impl::LoomLocateBodiesBase<LoomLocateBodiesPass> {
  LogicalResult apply(ModuleOp module) override {
    module.walk([](linalg::LinalgOp op) {
      op->walk([&](Operation *inner) {
        if (inner != op && isa<UnknownLoc>(inner->getLoc()))
          infer::setOrigin(inner, op);
      });
    });
    return success();
  }
};

} // namespace
