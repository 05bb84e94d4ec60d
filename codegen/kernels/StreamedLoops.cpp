//===- StreamedLoops.cpp - kernels that store past the caches -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/StreamedLoops.h"
#include "codegen/kernels/VectorClone.h"
#include "scalar/MathFunctions.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace broadloom;
using namespace broadloom::codegen;

/// With more operations, arithmetic takes longer than memory.
static constexpr size_t kMostOperations = 24;
/// The most mathematical functions whose arithmetic overlaps with prefetches.
static constexpr ptrdiff_t kMostFunctions = 2;

/// How far ahead a loop prefetches.
static constexpr int64_t kAheadBytes = 1024;

bool broadloom::codegen::isWorthStreamedLoop(const Stage &stage,
                                             const VectorUnit &unit) {
  auto isVector = [](mlir::Operation *op) {
    return canCloneAsVectors(op) || scalar::hasExpansion(op);
  };
  // Unless the loop prefetches, a copy from L1 takes little time compared with
  // a function's arithmetic.
  return stage.operations.size() <= kMostOperations &&
         llvm::all_of(stage.operations, isVector) &&
         llvm::count_if(stage.operations, scalar::hasExpansion) <=
             (unit.prefetches ? kMostFunctions : 0);
}

/// Clones the loop's blocks; branches between them lead to the copies.
static SmallVector<BasicBlock *> cloneBlocks(Function &function,
                                             ArrayRef<BasicBlock *> blocks) {
  ValueToValueMapTy map;
  SmallVector<BasicBlock *> clones;
  for (BasicBlock *block : blocks) {
    clones.push_back(CloneBasicBlock(block, map, ".streamed", &function));
    map[block] = clones.back();
  }
  remapInstructionsInBlocks(clones, map);
  return clones;
}

/// Prefetches what each vector load of the blocks reads some iterations later;
/// a prefetch beyond an operand's end does nothing. With few operations per
/// operand, prefetches do not help: the hardware prefetchers keep up.
static void prefetchAhead(ArrayRef<BasicBlock *> blocks) {
  SmallVector<LoadInst *> loads;
  size_t arithmetic = 0;
  for (BasicBlock *block : blocks)
    for (Instruction &instruction : *block) {
      if (!instruction.getType()->isVectorTy())
        continue;
      if (auto *load = dyn_cast<LoadInst>(&instruction))
        loads.push_back(load);
      else
        ++arithmetic;
    }
  if (arithmetic < loads.size())
    return;
  for (LoadInst *load : loads) {
    IRBuilder<> b(load);
    Value *ahead = b.CreateConstGEP1_64(b.getInt8Ty(),
                                        load->getPointerOperand(), kAheadBytes);
    b.CreateIntrinsic(Intrinsic::prefetch, {ahead->getType()},
                      {ahead, b.getInt32(0), b.getInt32(3), b.getInt32(1)});
  }
}

void broadloom::codegen::addStreamedLoop(Function &kernel,
                                         const TargetMachine &target) {
  if (target.getTargetTriple().getArch() != Triple::x86_64 ||
      !kernel.hasFnAttribute(kStreamsAttribute))
    return;
  BasicBlock &entry = kernel.getEntryBlock();
  entry.splitBasicBlock(entry.getTerminator());
  SmallVector<BasicBlock *> blocks;
  for (BasicBlock &block : drop_begin(kernel))
    blocks.push_back(&block);
  SmallVector<BasicBlock *> clones = cloneBlocks(kernel, blocks);

  LLVMContext &context = kernel.getContext();
  IRBuilder<> b(context);
  MDNode *yes = MDNode::get(context, ConstantAsMetadata::get(b.getInt32(1)));
  const DataLayout &layout = kernel.getDataLayout();
  for (BasicBlock *block : clones)
    for (Instruction &instruction : *block)
      if (auto *store = dyn_cast<StoreInst>(&instruction);
          store && store->getValueOperand()->getType()->isVectorTy()) {
        // Strips begin at a cache line (runtime/abi/Abi.h).
        store->setAlignment(Align(
            layout.getTypeStoreSize(store->getValueOperand()->getType())));
        store->setMetadata(LLVMContext::MD_nontemporal, yes);
      }

  if (prefetches(target))
    prefetchAhead(clones);
  Instruction *end = entry.getTerminator();
  b.SetInsertPoint(end);
  b.CreateCondBr(b.CreateIsNotNull(kernel.getArg(4)), clones.front(),
                 blocks.front());
  end->eraseFromParent();
}
