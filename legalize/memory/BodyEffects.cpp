//===- BodyEffects.cpp - what the body of a function does -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/BodyEffects.h"

#include "dialect/MemoryViews.h"
#include "legalize/memory/SetReader.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

/// Accesses of one argument that are read; with more, all elements may be
/// accessed.
static constexpr size_t kMostSets = 128;

namespace {

/// Collects the sets of one body.
class BodyReader {
public:
  /// Null if nothing is known of a function.
  using Find = llvm::function_ref<const FunctionEffects *(func::CallOp)>;

  BodyReader(func::FuncOp func, Find find)
      : func(func), names(func), reader(func, names), find(find) {}

  FunctionEffects run() {
    func.walk([&](Operation *op) {
      if (MemoryAccess::isAccess(op))
        addAccess(op);
      else if (auto call = dyn_cast<func::CallOp>(op))
        addCall(call);
      else if (isa<memref::ReinterpretCastOp>(op))
        leave(getRoot(op->getOperand(0)));
      else if (auto global = dyn_cast<memref::GetGlobalOp>(op))
        addGlobal(global);
      else if (op != func && !loom::getViewed(op) && !isMemoryEffectFree(op))
        addOther(op);
    });
    return std::move(effects);
  }

private:
  /// Where the memory of a value is from.
  struct Root {
    /// The argument, if it is one.
    std::optional<unsigned> argument;
    /// Whether it may be memory of any argument.
    bool isUnknown = false;
  };

  Root getRoot(Value memory) {
    Root root;
    memory = loom::getRoot(memory);
    auto argument = dyn_cast<BlockArgument>(memory);
    if (argument && argument.getOwner() == &func.getBody().front())
      root.argument = argument.getArgNumber();
    else
      root.isUnknown =
          !isa_and_nonnull<memref::AllocOp, memref::AllocaOp,
                           memref::GetGlobalOp>(memory.getDefiningOp());
    return root;
  }

  void leave(const Root &root) {
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      if (root.argument == i || root.isUnknown)
        effects.leaving.insert(i);
  }

  void addAll(const Root &root, bool isWrite, Operation *op,
              StringRef because) {
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      if (root.argument == i || root.isUnknown)
        effects.addAll(func, names, i, isWrite, op, because);
  }

  void addAllOf(Value memory, Operation *op, StringRef because) {
    for (bool isWrite : {false, true})
      addAll(getRoot(memory), isWrite, op, because);
  }

  /// Whether to read one more set of the argument.
  bool takesMore(const Root &root, bool isWrite, Operation *op) {
    if (numRead[{*root.argument, isWrite}]++ < kMostSets)
      return true;
    addAll(root, isWrite, op,
           "there are more than " + std::to_string(kMostSets) +
               " accesses of this argument");
    return false;
  }

  void add(const Root &root, bool isWrite, Operation *op,
           std::optional<EffectSet> set) {
    if (set)
      effects.add(std::move(*set));
    else
      addAll(root, isWrite, op, "its subscripts are too complex");
  }

  /// Whether sets of the root can be read; else `because` is why not.
  bool isReadable(const Root &root, StringRef &because) {
    if (!root.argument)
      because = "its memory may be that of several arguments";
    else if (!isa<MemRefType>(func.getArgumentTypes()[*root.argument]))
      because = "its memory is of any rank";
    return because.empty();
  }

  void addAccess(Operation *op) {
    bool isWrite = MemoryAccess::isWrite(op);
    Root root = getRoot(MemoryAccess::get(op).memory);
    StringRef because;
    if (!isReadable(root, because))
      addAll(root, isWrite, op, because);
    else if (takesMore(root, isWrite, op))
      add(root, isWrite, op, reader.readAccess(op, *root.argument, isWrite));
  }

