//===- GuardsToAssert.cpp - guards for pipelines without loom -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/BroadcastExtents.h"
#include "dialect/LoomDialect.h"
#include "lower/Passes.h"
#include "shape/Message.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

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

/// The extent on `axis`, counted from the right, of a shape whose rank is
/// known, in operations of other dialects; null where it is not known.
Value emitExtent(OpBuilder &builder, Location loc, Value shape,
                 int64_t fromRight) {
  auto type = cast<loom::ShapeType>(shape.getType());
  if (!type.getRanked())
    return {};
  int64_t axis = type.getRank() - fromRight;
  // bcast-1
  if (axis < 0)
    return arith::ConstantIndexOp::create(builder, loc, 1);
  if (int64_t extent = type.getExtents()[axis]; !ShapedType::isDynamic(extent))
    return arith::ConstantIndexOp::create(builder, loc, extent);
  return llvm::TypeSwitch<Operation *, Value>(shape.getDefiningOp())
      .Case([&](loom::ShapeOfOp op) -> Value {
        return tensor::DimOp::create(builder, loc, op.getTensor(), axis);
      })
      .Case([&](loom::FromExtentsOp op) { return op.getExtents()[axis]; })
      .Case([&](loom::BroadcastOp op) {
        Value joined;
        for (Value operand : op.getShapes()) {
          Value extent = emitExtent(builder, loc, operand, fromRight);
          if (!extent)
            return extent;
          joined = joined
                       ? loom::emitBroadcastExtent(builder, loc, joined, extent)
                       : extent;
        }
        return joined;
      })
      .Default([](Operation *) { return Value(); });
}

/// Leaves what upstream's dialects have in place of an extent.
void evaluateExtent(loom::ExtentOp op) {
  auto axis = static_cast<int64_t>(op.getAxis());
  auto type = cast<loom::ShapeType>(op.getShape().getType());
  if (axis >= 0)
    axis -= type.getRank();
  OpBuilder builder(op);
  Value extent = emitExtent(builder, op.getLoc(), op.getShape(), -axis);
  if (!extent)
    return;
  op.getExtent().replaceAllUsesWith(extent);
  op.erase();
}

/// Erases what `loom` computes of shapes and nothing reads.
void eraseUnused(Operation *root) {
  SmallVector<Operation *> unused;
  root->walk([&](Operation *op) {
    if (isa_and_nonnull<loom::LoomDialect>(op->getDialect()) &&
        op->getNumRegions() == 0 && !isa<loom::YieldOp>(op) &&
        isMemoryEffectFree(op))
      unused.push_back(op);
  });
  // Users before what they use.
  for (Operation *op : llvm::reverse(unused))
    if (op->use_empty())
      op->erase();
}

struct LoomGuardsToAssertPass
    : lower::impl::LoomGuardsToAssertBase<LoomGuardsToAssertPass> {
  void runOnOperation() override {
    getOperation().walk([](loom::ExtentOp op) { evaluateExtent(op); });
    eraseUnused(getOperation());
    getOperation().walk([](loom::RequireOp guard) {
      OpBuilder builder(guard);
      std::string text =
          withSite("", guard.getOrigin(), withoutValues(guard.getMessage()));
      cf::AssertOp::create(builder, guard.getLoc(), guard.getCondition(), text);
      guard.erase();
    });
    WalkResult left = getOperation().walk([](Operation *op) {
      if (!isa_and_nonnull<loom::LoomDialect>(op->getDialect()) ||
          isa<loom::YieldOp>(op))
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
