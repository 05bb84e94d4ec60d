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

namespace broadloom::lower {
#define GEN_PASS_DEF_LOOMGUARDSTOASSERT
#include "lower/Passes.h.inc"
} // namespace broadloom::lower

using namespace mlir;
using namespace broadloom;

/// A guard's text without its values, which `cf.assert` does not support.
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

/// Replaces extents of shapes of known rank by operations of upstream's
/// dialects.
class ExtentEvaluator {
public:
  void evaluate(loom::ExtentOp op) {
    auto axis = static_cast<int64_t>(op.getAxis());
    if (axis >= 0)
      axis -= cast<loom::ShapeType>(op.getShape().getType()).getRank();
    Value extent = getExtent(op.getShape(), -axis);
    if (!extent)
      return;
    op.getExtent().replaceAllUsesWith(extent);
    op.erase();
  }

private:
  /// The extent on an axis counted from the right, from 1 on, emitted after the
  /// definition of the shape; null if not known. Each is emitted once, because
  /// shapes are operands of many others.
  Value getExtent(Value shape, int64_t fromRight) {
    auto key = std::pair(shape, fromRight);
    if (auto it = extents.find(key); it != extents.end())
      return it->second;
    Value extent = emitExtent(shape, fromRight);
    return extents[key] = extent;
  }

  Value emitExtent(Value shape, int64_t fromRight) {
    auto type = cast<loom::ShapeType>(shape.getType());
    Operation *op = shape.getDefiningOp();
    if (!type.getRanked() || !op)
      return {};
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Location loc = op->getLoc();
    int64_t axis = type.getRank() - fromRight;
    // bcast-1
    if (axis < 0)
      return arith::ConstantIndexOp::create(builder, loc, 1);
    int64_t known = type.getExtents()[axis];
    if (!ShapedType::isDynamic(known))
      return arith::ConstantIndexOp::create(builder, loc, known);
    if (auto shapeOf = dyn_cast<loom::ShapeOfOp>(op))
      return tensor::DimOp::create(builder, loc, shapeOf.getTensor(), axis);
    if (auto made = dyn_cast<loom::FromExtentsOp>(op))
      return made.getExtents()[axis];
    auto broadcast = dyn_cast<loom::BroadcastOp>(op);
    return broadcast ? emitJoined(broadcast, fromRight) : Value();
  }

  Value emitJoined(loom::BroadcastOp op, int64_t fromRight) {
    SmallVector<Value> parts;
    for (Value operand : op.getShapes()) {
      parts.push_back(getExtent(operand, fromRight));
      if (!parts.back())
        return {};
    }
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Value joined = parts.front();
    for (Value part : ArrayRef(parts).drop_front())
      if (getConstantIntValue(joined) == 1)
        joined = part;
      else if (getConstantIntValue(part) != 1)
        joined = loom::emitBroadcastExtent(builder, op.getLoc(), joined, part);
    return joined;
  }

  llvm::DenseMap<std::pair<Value, int64_t>, Value> extents;
};

/// Erases unused operations of `loom` on shapes.
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

bool hasUnknownRank(Operation *op) {
  auto isUnknown = [](Type type) {
    auto shape = dyn_cast<loom::ShapeType>(type);
    return isa<UnrankedTensorType>(type) || (shape && !shape.getRanked());
  };
  return llvm::any_of(op->getOperandTypes(), isUnknown) ||
         llvm::any_of(op->getResultTypes(), isUnknown);
}

/// A type of `op`, or of what a function takes, that upstream's tools do not
/// have; null if there is none.
Type findOwnType(Operation *op) {
  auto isOwn = [](Type type) {
    auto check = [](auto part) {
      return isa<loom::LoomDialect>(part.getDialect()) ? WalkResult::interrupt()
                                                       : WalkResult::advance();
    };
    return type
        .walk([&](Type part) { return check(part); },
              [&](Attribute part) { return check(part); })
        .wasInterrupted();
  };
  SmallVector<Type> types(op->getResultTypes());
  if (auto function = dyn_cast<FunctionOpInterface>(op)) {
    llvm::append_range(types, function.getArgumentTypes());
    llvm::append_range(types, function.getResultTypes());
  }
  auto *found = llvm::find_if(types, isOwn);
  return found == types.end() ? Type() : *found;
}

/// An error where upstream's dialects cannot express `op`.
LogicalResult refuseOurs(Operation *op) {
  bool isOurs = isa_and_nonnull<loom::LoomDialect>(op->getDialect()) &&
                !isa<loom::YieldOp>(op);
  if (isOurs && hasUnknownRank(op))
    return op->emitError()
           << "depends on a rank that is known at run time only, which "
              "upstream's dialects cannot express; give its operands a rank";
  std::string what;
  llvm::raw_string_ostream os(what);
  if (isOurs)
    os << op->getName();
  else if (Type type = findOwnType(op))
    os << type;
  else
    return success();
  return op->emitError() << "'" << what
                         << "' has no counterpart in upstream's dialects; make "
                            "LLVM's of the whole program instead (--emit=llvm)";
}

struct LoomGuardsToAssertPass
    : lower::impl::LoomGuardsToAssertBase<LoomGuardsToAssertPass> {
  void runOnOperation() override {
    // Erases constraints that have not become guards; the RFC's IR has none.
    getOperation().walk([](Operation *op) {
      if (isa<loom::ConstrainOp, loom::ConstrainBroadcastOp,
              loom::ConstrainResultOp, loom::AssumeOp>(op))
        op->erase();
    });
    ExtentEvaluator extents;
    getOperation().walk([&](loom::ExtentOp op) { extents.evaluate(op); });
    eraseUnused(getOperation());
    getOperation().walk([](loom::RequireOp guard) {
      OpBuilder builder(guard);
      std::string text =
          withSite("", guard.getOrigin(), withoutValues(guard.getMessage()));
      cf::AssertOp::create(builder, guard.getLoc(), guard.getCondition(), text);
      guard.erase();
    });
    WalkResult left = getOperation().walk([](Operation *op) {
      return failed(refuseOurs(op)) ? WalkResult::interrupt()
                                    : WalkResult::advance();
    });
    if (left.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
