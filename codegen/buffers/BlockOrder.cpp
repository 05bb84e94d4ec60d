//===- BlockOrder.cpp - moving operations of a block to the front ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/buffers/BlockOrder.h"

#include "dialect/LoomDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// More operations are not moved together, so that the time for a block is
/// linear in its operations.
static constexpr size_t kMostMoved = 64;

static bool canMove(Operation *op) {
  return isa<loom::AllocOp>(op) ||
         (op->getNumRegions() == 0 && isMemoryEffectFree(op) &&
          isSpeculatable(op));
}

BlockOrder::BlockOrder(Block &block) : block(block) {
  int64_t number = 0, behindGuards = 0;
  for (Operation &op : block) {
    places[&op] = {number, 0};
    int64_t bound = canMove(&op) ? 0 : number + 1;
    for (Value operand : op.getOperands())
      if (Operation *def = operand.getDefiningOp();
          def && def->getBlock() == &block)
        bound = std::max(bound, bounds.lookup(def));
    // Sizes may be wrong where a guard fails.
    if (auto alloc = dyn_cast<loom::AllocOp>(op);
        alloc && !alloc.getDynamicExtents().empty())
      bound = std::max(bound, behindGuards);
    bounds[&op] = bound;
    ++number;
    if (isa<loom::RequireOp, loom::RequireBroadcastOp, loom::RequireFunctionOp>(
            op))
      behindGuards = number;
  }
}

BlockOrder::~BlockOrder() {
  for (auto &[number, group] : groups)
    group.marker->erase();
}

/// Appends `op` and what it needs to `moved`, in an order in which they can be
/// computed, if they are not before `target`.
bool BlockOrder::collect(Operation *op, Operation *target, size_t depth,
                         SmallVectorImpl<Operation *> &moved) const {
  if (op->getBlock() != &block)
    return true;
  int64_t number = places.at(target).number;
  // What moved ahead of the same operation may be behind the target.
  if (places.at(op).number < number || llvm::is_contained(moved, op))
    return true;
  if (op == target || bounds.lookup(op) > number || depth == kMostMoved)
    return false;
  for (Value operand : op->getOperands())
    if (Operation *def = operand.getDefiningOp();
        def && !collect(def, target, depth + 1, moved))
      return false;
  if (moved.size() == kMostMoved)
    return false;
  moved.push_back(op);
  return true;
}

bool BlockOrder::moveAhead(ArrayRef<Operation *> ops, Operation *target) {
  SmallVector<Operation *> moved;
  for (Operation *op : ops)
    if (!collect(op, target, 0, moved))
      return false;
  if (moved.empty())
    return true;
  int64_t number = places.at(target).number;
  Group &group = groups[number];
  if (!group.marker) {
    OpBuilder b(target);
    group.marker = arith::ConstantIndexOp::create(b, target->getLoc(), 0);
  }
  // They go ahead of what moved there before, which may need some of them.
  group.lowest -= int64_t(moved.size());
  Operation *before = group.marker;
  for (auto [i, op] : llvm::enumerate(moved)) {
    op->moveAfter(before);
    before = op;
    places[op] = {number, group.lowest + int64_t(i)};
  }
  return true;
}
