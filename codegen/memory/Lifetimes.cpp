//===- Lifetimes.cpp - memory that may have been freed --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Memory is found again by its root: the operation or the argument that it is
// from. Casts and views have the root of their operand. Of other values, such
// as results of calls and arguments of blocks, nothing is known.
//
// A use needs no check where no operation that may free its root can run
// between the allocation and the use. Of an allocation, that is shown where
// each such operation stands behind the use, in the block of the allocation.
//
//===----------------------------------------------------------------------===//

#include "codegen/memory/Lifetimes.h"

#include "dialect/LoomBoundary.h"
#include "dialect/LoomDialect.h"
#include "dialect/MemoryViews.h"
#include "infer/functions/Origin.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace broadloom;

llvm::StringSet<> codegen::findFreeingFunctions(ModuleOp module) {
  llvm::StringSet<> freeing;
  llvm::StringMap<SmallVector<StringRef>> callers;
  SmallVector<StringRef> found;
  for (auto func : module.getOps<func::FuncOp>()) {
    auto frees = func.walk([&](Operation *op) {
      if (auto call = dyn_cast<func::CallOp>(op))
        callers[call.getCallee()].push_back(func.getName());
      return isa<memref::DeallocOp>(op) ? WalkResult::interrupt()
                                        : WalkResult::advance();
    });
    if (frees.wasInterrupted())
      found.push_back(func.getName());
  }
  while (!found.empty()) {
    StringRef name = found.pop_back_val();
    if (freeing.insert(name).second)
      llvm::append_range(found, callers.lookup(name));
  }
  return freeing;
}

static bool isMemory(Value value) {
  return isa<BaseMemRefType>(value.getType());
}

/// Requires before `op` what `Question` asks of a memref.
template <typename Question>
static void require(Operation *op, Value memory, StringRef message) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value holds = Question::create(builder, loc, builder.getI1Type(), memory);
  loom::RequireOp::create(builder, loc, holds,
                          builder.getStringAttr(infer::getOrigin(op)),
                          builder.getStringAttr(message),
                          builder.getI64IntegerAttr(-1), ValueRange());
}

namespace {

/// Whether it is memory that no other root is.
bool isAllocation(Value root) {
  return isa_and_nonnull<memref::AllocOp, memref::AllocaOp>(
      root.getDefiningOp());
}

bool isGlobal(Value root) {
  return isa_and_nonnull<memref::GetGlobalOp>(root.getDefiningOp());
}

/// Operations that may free the same memory.
class Frees {
public:
  void add(Operation *op) {
    scattered |= first && op->getBlock() != first->getBlock();
    if (!first || (!scattered && op->isBeforeInBlock(first)))
      first = op;
  }

  /// Whether all stand in `block` and behind `use`. A call uses its operands
  /// before it frees them.
  bool areBehind(Operation *use, Block *block) const {
    if (!first)
      return true;
    Operation *in = block->findAncestorOpInBlock(*use);
    return !scattered && first->getBlock() == block && in &&
           !first->isBeforeInBlock(in);
  }

private:
  /// The first of them; one of them where they are in several blocks.
  Operation *first = nullptr;
  bool scattered = false;
};

class LifetimeChecks {
public:
  LifetimeChecks(func::FuncOp func, const llvm::StringSet<> &freeing)
      : func(func) {
    func.walk([&](Operation *op) {
      auto call = dyn_cast<func::CallOp>(op);
      if (isa<memref::DeallocOp>(op) ||
          (call && freeing.contains(call.getCallee())))
        for (Value operand : op->getOperands())
          if (isMemory(operand))
            add(op, loom::getRoot(operand));
    });
  }

  void insert() {
    // Where nothing frees, all memory is live: who has handed it over has
    // checked that.
    if (freesNothing)
      return;
    func.walk([&](Operation *op) { check(op); });
  }

private:
  /// What the caller has handed over.
  bool isArgument(Value root) {
    auto argument = dyn_cast<BlockArgument>(root);
    return argument && argument.getOwner() == &func.getBody().front();
  }

