//===- SplitModule.cpp - kernels in modules of their own ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/SplitModule.h"
#include "codegen/kernels/KernelParts.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace broadloom::codegen;

/// The number of operations of a part. The context, target machine and object
/// file of a part take as long as about 50 operations on vectors. Programs of
/// less than two small parts are not split, and large programs get large parts.
static constexpr size_t kSmallPart = 300, kLargePart = 1500;
/// The number of parts beyond which parts become larger.
static constexpr size_t kManyParts = 8;

static size_t countOperations(LLVM::LLVMFuncOp func) {
  size_t count = 0;
  for (Block &block : func.getBody())
    count += block.getOperations().size();
  return count;
}

/// Whether a function other than a kernel has a loop.
static bool hasOtherLoops(ModuleOp module) {
  for (auto func : module.getOps<LLVM::LLVMFuncOp>()) {
    if (func.isExternal() || isKernelName(func.getName()))
      continue;
    DenseMap<Block *, unsigned> order;
    for (Block &block : func.getBody())
      order[&block] = order.size();
    for (Block &block : func.getBody())
      for (Block *next : block.getSuccessors())
        if (order[next] <= order[&block])
          return true;
  }
  return false;
}

/// A declaration of `func`, at the end of `module`.
static void declare(LLVM::LLVMFuncOp func, ModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto declared = cast<LLVM::LLVMFuncOp>(builder.cloneWithoutRegions(*func));
  declared.setLinkage(LLVM::Linkage::External);
}

/// Moves `kernel` to the end of `part`, with declarations of what it calls.
static void move(LLVM::LLVMFuncOp kernel, ModuleOp part, SymbolTable &symbols,
                 llvm::DenseSet<StringAttr> &declared) {
  kernel.walk([&](LLVM::CallOp call) {
    auto callee = call.getCalleeAttr();
    if (callee && declared.insert(callee.getAttr()).second)
      declare(symbols.lookup<LLVM::LLVMFuncOp>(callee.getAttr()), part);
  });
  kernel->moveBefore(part.getBody(), part.getBody()->end());
  kernel.setLinkage(LLVM::Linkage::External);
}

std::vector<OwningOpRef<ModuleOp>>
broadloom::codegen::splitKernels(ModuleOp module) {
  struct Sized {
    LLVM::LLVMFuncOp kernel;
    size_t operations, index;
  };
  SmallVector<Sized> kernels;
  size_t all = 0, others = 0;
  for (auto func : module.getOps<LLVM::LLVMFuncOp>()) {
    size_t operations = countOperations(func);
    if (func.isExternal() || !isKernelName(func.getName())) {
      others += operations;
      continue;
    }
    kernels.push_back({func, operations, kernels.size()});
    all += operations;
  }
  std::vector<OwningOpRef<ModuleOp>> parts;
  bool otherLoops = hasOtherLoops(module);
  if (kernels.empty() || (all < 2 * kSmallPart && !otherLoops))
    return parts;

  // The largest are compiled first, so that none is left when others are done.
  llvm::sort(kernels, [](const Sized &a, const Sized &b) {
    return a.operations != b.operations ? a.operations > b.operations
                                        : a.index < b.index;
  });
  size_t size = std::clamp(all / kManyParts, kSmallPart, kLargePart);
  SmallVector<SmallVector<LLVM::LLVMFuncOp>> groups;
  size_t room = 0;
  for (auto [kernel, operations, index] : kernels) {
    if (room == 0) {
      groups.emplace_back();
      room = size;
    }
    room -= std::min(room, operations);
    groups.back().push_back(kernel);
  }
  // The smallest kernels share a part with the other functions, unless these
  // are many, or LLVM treats them in another way (Optimise.h).
  if (groups.size() > 1 && !otherLoops && others <= kSmallPart)
    groups.pop_back();
  SymbolTable symbols(module);
  for (ArrayRef<LLVM::LLVMFuncOp> group : groups) {
    parts.push_back(ModuleOp::create(module.getLoc()));
    llvm::DenseSet<StringAttr> declared;
    for (LLVM::LLVMFuncOp kernel : group) {
      declare(kernel, module);
      move(kernel, *parts.back(), symbols, declared);
    }
  }
  return parts;
}
