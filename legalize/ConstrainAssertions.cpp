//===- ConstrainAssertions.cpp - what a program itself asserts ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"
#include "infer/functions/Origin.h"
#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"
#include "shape/Message.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMCONSTRAINASSERTIONS
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;

static void constrain(Operation *op, Value condition, const Twine &message) {
  OpBuilder builder(op);
  loom::ConstrainOp::create(builder, op->getLoc(), infer::getOrigin(op),
                            condition, message.str(), ValueRange());
  op->erase();
}

namespace {

struct LoomConstrainAssertionsPass
    : legalize::impl::LoomConstrainAssertionsBase<LoomConstrainAssertionsPass> {
  LogicalResult apply(ModuleOp module) override {
    module.walk([](Operation *op) {
      if (auto assertion = dyn_cast<cf::AssertOp>(op))
        constrain(op, assertion.getArg(),
                  escapeTemplate(assertion.getMsg().str()));
      // Nothing else checks an assumption of the input program.
      else if (auto assumption = dyn_cast<loom::AssumeOp>(op))
        constrain(op, assumption.getCondition(),
                  "an assumption does not hold: " +
                      escapeTemplate(assumption.getOrigin().str()));
    });
    return success();
  }
};

} // namespace