  void add(Operation *op, Value root) {
    freesNothing = false;
    if (isAllocation(root)) {
      ofAllocations[root].add(op);
      return;
    }
    freesArguments = true;
    if (!isArgument(root))
      ofUnknown.add(op);
  }

  /// The operands of `op` that are memory which it reads, writes or hands on.
  static SmallVector<Value> getUsed(Operation *op) {
    if (isa<memref::DeallocOp, memref::DimOp, memref::RankOp, memref::CastOp,
            memref::ExtractStridedMetadataOp, loom::IsLiveOp, loom::ReachOp,
            loom::IsWritableOp, loom::SharesAllocationOp>(op))
      return {};
    return llvm::filter_to_vector(op->getOperands(), isMemory);
  }

  void check(Operation *op) {
    SmallVector<Value> used = getUsed(op);
    for (Value memory : used)
      if (mayBeFreed(loom::getRoot(memory), op))
        require<loom::IsLiveOp>(op, getDescribed(memory),
                                "the memory has been freed");
  }

  /// A boundary has no descriptor of its own.
  static Value getDescribed(Value memory) {
    while (auto boundary = memory.getDefiningOp<loom::BoundaryOp>())
      memory = boundary.getSource();
    return memory;
  }

  /// Two allocations are never one piece of memory, and arguments were
  /// allocated before any of the function's. What an allocation makes in each
  /// run of its block is live until the first free there, unless something else
  /// may free it. Takes the same time for any number of operations that free.
  bool mayBeFreed(Value root, Operation *use) {
    // A global lives as long as the program.
    if (isGlobal(root))
      return false;
    if (!isAllocation(root))
      return freesArguments || !isArgument(root);
    Block *block = root.getParentBlock();
    return !ofUnknown.areBehind(use, block) ||
           !ofAllocations.lookup(root).areBehind(use, block);
  }

  func::FuncOp func;
  bool freesNothing = true;
  /// Whether anything but an allocation is freed.
  bool freesArguments = false;
  llvm::DenseMap<Value, Frees> ofAllocations;
  Frees ofUnknown;
};

} // namespace

void codegen::checkLifetimes(func::FuncOp func,
                             const llvm::StringSet<> &freeing) {
  LifetimeChecks(func, freeing).insert();
}

/// Whether an operation other than a read may get the memory: another function,
/// or a block.
static bool escapes(Value memory) {
  SmallVector<Value> views = {memory};
  while (!views.empty())
    for (Operation *user : views.pop_back_val().getUsers())
      if (loom::getViewed(user))
        llvm::copy_if(user->getResults(), std::back_inserter(views), isMemory);
      else if (isa<CallOpInterface, RegionBranchOpInterface, BranchOpInterface>(
                   user) ||
               user->hasTrait<OpTrait::IsTerminator>())
        return true;
  return false;
}

void codegen::checkConstants(ModuleOp module,
                             ArrayRef<func::FuncOp> functions) {
  SymbolTableCollection symbols;
  llvm::StringSet<> called;
  bool isHandedOn = false;
  module.walk([&](Operation *op) {
    if (auto call = dyn_cast<func::CallOp>(op))
      called.insert(call.getCallee());
    auto get = dyn_cast<memref::GetGlobalOp>(op);
    auto global = get ? symbols.lookupNearestSymbolFrom<memref::GlobalOp>(
                            module, get.getNameAttr())
                      : nullptr;
    isHandedOn |= global && global.getConstant() && escapes(get.getResult());
  });
  if (!isHandedOn)
    return;
  for (func::FuncOp func : functions) {
    Block *entry = &func.getBody().front();
    auto mayBeConstant = [&](Value root) {
      auto argument = dyn_cast<BlockArgument>(root);
      return argument ? argument.getOwner() != entry ||
                            called.contains(func.getName())
                      : !isAllocation(root) && !isGlobal(root);
    };
    func.walk([&](MemoryEffectOpInterface op) {
      for (Value operand : op->getOperands())
        if (isMemory(operand) &&
            op.getEffectOnValue<MemoryEffects::Write>(operand) &&
            mayBeConstant(loom::getRoot(operand)))
          require<loom::IsWritableOp>(op, operand,
                                      "the memory is a constant's");
    });
  }
}
