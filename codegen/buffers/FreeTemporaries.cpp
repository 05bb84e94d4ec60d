//===- FreeTemporaries.cpp - buffers live no longer than they are read ----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime counts the references to each temporary of a call; this pass
// inserts the operations that add and release references. The operation that
// makes a buffer has one reference. A block that passes a buffer to the
// enclosing operation, to the next iteration of its loop or to its function's
// caller passes a reference with it. Arguments of functions are borrowed. A
// buffer that is no temporary (an argument, a result, a constant) has no count,
// and counting it does nothing.
//
// Invariant: a reference is released after the last operation of its block that
// can read the buffer or an alias of it. If that is not known, the reference is
// kept, and the buffer is freed with the call.
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/buffers/StructuredControl.h"
#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"
#include "runtime/abi/Slots.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/StringSet.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMFREETEMPORARIES
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

namespace {

bool isMemref(Value value) { return isa<BaseMemRefType>(value.getType()); }

/// Whether the caller owns a reference to the results of `op`.
bool givesReferences(Operation *op) {
  return op->hasTrait<loom::OwnsResults>() || isa<func::CallOp>(op) ||
         passesValuesOn(op);
}

/// Operations with regions of unknown semantics.
bool isForeign(Operation *op) {
  if (op->getNumRegions() == 0 || passesValuesOn(op) || isa<func::FuncOp>(op))
    return false;
  auto hasMemref = [](ValueRange values) {
    return llvm::any_of(values, isMemref);
  };
  return hasMemref(op->getResults()) ||
         llvm::any_of(op->getRegions(), [&](Region &region) {
           return llvm::any_of(region, [&](Block &block) {
             return hasMemref(block.getArguments());
           });
         });
}

class FunctionFreer {
public:
  explicit FunctionFreer(func::FuncOp func) : func(func) {}

  void run() {
    SmallVector<Block *> blocks;
    bool foreign = false;
    func.walk([&](Operation *op) { foreign |= isForeign(op); });
    if (foreign)
      return;
    func->walk([&](Block *block) { blocks.push_back(block); });
    for (Block *block : blocks)
      freeIn(*block);
  }

  /// Releases what calls of functions over tensors give to a function over
  /// memory, where nothing passes it on.
  void releaseResults(const llvm::StringSet<> &overTensors) {
    SmallVector<func::CallOp> calls;
    func.walk([&](func::CallOp call) {
      if (overTensors.contains(call.getCallee()))
        calls.push_back(call);
    });
    for (func::CallOp call : calls)
      for (Value result :
           llvm::make_filter_range(call.getResults(), isMemref)) {
        Block &block = *call->getBlock();
        Life life = follow(result, block);
        if (!life.escapes && life.passed == 0)
          releaseBehind(result, life.last, block);
      }
  }

private:
  /// The uses of a buffer to which a block owns a reference.
  struct Life {
    /// The last operation of the block that reads it; null where none does.
    Operation *last = nullptr;
    /// The first operand of `last` that is the buffer. Use lists are not in a
    /// reliable order: it depends on the passes that ran before.
    OpOperand *lastUse = nullptr;
    /// How many operands of the terminator are the buffer.
    unsigned passed = 0;
    /// The buffer may be read outside the block.
    bool escapes = false;
  };

  void freeIn(Block &block) {
    SmallVector<Value> owned;
    if (passesValuesOn(block.getParentOp()))
      llvm::copy_if(block.getArguments(), std::back_inserter(owned), isMemref);
    for (Operation &op : block) {
      if (givesReferences(&op))
        llvm::copy_if(op.getResults(), std::back_inserter(owned), isMemref);
      // Each iteration of a loop owns a reference, so the first one needs one
      // too.
      if (isSequentialLoop(&op))
        retainInits(&op);
    }
    Operation *terminator = block.getTerminator();
    bool passes =
        passesValuesOn(block.getParentOp()) || isa<func::ReturnOp>(terminator);
    // Operands of the terminator to which the block's own reference moves.
    llvm::DenseSet<OpOperand *> moved;
    // Values that are released after the terminator's operands are retained.
    SmallVector<Value> late;
    for (Value value : owned) {
      Life life = follow(value, block);
      if (life.escapes)
        continue;
      if (life.passed == 0) {
        releaseBehind(value, life.last, block);
        offerMemory(life);
      } else if (passes && life.passed == 1 && passedAt) {
        // The block's reference moves to the terminator's target.
        moved.insert(passedAt);
      } else if (passes) {
        late.push_back(value);
      }
    }
    if (passes)
      retainPassed(terminator, moved);
    OpBuilder builder(terminator);
    for (Value value : late)
      loom::ReleaseOp::create(builder, terminator->getLoc(), value);
  }

