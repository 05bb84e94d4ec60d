//===- CloseRegions.cpp - regions that use arguments alone ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/flatbuffers/WriteFile.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;

/// The values of outer regions that the regions of `op` use, in their order.
static SmallVector<Value> findCaptures(Operation *op) {
  llvm::SetVector<Value> captures;
  getUsedValuesDefinedAbove(op->getRegions(), captures);
  return captures.takeVector();
}

/// Appends an argument for each value to the region's only block, for the uses
/// in it.
static void addArguments(Region &region, ArrayRef<Value> values) {
  for (Value value : values) {
    Value argument =
        region.front().addArgument(value.getType(), value.getLoc());
    value.replaceUsesWithIf(argument, [&](OpOperand &use) {
      return region.isAncestor(use.getOwner()->getParentRegion());
    });
  }
}

/// A loop carries the captured values.
static void carry(tosa::WhileOp loop, ArrayRef<Value> captures) {
  SmallVector<Value> inputs(loop.getInputList());
  SmallVector<Type> types(loop.getResultTypes());
  for (Value value : captures) {
    inputs.push_back(value);
    types.push_back(value.getType());
  }
  OpBuilder builder(loop);
  OperationState state(loop.getLoc(), "tosa.while_loop", inputs, types,
                       llvm::to_vector(loop->getDiscardableAttrs()));
  for (Region &region : loop->getRegions()) {
    addArguments(region, captures);
    state.addRegion()->takeBody(region);
  }
  Operation *made = builder.create(state);
  Block &body = made->getRegion(1).front();
  Operation *yield = body.getTerminator();
  for (BlockArgument argument : body.getArguments().take_back(captures.size()))
    yield->insertOperands(yield->getNumOperands(), argument);
  loop->replaceAllUsesWith(
      made->getResults().take_front(loop->getNumResults()));
  loop->erase();
}

void broadloom::read::closeRegions(ModuleOp module) {
  // Outer operations first: values that an inner one uses must be arguments of
  // the outer one too.
  SmallVector<Operation *> operations;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<tosa::IfOp, tosa::WhileOp>(op))
      operations.push_back(op);
  });
  for (Operation *op : operations) {
    SmallVector<Value> captures = findCaptures(op);
    if (captures.empty())
      continue;
    if (auto loop = dyn_cast<tosa::WhileOp>(op)) {
      carry(loop, captures);
      continue;
    }
    for (Region &region : op->getRegions())
      addArguments(region, captures);
    op->insertOperands(op->getNumOperands(), captures);
  }
}
