//===- GuardsToAssert.cpp - guards for pipelines without loom -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"
#include "lower/Passes.h"
#include "shape/Message.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace broadloom::lower {
#define GEN_PASS_DEF_LOOMGUARDSTOASSERT
#include "lower/Passes.h.inc"
} // namespace broadloom::lower

using namespace mlir;
using namespace broadloom;

/// A guard's text without its values, which `cf.assert` has no room for.
static std::string withoutValues(StringRef text) {
  std::string result;
  while (!text.empty()) {
    auto [before, rest] = text.split('{');
    result += before;
    if (before.size() == text.size())
      break;
    if (rest.consume_front("{")) {
      result += '{';
    } else {
      result += '?';
      rest = rest.drop_until([](char c) { return c == '}'; }).drop_front();
    }
    text = rest;
  }
  return result;
}

namespace {

/// The extent of a tensor whose type has a rank, as a `tensor.dim`.
void evaluateTensor(loom::ExtentOp op) {
  auto shape = op.getShape().getDefiningOp<loom::ShapeOfOp>();
  auto type = shape ? dyn_cast<RankedTensorType>(shape.getTensor().getType())
                    : RankedTensorType();
  if (!type)
    return;
  OpBuilder builder(op);
  int64_t axis = static_cast<int64_t>(op.getAxis());
  if (axis < 0)
    axis += type.getRank();
  // bcast-1
  Value extent =
      axis < 0
          ? arith::ConstantIndexOp::create(builder, op.getLoc(), 1).getResult()
          : tensor::DimOp::create(builder, op.getLoc(), shape.getTensor(), axis)
                .getResult();
  op.getExtent().replaceAllUsesWith(extent);
  op.erase();
}

struct LoomGuardsToAssertPass
    : lower::impl::LoomGuardsToAssertBase<LoomGuardsToAssertPass> {
  void runOnOperation() override {
    getOperation().walk([](loom::ExtentOp op) { evaluateTensor(op); });
    getOperation().walk([](loom::RequireOp guard) {
      OpBuilder builder(guard);
      std::string text =
          withSite("", guard.getOrigin(), withoutValues(guard.getMessage()));
      cf::AssertOp::create(builder, guard.getLoc(), guard.getCondition(), text);
      guard.erase();
    });
    WalkResult left = getOperation().walk([](Operation *op) {
      if (!isa_and_nonnull<loom::LoomDialect>(op->getDialect()) ||
          isa<loom::YieldOp>(op) || (op->use_empty() && isMemoryEffectFree(op)))
        return WalkResult::advance();
      op->emitError() << "depends on a rank that is known at run time only, "
                         "which upstream's dialects cannot express; give its "
                         "operands a rank";
      return WalkResult::interrupt();
    });
    if (left.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
