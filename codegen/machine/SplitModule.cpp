//===- SplitModule.cpp - functions in modules of their own ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/machine/SplitModule.h"
#include "codegen/kernels/KernelParts.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"

#include <tuple>

using namespace mlir;
using namespace broadloom::codegen;

/// The number of operations of a part. The context, target machine and object
/// file of a part take as long as about 50 operations on vectors. Programs of
/// less than two small parts are not split, and large programs get large parts.
static constexpr size_t kSmallPart = 300, kLargePart = 1500;
/// The number of operations from which a program without kernels is split.
static constexpr size_t kLongProgram = 6000;
/// The number of parts beyond which parts become larger.
static constexpr size_t kManyParts = 8;

static size_t countOperations(LLVM::LLVMFuncOp func) {
  size_t count = 0;
  for (Block &block : func.getBody())
    count += block.getOperations().size();
  return count;
}

/// Operations for each call in glue code, at most: those of ten arguments.
static constexpr size_t kOperationsOfCall = 48;
/// The number of operations from which glue code has parts of its own.
static constexpr size_t kLongGlue = 4000;
/// The number of operations of a part of glue code.
static constexpr size_t kLargeGluePart = 16000;
/// Marks such parts.
static constexpr StringLiteral kGluePart = "loom.glue";

/// Whether the function has a loop.
static bool hasLoop(LLVM::LLVMFuncOp func) {
  DenseMap<Block *, unsigned> order;
  for (Block &block : func.getBody())
    order[&block] = order.size();
  return llvm::any_of(func.getBody(), [&](Block &block) {
    return llvm::any_of(block.getSuccessors(), [&](Block *next) {
      return order[next] <= order[&block];
    });
  });
}

/// Whether a function other than a kernel has a loop.
static bool hasOtherLoops(ModuleOp module) {
  return llvm::any_of(module.getOps<LLVM::LLVMFuncOp>(),
                      [](LLVM::LLVMFuncOp func) {
                        return !func.isExternal() &&
                               !isKernelName(func.getName()) && hasLoop(func);
                      });
}

static bool hasAttribute(LLVM::LLVMFuncOp func, StringRef name) {
  ArrayAttr attributes = func.getPassthroughAttr();
  return attributes &&
         llvm::is_contained(attributes,
                            StringAttr::get(func.getContext(), name));
}

static bool isNotInlined(LLVM::LLVMFuncOp func) {
  return func.isExternal() || hasAttribute(func, "noinline");
}

/// Whether a function of so many operations takes its time in the functions
/// that it calls, or is rarely called.
static bool isGlue(LLVM::LLVMFuncOp func, size_t operations) {
  if (hasAttribute(func, "cold"))
    return hasAttribute(func, "optnone");
  size_t calls = 0;
  func.walk([&](LLVM::CallOp) { ++calls; });
  return operations <= calls * kOperationsOfCall && !hasLoop(func);
}

/// Of a program without kernels, the functions whose code does not depend on
/// others: no call in them is inlined, and no call of them.
static SmallVector<LLVM::LLVMFuncOp> findSeparate(ModuleOp module,
                                                  const SymbolTable &symbols) {
  llvm::DenseSet<Operation *> together;
  for (auto func : module.getOps<LLVM::LLVMFuncOp>())
    func.walk([&](LLVM::CallOp call) {
      auto callee = call.getCalleeAttr();
      auto called =
          callee ? symbols.lookup<LLVM::LLVMFuncOp>(callee.getAttr()) : nullptr;
      if (called && isNotInlined(called))
        return;
      together.insert(func);
      together.insert(called);
    });
  return llvm::filter_to_vector(
      module.getOps<LLVM::LLVMFuncOp>(), [&](LLVM::LLVMFuncOp func) {
        return !func.isExternal() &&
               func.getLinkage() == LLVM::Linkage::Internal &&
               !together.contains(func);
      });
}

/// A declaration of `func`, at the end of `module`.
static void declare(LLVM::LLVMFuncOp func, ModuleOp module) {
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  auto declared = cast<LLVM::LLVMFuncOp>(builder.cloneWithoutRegions(*func));
  declared.setLinkage(LLVM::Linkage::External);
}

namespace {

/// A module to which functions move.
class Part {
public:
  Part(ModuleOp from, const SymbolTable &symbols)
      : from(from), symbols(symbols), module(ModuleOp::create(from.getLoc())) {}

  /// Moves `func` to the end, with what it refers to.
  void move(LLVM::LLVMFuncOp func) {
    declare(func, from);
    bringAll(func);
    func->moveBefore(module->getBody(), module->getBody()->end());
    func.setLinkage(LLVM::Linkage::External);
  }

  OwningOpRef<ModuleOp> take() { return std::move(module); }

private:
  void bringAll(Operation *op) {
    op->walk([&](Operation *user) {
      if (auto call = dyn_cast<LLVM::CallOp>(user)) {
        if (auto callee = call.getCalleeAttr())
          bring(callee.getAttr());
      } else if (auto address = dyn_cast<LLVM::AddressOfOp>(user)) {
        bring(address.getGlobalNameAttr().getAttr());
      }
    });
  }

