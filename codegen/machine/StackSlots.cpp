//===- StackSlots.cpp - memory on the stack, taken once -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/StackSlots.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace broadloom;

/// Whether the address of a slot is passed to a block as an argument. A stored
/// address is read by a call before the slot is reused: results that a function
/// passes on are copies (broadloomKeepView).
static bool isHandedOn(LLVM::AllocaOp slot) {
  llvm::SetVector<Value> values;
  values.insert(slot);
  for (size_t i = 0; i < values.size(); ++i)
    for (Operation *user : values[i].getUsers()) {
      if (user->hasTrait<OpTrait::IsTerminator>())
        return true;
      // A loaded value and the result of a runtime call are not the slot's
      // address.
      if (!isa<LLVM::LoadOp, LLVM::CallOp>(user))
        values.insert(user->result_begin(), user->result_end());
    }
  return false;
}

void codegen::takeStackSlotsOnce(ModuleOp module) {
  for (auto func : module.getOps<LLVM::LLVMFuncOp>()) {
    if (func.isExternal())
      continue;
    Block &entry = func.getBody().front();
    SmallVector<LLVM::AllocaOp> slots;
    func.walk([&](LLVM::AllocaOp slot) {
      if (slot->getBlock() != &entry &&
          slot.getArraySize().getDefiningOp<LLVM::ConstantOp>() &&
          !isHandedOn(slot))
        slots.push_back(slot);
    });
    for (LLVM::AllocaOp slot : llvm::reverse(slots)) {
      // Clones the constant, which other slots may use at its old place.
      Operation *size = slot.getArraySize().getDefiningOp()->clone();
      entry.getOperations().push_front(size);
      slot.getArraySizeMutable().assign(size->getResult(0));
      slot->moveAfter(size);
    }
  }
}
