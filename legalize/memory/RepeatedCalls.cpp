//===- RepeatedCalls.cpp - calls that give what is known ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/RepeatedCalls.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace broadloom;

namespace {

/// Calls are equal by what they call and by their operands, at any place.
struct CallInfo : llvm::DenseMapInfo<Operation *> {
  static unsigned getHashValue(const Operation *op) {
    return OperationEquivalence::computeHash(
        const_cast<Operation *>(op), OperationEquivalence::directHashValue,
        OperationEquivalence::ignoreHashValue,
        OperationEquivalence::IgnoreLocations);
  }
  static bool isEqual(const Operation *a, const Operation *b) {
    if (a == b)
      return true;
    if (a == getEmptyKey() || a == getTombstoneKey() || b == getEmptyKey() ||
        b == getTombstoneKey())
      return false;
    return OperationEquivalence::isEquivalentTo(
        const_cast<Operation *>(a), const_cast<Operation *>(b),
        OperationEquivalence::IgnoreLocations);
  }
};

} // namespace

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
    llvm::DenseMap<Operation *, Operation *, CallInfo> known;
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
