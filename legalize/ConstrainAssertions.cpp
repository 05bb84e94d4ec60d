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
#include "llvm/ADT/StringExtras.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMCONSTRAINASSERTIONS
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;

static void constrain(Operation *op, Value condition, StringRef origin,
                      const Twine &message) {
  OpBuilder builder(op);
  loom::ConstrainOp::create(builder, op->getLoc(), origin, condition,
                            message.str(), ValueRange());
  op->erase();
}

/// Takes the operation off the front of a text such as `'tosa.add': text`,
/// which loom-guards-to-assert has made of a guard. Nothing where there is
/// none.
static StringRef consumeOrigin(StringRef &text) {
  auto [origin, message] = text.split("': ");
  if (!origin.consume_front("'") || message.empty() ||
      !llvm::all_of(origin, [](char c) {
        return llvm::isAlnum(c) || StringRef("._$-").contains(c);
      }))
    return "";
  auto [dialect, name] = origin.split('.');
  if (dialect.empty() || !llvm::isAlpha(dialect.front()) || name.empty())
    return "";
  text = message;
  return origin;
}

/// A guard that was printed as an assertion is told as the guard was.
static void constrain(cf::AssertOp assertion) {
  StringRef text = assertion.getMsg(), origin = consumeOrigin(text);
  constrain(assertion, assertion.getArg(),
            origin.empty() ? infer::getOrigin(assertion) : origin,
            escapeTemplate(text.str()));
}

namespace {

struct LoomConstrainAssertionsPass
    : legalize::impl::LoomConstrainAssertionsBase<LoomConstrainAssertionsPass> {
  LogicalResult apply(ModuleOp module) override {
    module.walk([](Operation *op) {
      if (auto assertion = dyn_cast<cf::AssertOp>(op))
        constrain(assertion);
      // Nothing else checks an assumption of the input program.
      else if (auto assumption = dyn_cast<loom::AssumeOp>(op))
        constrain(op, assumption.getCondition(), infer::getOrigin(op),
                  "an assumption does not hold: " +
                      escapeTemplate(assumption.getOrigin().str()));
    });
    return success();
  }
};

} // namespace
