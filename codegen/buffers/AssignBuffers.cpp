//===- AssignBuffers.cpp - which buffer is which result -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A result that is computed directly in its own memory needs no copy when it is
// returned. Only buffers at the top level of a function qualify: a buffer in a
// loop or a branch may be allocated more than once, or not be the returned one.
// The program must not call the function itself, because a callee's results are
// not results of the call.
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/buffers/UncalledFunctions.h"
#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMASSIGNBUFFERS
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;

namespace {

/// Replaces upstream's allocations by the call's.
void useCallMemory(func::FuncOp func) {
  SmallVector<memref::AllocOp> allocs;
  func.walk([&](memref::AllocOp alloc) { allocs.push_back(alloc); });
  for (memref::AllocOp alloc : allocs) {
    OpBuilder builder(alloc);
    auto ours = loom::AllocOp::create(builder, alloc.getLoc(), alloc.getType(),
                                      alloc.getDynamicSizes(), Value(), -1);
    alloc.replaceAllUsesWith(ours.getMemref());
    alloc.erase();
  }
}

void assignSlots(func::FuncOp func) {
  Block &entry = func.getBody().front();
  auto ret = dyn_cast<func::ReturnOp>(entry.getTerminator());
  if (!ret)
    return;
  for (auto [slot, value] : llvm::enumerate(ret.getOperands())) {
    Value buffer = value;
    while (auto cast = buffer.getDefiningOp<memref::CastOp>())
      buffer = cast.getSource();
    Operation *def = buffer.getDefiningOp();
    if (!def || def->getBlock() != &entry)
      continue;
    if (auto run = dyn_cast<loom::RunOp>(def)) {
      unsigned index = cast<OpResult>(buffer).getResultNumber();
      auto slots = llvm::to_vector(run.getSlots());
      if (slots[index] < 0) {
        slots[index] = slot;
        run.setSlots(slots);
      }
    } else if (auto alloc = dyn_cast<loom::AllocOp>(def)) {
      if (alloc.getSlotAttr().getInt() < 0)
        alloc.setSlot(slot);
    }
  }
}

struct LoomAssignBuffersPass
    : codegen::impl::LoomAssignBuffersBase<LoomAssignBuffersPass> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (!loom::isOverMemory(func))
        useCallMemory(func);
    for (func::FuncOp func : codegen::findUncalled(getOperation()))
      if (!loom::isOverMemory(func))
        assignSlots(func);
  }
};

} // namespace