  /// Texts and descriptions, of which each part may have its own.
  static bool isCopied(LLVM::GlobalOp global) {
    constexpr size_t kMostBytes = 4096;
    auto text = dyn_cast_or_null<StringAttr>(global.getValueOrNull());
    return global.getConstant() &&
           global.getLinkage() == LLVM::Linkage::Internal &&
           (text ? text.size() <= kMostBytes
                 : !global.getInitializer().empty());
  }

  void bring(StringAttr name) {
    if (!brought.insert(name).second)
      return;
    Operation *op = symbols.lookup(name);
    if (auto func = dyn_cast_or_null<LLVM::LLVMFuncOp>(op)) {
      if (!func.isExternal())
        func.setLinkage(LLVM::Linkage::External);
      declare(func, *module);
    } else if (auto global = dyn_cast_or_null<LLVM::GlobalOp>(op)) {
      OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
      if (isCopied(global))
        return bringAll(builder.clone(*global));
      global.setLinkage(LLVM::Linkage::External);
      auto declared =
          cast<LLVM::GlobalOp>(builder.cloneWithoutRegions(*global));
      declared.removeValueAttr();
    }
  }

  ModuleOp from;
  const SymbolTable &symbols;
  OwningOpRef<ModuleOp> module;
  llvm::DenseSet<StringAttr> brought;
};

} // namespace

/// Erases the globals of `module` to which nothing refers.
static void eraseUnusedGlobals(ModuleOp module) {
  SymbolTable symbols(module);
  llvm::DenseSet<Operation *> used;
  SmallVector<Operation *> open;
  for (Operation &op : *module.getBody()) {
    auto global = dyn_cast<LLVM::GlobalOp>(op);
    if (global && global.getLinkage() == LLVM::Linkage::Internal)
      continue;
    used.insert(&op);
    open.push_back(&op);
  }
  while (!open.empty())
    open.pop_back_val()->walk([&](LLVM::AddressOfOp address) {
      Operation *op = symbols.lookup(address.getGlobalNameAttr().getAttr());
      if (op && used.insert(op).second)
        open.push_back(op);
    });
  for (auto global :
       llvm::make_early_inc_range(module.getOps<LLVM::GlobalOp>()))
    if (!used.contains(global))
      global.erase();
}

bool broadloom::codegen::isGluePart(ModuleOp part) {
  return part->hasAttr(kGluePart);
}

std::vector<OwningOpRef<ModuleOp>>
broadloom::codegen::splitModule(ModuleOp module) {
  SymbolTable symbols(module);
  auto isKernel = [](LLVM::LLVMFuncOp func) {
    return !func.isExternal() && isKernelName(func.getName());
  };
  SmallVector<LLVM::LLVMFuncOp> movable =
      llvm::filter_to_vector(module.getOps<LLVM::LLVMFuncOp>(), isKernel);
  bool hasKernels = !movable.empty();
  if (!hasKernels)
    movable = findSeparate(module, symbols);
  struct Sized {
    LLVM::LLVMFuncOp func;
    size_t operations, index;
    bool isGlue;
  };
  SmallVector<Sized> functions;
  size_t all = 0, others = 0, glue = 0;
  for (auto func : module.getOps<LLVM::LLVMFuncOp>())
    others += countOperations(func);
  for (LLVM::LLVMFuncOp func : movable) {
    size_t operations = countOperations(func);
    bool isGlue = !hasKernels && ::isGlue(func, operations);
    functions.push_back({func, operations, functions.size(), isGlue});
    all += operations;
    glue += isGlue ? operations : 0;
  }
  if (glue < kLongGlue)
    for (Sized &each : functions)
      each.isGlue = false;
  others -= all;
  std::vector<OwningOpRef<ModuleOp>> parts;
  bool otherLoops = hasKernels && hasOtherLoops(module);
  if (all < (hasKernels ? 2 * kSmallPart : kLongProgram) && !otherLoops)
    return parts;
  if (movable.empty())
    return parts;

  // The largest are compiled first, so that none is left when others are done.
  llvm::sort(functions, [](const Sized &a, const Sized &b) {
    return std::tuple(a.isGlue, b.operations, a.index) <
           std::tuple(b.isGlue, a.operations, b.index);
  });
  size_t size = std::clamp(all / kManyParts, kSmallPart, kLargePart);
  struct Group {
    SmallVector<LLVM::LLVMFuncOp> functions;
    bool isGlue;
  };
  SmallVector<Group> groups;
  size_t room = 0;
  for (auto [func, operations, index, isGlue] : functions) {
    if (room == 0 || groups.back().isGlue != isGlue) {
      groups.push_back({{}, isGlue});
      room = isGlue ? kLargeGluePart : size;
    }
    room -= std::min(room, operations);
    groups.back().functions.push_back(func);
  }
  // The smallest kernels share a part with the other functions, unless these
  // are many, or LLVM treats them in another way (Optimise.h).
  if (hasKernels && groups.size() > 1 && !otherLoops && others <= kSmallPart)
    groups.pop_back();
  for (const Group &group : groups) {
    Part part(module, symbols);
    for (LLVM::LLVMFuncOp func : group.functions)
      part.move(func);
    parts.push_back(part.take());
    if (group.isGlue)
      parts.back().get()->setAttr(kGluePart,
                                  UnitAttr::get(module.getContext()));
  }
  if (!hasKernels)
    eraseUnusedGlobals(module);
  return parts;
}