  /// Follows `value` and its aliases.
  Life follow(Value value, Block &block) {
    Life life;
    passedAt = nullptr;
    SmallVector<Value> names = {value};
    llvm::SmallDenseSet<Value> seen = {value};
    while (!names.empty()) {
      Value name = names.pop_back_val();
      for (OpOperand &use : name.getUses()) {
        Operation *user = use.getOwner();
        Operation *ancestor = block.findAncestorOpInBlock(*user);
        if (!ancestor) {
          life.escapes = true;
          return life;
        }
        if (ancestor == block.getTerminator()) {
          ++life.passed;
          passedAt = &use;
          // The buffer may reach another block of the function.
          life.escapes |= ancestor->getNumSuccessors() > 0;
          continue;
        }
        if (!life.last || life.last->isBeforeInBlock(ancestor)) {
          life.last = ancestor;
          life.lastUse = &use;
        } else if (life.lastUse->getOwner() == user &&
                   use.getOperandNumber() < life.lastUse->getOperandNumber()) {
          life.lastUse = &use;
        }
        if (givesReferences(user) || user->hasTrait<OpTrait::IsTerminator>())
          continue;
        // The other operand is the list of extents, which is only read.
        if (isa<memref::ReshapeOp>(user) && use.getOperandNumber() != 0)
          continue;
        for (Value result : user->getResults()) {
          if (isMemref(result) && seen.insert(result).second)
            names.push_back(result);
          // Uses of an address are not followed.
          life.escapes |= isa<memref::ExtractAlignedPointerAsIndexOp>(user);
        }
      }
    }
    return life;
  }

  void releaseBehind(Value value, Operation *last, Block &block) {
    OpBuilder builder(func.getContext());
    if (!last)
      last = value.getDefiningOp();
    if (last)
      builder.setInsertionPointAfter(last);
    else
      builder.setInsertionPointToStart(&block);
    loom::ReleaseOp::create(builder, value.getLoc(), value);
  }

  /// Marks the buffer so that the launch that reads it last may write its
  /// result over it, if the extents at run time allow that (broadloomLaunch).
  void offerMemory(const Life &life) {
    auto launch = dyn_cast_or_null<loom::RunOp>(life.last);
    if (!launch || launch.getNumResults() != 1 || launch.getSlots()[0] != -1 ||
        life.lastUse->getOwner() != launch)
      return;
    Type from = getElementTypeOrSelf(life.lastUse->get()),
         to = getElementTypeOrSelf(launch.getResult(0));
    if (from.isIntOrFloat() && to.isIntOrFloat() &&
        from.getIntOrFloatBitWidth() == to.getIntOrFloatBitWidth())
      launch.setSlots({slotAbout(life.lastUse->getOperandNumber())});
  }

  void retainInits(Operation *loop) {
    OpBuilder builder(loop);
    for (Value operand : loop->getOperands())
      if (isMemref(operand))
        loom::RetainOp::create(builder, loop->getLoc(), operand);
  }

  void retainPassed(Operation *terminator,
                    const llvm::DenseSet<OpOperand *> &moved) {
    OpBuilder builder(terminator);
    for (OpOperand &operand : terminator->getOpOperands())
      if (isMemref(operand.get()) && !moved.contains(&operand))
        loom::RetainOp::create(builder, terminator->getLoc(), operand.get());
  }

  func::FuncOp func;
  /// The last use at which follow() saw a terminator pass the value on.
  OpOperand *passedAt = nullptr;
};

struct LoomFreeTemporariesPass
    : codegen::impl::LoomFreeTemporariesBase<LoomFreeTemporariesPass> {
  void runOnOperation() override {
    llvm::StringSet<> overTensors;
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (!func.isExternal() && !loom::isOverMemory(func)) {
        FunctionFreer(func).run();
        overTensors.insert(func.getName());
      }
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (!func.isExternal() && loom::isOverMemory(func))
        FunctionFreer(func).releaseResults(overTensors);
  }
};

} // namespace