  void addCall(func::CallOp call) {
    const FunctionEffects *callee = find(call);
    if (!callee) {
      std::string because =
          "calls '@" + call.getCallee().str() + "', of which nothing is known";
      breakPromise(effects.notDeterministic, call, because);
      breakPromise(effects.notReentrant, call, because);
      for (Value operand : call.getOperands())
        if (isa<BaseMemRefType>(operand.getType())) {
          leave(getRoot(operand));
          addAllOf(operand, call,
                   "nothing is known of what the called function does");
        }
      return;
    }
    std::string because =
        "calls '@" + call.getCallee().str() + "', which is not";
    if (callee->notDeterministic)
      breakPromise(effects.notDeterministic, call, because);
    if (callee->notReentrant)
      breakPromise(effects.notReentrant, call, because);
    for (auto [number, operand] : llvm::enumerate(call.getOperands())) {
      // No sets are about memory of any rank.
      if (isa<UnrankedMemRefType>(operand.getType())) {
        leave(getRoot(operand));
        addAllOf(operand, call, "the called function takes memory of any rank");
      } else if (callee->leaving.contains(number)) {
        leave(getRoot(operand));
        if (loom::getViewed(operand.getDefiningOp()))
          addAllOf(operand, call,
                   "the called function may leave the view that it gets");
      }
    }
    for (const EffectSet &called : callee->getSets())
      addCalled(call, called);
  }

  void addCalled(func::CallOp call, const EffectSet &called) {
    bool isWrite = called.kind.isWrite;
    Root root = getRoot(call.getOperand(called.argument));
    StringRef because;
    if (!isReadable(root, because))
      addAll(root, isWrite, call, because);
    else if (takesMore(root, isWrite, call))
      add(root, isWrite, call, reader.readCall(call, called, *root.argument));
  }

  /// What other calls change is no argument.
  void addGlobal(memref::GetGlobalOp op) {
    auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
        op, op.getNameAttr());
    if (global && global.getConstant())
      return;
    std::string because =
        "is memory '@" + op.getName().str() + "' that calls may change";
    breakPromise(effects.notDeterministic, op, because);
    breakPromise(effects.notReentrant, op, because);
  }

  static void breakPromise(std::optional<BrokenPromise> &promise, Operation *op,
                           std::string because) {
    if (!promise)
      promise = BrokenPromise{op, std::move(because)};
  }

  void addOther(Operation *op) {
    auto interface = dyn_cast<MemoryEffectOpInterface>(op);
    // What it hands on is memory that may be of any argument.
    if (!interface && (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                       op->hasTrait<OpTrait::IsTerminator>()))
      return;
    bool isKnown = isa<cf::AssertOp>(op);
    if (interface && !isKnown) {
      SmallVector<MemoryEffects::EffectInstance> all;
      interface.getEffects(all);
      isKnown = llvm::all_of(
          all, [](const auto &effect) { return bool(effect.getValue()); });
    }
    if (!isKnown) {
      breakPromise(effects.notDeterministic, op, "may do anything");
      breakPromise(effects.notReentrant, op, "may do anything");
    }
    addAccesses(op, interface);
  }

  void addAccesses(Operation *op, MemoryEffectOpInterface interface) {
    StringRef because = "it is no load, store or call";
    for (Value operand : op->getOperands()) {
      if (!isa<BaseMemRefType>(operand.getType()))
        continue;
      if (!interface) {
        addAllOf(operand, op, because);
        continue;
      }
      SmallVector<MemoryEffects::EffectInstance> found;
      interface.getEffectsOnValue(operand, found);
      for (const MemoryEffects::EffectInstance &effect : found)
        addAll(getRoot(operand), !isa<MemoryEffects::Read>(effect.getEffect()),
               op, because);
    }
  }

  func::FuncOp func;
  ScalarNames names;
  SetReader reader;
  Find find;
  FunctionEffects effects;
  llvm::DenseMap<std::pair<unsigned, unsigned>, size_t> numRead;
};

} // namespace

FunctionEffects legalize::readBodyEffects(
    func::FuncOp func,
    llvm::function_ref<const FunctionEffects *(func::CallOp)> find) {
  return BodyReader(func, find).run();
}
