//===- RepeatedCalls.cpp - calls that give what is known ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/RepeatedCalls.h"

#include "dialect/EqualOperation.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace broadloom;

/// Whether `op` changes no memory that a call may read.
static bool leavesMemory(Operation *op) {
  if (isMemoryEffectFree(op) || isa<cf::AssertOp>(op))
    return true;
  std::optional<SmallVector<MemoryEffects::EffectInstance>> effects =
      getEffectsRecursively(op);
  return effects && llvm::all_of(*effects, [](const auto &effect) {
           return isa<MemoryEffects::Read, MemoryEffects::Allocate>(
               effect.getEffect());
         });
}

void legalize::eraseRepeatedCalls(
    func::FuncOp func, llvm::function_ref<bool(func::CallOp)> isRead) {
  func.walk([&](Block *block) {
    llvm::DenseMap<Operation *, Operation *, loom::EqualOperation> known;
    for (Operation &op : llvm::make_early_inc_range(*block)) {
      auto call = dyn_cast<func::CallOp>(op);
      if (!call || !isRead(call)) {
        if (!known.empty() && !leavesMemory(&op))
          known.clear();
        continue;
      }
      auto [it, isNew] = known.try_emplace(call, call);
      if (isNew)
        continue;
      call.replaceAllUsesWith(it->second->getResults());
      call.erase();
    }
  });
}
