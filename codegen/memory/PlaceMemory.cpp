//===- PlaceMemory.cpp - where the memory of a function is ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/layout/Storage.h"
#include "codegen/memory/Lifetimes.h"
#include "codegen/memory/MemoryAttributes.h"
#include "codegen/memory/PlaceLayouts.h"
#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"
#include "dialect/MemoryViews.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMPLACEMEMORY
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// The bytes on the stack of one `memref.alloca`, and of all of a function.
static constexpr int64_t kMostBytes = 1024, kMostBytesTogether = 4096;

namespace {

class AllocaPlacer {
public:
  explicit AllocaPlacer(func::FuncOp func) : func(func) {}

  void run() {
    SmallVector<memref::AllocaOp> allocas;
    func.walk([&](memref::AllocaOp op) { allocas.push_back(op); });
    for (memref::AllocaOp op : allocas)
      if (takesSlot(op))
        op->setAttr(kStackSlot, UnitAttr::get(op.getContext()));
      else
        allocate(op);
  }

private:
  bool takesSlot(memref::AllocaOp op) {
    if (!op.getType().hasStaticShape())
      return false;
    int64_t bytes = getStorageBytes(op.getType());
    if (bytes > kMostBytes || taken + bytes > kMostBytesTogether || !stays(op))
      return false;
    taken += bytes;
    return true;
  }

  /// Whether the memory is used only where its operation is in scope.
  static bool stays(Value memory) {
    return llvm::all_of(memory.getUsers(), [&](Operation *user) {
      if (loom::getViewed(user) == memory)
        return llvm::all_of(user->getResults(), [](Value result) {
          return !isa<BaseMemRefType>(result.getType()) || stays(result);
        });
      if (auto call = dyn_cast<func::CallOp>(user))
        return llvm::none_of(call.getResultTypes(), [](Type type) {
          return isa<BaseMemRefType>(type);
        });
      return isa<memref::LoadOp, memref::StoreOp, memref::DimOp, memref::CopyOp,
                 memref::DeallocOp, loom::IsLiveOp, loom::IsWritableOp,
                 loom::ReachOp, loom::SharesAllocationOp,
                 memref::ExtractAlignedPointerAsIndexOp, linalg::LinalgOp>(
          user);
    });
  }

  /// Takes memory of the call, which is freed where the block of the operation
  /// ends: no scope ends earlier. Behind a branch to another block, it stays
  /// until the call ends.
  void allocate(memref::AllocaOp op) {
    OpBuilder builder(op);
    auto made = memref::AllocOp::create(builder, op.getLoc(), op.getType(),
                                        op.getDynamicSizes());
    made->setAttrs(llvm::to_vector(op->getAttrs()));
    made->setAttr(kOfScope, builder.getUnitAttr());
    op.replaceAllUsesWith(made.getResult());
    op.erase();
    Operation *end = made->getBlock()->getTerminator();
    if (end->getNumSuccessors() != 0)
      return;
    builder.setInsertionPoint(end);
    auto freed = memref::DeallocOp::create(builder, made.getLoc(), made);
    freed->setAttr(kOfScope, builder.getUnitAttr());
  }

  func::FuncOp func;
  int64_t taken = 0;
};

/// A float beyond an integer's range gives any integer, but one: without this,
/// LLVM may take an index that has passed its check for another one later.
void freezeConversions(func::FuncOp func) {
  func.walk([](Operation *op) {
    if (!isa<arith::FPToSIOp, arith::FPToUIOp>(op))
      return;
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    auto frozen =
        LLVM::FreezeOp::create(builder, op->getLoc(), op->getResult(0));
    op->getResult(0).replaceAllUsesExcept(frozen, frozen);
  });
}

/// The memory of globals is the program's: it is reached through
/// `memref.get_global` alone, is zeros where nothing else is said, and is
/// aligned as all memory is.
void placeGlobals(ModuleOp module, ArrayRef<func::FuncOp> functions) {
  constexpr int64_t alignment = 64;
  for (auto global : module.getOps<memref::GlobalOp>()) {
    OpBuilder builder(global);
    global.setPrivate();
    if (global.getAlignment().value_or(1) < alignment)
      global.setAlignment(alignment);
    if (global.isUninitialized()) {
      auto type = cast<RankedTensorType>(
          memref::getTensorTypeFromMemRefType(global.getType()));
      global.setInitialValueAttr(DenseElementsAttr::get(
          type, builder.getZeroAttr(type.getElementType())));
    }
  }
  for (func::FuncOp func : functions)
    func.walk([](memref::GetGlobalOp op) {
      op->setAttr(kOfProgram, UnitAttr::get(op.getContext()));
    });
}

/// What they promise has been checked.
void eraseAssumptions(func::FuncOp func) {
  func.walk([](memref::AssumeAlignmentOp op) {
    op.replaceAllUsesWith(op.getMemref());
    op.erase();
  });
}

struct LoomPlaceMemoryPass
    : codegen::impl::LoomPlaceMemoryBase<LoomPlaceMemoryPass> {
  void runOnOperation() override {
    SmallVector<func::FuncOp> functions =
        loom::getMemoryFunctions(getOperation());
    placeGlobals(getOperation(), functions);
    checkConstants(getOperation(), functions);
    for (func::FuncOp func : functions) {
      eraseAssumptions(func);
      placeLayouts(func);
      AllocaPlacer(func).run();
    }
    llvm::StringSet<> freeing = findFreeingFunctions(getOperation());
    for (func::FuncOp func : functions) {
      checkLifetimes(func, freeing);
      freezeConversions(func);
      func->setAttr(
          "passthrough",
          ArrayAttr::get(&getContext(),
                         StringAttr::get(&getContext(), kLoopsAttribute)));
    }
  }
};

} // namespace
