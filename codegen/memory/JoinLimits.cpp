//===- JoinLimits.cpp - one comparison for each index ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/memory/JoinLimits.h"

#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// The index of `0 <= index`; null if the condition is another one.
static Value getIndexAboveZero(Value condition) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  return compare && compare.getPredicate() == arith::CmpIPredicate::sle &&
                 matchPattern(compare.getLhs(), m_Zero())
             ? compare.getRhs()
             : Value();
}

/// `index < extent`; null if the condition is another one.
static arith::CmpIOp getIndexBelowExtent(Value condition) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::slt)
    return nullptr;
  Value extent = compare.getRhs();
  // All bits count, also beyond 64.
  APInt known;
  bool isExtent = matchPattern(extent, m_ConstantInt(&known))
                      ? known.isNonNegative()
                      : !!extent.getDefiningOp<memref::DimOp>();
  return isExtent ? compare : nullptr;
}

namespace {

/// A conjunction is a tree of `arith.andi`. A conjunction that several
/// operations use is a part of each of them and has a tree of its own, so that
/// no operation is in two trees.
class LimitJoiner {
public:
  void add(Value condition) {
    if (condition.getDefiningOp<arith::AndIOp>())
      trees.insert(condition.getDefiningOp());
  }

  void run() {
    for (size_t number = 0; number < trees.size(); ++number)
      for (Value part : getParts(trees[number]))
        add(part);
    for (Operation *tree : trees)
      join(tree);
    // Until here, no use is gone, and no tree becomes a part of another one.
    while (!replaced.empty())
      erase(replaced.pop_back_val());
  }

private:
  /// In the order of the text.
  static SmallVector<Value> getParts(Operation *tree) {
    SmallVector<Value> parts, open = {tree->getOperand(1), tree->getOperand(0)};
    while (!open.empty()) {
      Value part = open.pop_back_val();
      Operation *op = part.getDefiningOp();
      if (isa_and_nonnull<arith::AndIOp>(op) && op->hasOneUse())
        open.append({op->getOperand(1), op->getOperand(0)});
      else
        parts.push_back(part);
    }
    return parts;
  }

  void join(Operation *tree) {
    SmallVector<Value> parts = getParts(tree);
    llvm::DenseSet<Value> above, joined;
    for (Value part : parts)
      if (Value index = getIndexAboveZero(part))
        above.insert(index);
    OpBuilder b(tree);
    for (Value &part : parts)
      if (arith::CmpIOp below = getIndexBelowExtent(part);
          below && above.contains(below.getLhs())) {
        joined.insert(below.getLhs());
        part =
            arith::CmpIOp::create(b, below.getLoc(), arith::CmpIPredicate::ult,
                                  below.getLhs(), below.getRhs());
      }
    if (joined.empty())
      return;
    Value all;
    for (Value part : parts)
      if (!joined.contains(getIndexAboveZero(part)))
        all = all ? arith::AndIOp::create(b, tree->getLoc(), all, part) : part;
    tree->replaceAllUsesWith(ValueRange(all));
    replaced.insert(tree);
  }

  /// Erases an operation that nothing uses. What it has used is looked at next.
  void erase(Operation *op) {
    if (!isOpTriviallyDead(op))
      return;
    for (Value operand : op->getOperands())
      if (Operation *used = operand.getDefiningOp();
          isa_and_nonnull<arith::AndIOp, arith::CmpIOp>(used))
        replaced.insert(used);
    op->erase();
  }

  llvm::SetVector<Operation *> trees, replaced;
};

} // namespace

void codegen::joinLimits(func::FuncOp func) {
  LimitJoiner joiner;
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->hasAttr(loom::kFindsFailure))
      return WalkResult::skip();
    if (auto require = dyn_cast<loom::RequireOp>(op))
      joiner.add(require.getCondition());
    return WalkResult::advance();
  });
  joiner.run();
}
