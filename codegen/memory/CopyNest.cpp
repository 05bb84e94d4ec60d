//===- CopyNest.cpp - loop nests that copy memory -------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/memory/CopyNest.h"
#include "codegen/memory/MovableValues.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// The loop whose variable `value` is.
static scf::ForOp getLoop(Value value) {
  return scf::getForInductionVarOwner(withoutIdentity(value));
}

/// Whether the value depends on no variable of the loops and on no memory.
static bool isKnownInFront(Value value, scf::ForOp root) {
  SmallVector<Value> variables;
  return findVariables(value, root, variables) && variables.empty();
}

std::optional<CopyNest> CopyNest::into(memref::StoreOp store) {
  CopyNest copy;
  copy.store = store;
  copy.load = store.getValue().getDefiningOp<memref::LoadOp>();
  if (!copy.load || !copy.read(store.getIndices()))
    return std::nullopt;
  return copy;
}

std::optional<CopyNest> CopyNest::outOf(memref::LoadOp load) {
  CopyNest copy;
  copy.load = load;
  copy.store = load->hasOneUse()
                   ? dyn_cast<memref::StoreOp>(*load->getUsers().begin())
                   : memref::StoreOp();
  if (!copy.store || copy.store.getValue() != load.getResult() ||
      !copy.read(load.getIndices()))
    return std::nullopt;
  return copy;
}

bool CopyNest::read(ValueRange scratchpad) {
  if (load.getMemRef() == store.getMemRef() ||
      load->getBlock() != store->getBlock())
    return false;
  for (Value index : scratchpad) {
    axes.push_back(getLoop(index));
    if (!axes.back())
      return false;
  }
  Operation *inner = nullptr;
  for (size_t left = axes.size(); left > 0; --left) {
    auto loop = dyn_cast<scf::ForOp>(
        (inner ? inner : store.getOperation())->getParentOp());
    if (!loop || !loop.getInitArgs().empty() || !llvm::is_contained(axes, loop))
      return false;
    for (Operation &op : loop.getBody()->without_terminator())
      if (&op != inner && &op != store && &op != load && !isMovable(op))
        return false;
    inner = loop;
  }
  root = dyn_cast_or_null<scf::ForOp>(inner);
  return root && root.isDefinedOutsideOfLoop(store.getMemRef()) &&
         root.isDefinedOutsideOfLoop(load.getMemRef()) &&
         llvm::all_of(axes, [&](scf::ForOp loop) {
           return matchPattern(loop.getStep(), m_One()) &&
                  isKnownInFront(loop.getLowerBound(), root) &&
                  isKnownInFront(loop.getUpperBound(), root);
         });
}

std::optional<size_t> CopyNest::findOpenAxis(ValueRange indices) const {
  for (auto [axis, index] : llvm::enumerate(indices)) {
    scf::ForOp from = axes[axis], to = getLoop(index);
    if (!to || !matchPattern(to.getStep(), m_One()) ||
        !areSame({from.getLowerBound(), from.getUpperBound()},
                 {to.getLowerBound(), to.getUpperBound()}))
      return axis;
  }
  return std::nullopt;
}

IRMapping CopyNest::mapAxes(ValueRange indices) const {
  IRMapping mapping;
  for (auto [axis, index] : llvm::enumerate(indices))
    mapping.map(scf::ForOp(axes[axis]).getInductionVar(),
                withoutIdentity(index));
  return mapping;
}
