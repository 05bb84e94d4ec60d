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

  BodyReader(func::FuncOp func, size_t &moreSets, Find find)
      : func(func), names(func), reader(func, names), find(find),
        moreSets(moreSets) {}

  FunctionEffects run() {
    func.walk([&](Operation *op) {
      if (addAccesses(op))
        return;
      if (auto call = dyn_cast<func::CallOp>(op))
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
      addAll(root, isWrite, op, reader.because);
  }

  /// Adds what `op` accesses, if that is known of such an operation.
  bool addAccesses(Operation *op) {
    if (auto copy = dyn_cast<memref::CopyOp>(op)) {
      addAccess(copy.getSourceMutable(), /*isWrite=*/false);
      addAccess(copy.getTargetMutable(), /*isWrite=*/true);
      return true;
    }
    if (auto loops = dyn_cast<linalg::LinalgOp>(op);
        loops && loops.hasPureBufferSemantics()) {
      for (OpOperand &operand : op->getOpOperands()) {
        if (!isa<MemRefType>(operand.get().getType()))
          continue;
        if (loops.payloadUsesValueFromOperand(&operand))
          addAccess(operand, /*isWrite=*/false);
        else if (!loops.isDpsInit(&operand))
          addAll(getRoot(operand.get()), /*isWrite=*/false, op,
                 "it computes nothing of them");
        if (loops.isDpsInit(&operand))
          addAccess(operand, /*isWrite=*/true);
      }
      return true;
    }
    bool isAtomic = MemoryAccess::isAtomic(op);
    if (!isAtomic && !MemoryAccess::isAccess(op))
      return false;
    // What is stored may be memory too.
    Value accessed = MemoryAccess::get(op).memory;
    OpOperand *memory =
        llvm::find_if(op->getOpOperands(), [&](OpOperand &operand) {
          return operand.get() == accessed;
        });
    for (bool isWrite : {false, true})
      if (isAtomic || MemoryAccess::isWrite(op) == isWrite)
        addAccess(*memory, isWrite);
    return true;
  }

  /// Whether sets of the root can be read; else `because` is why not.
  bool isReadable(const Root &root, StringRef &because) {
    if (!root.argument)
      because = "its memory may be that of several arguments";
    else if (!isa<MemRefType>(func.getArgumentTypes()[*root.argument]))
      because = "its memory is of any rank";
    return because.empty();
  }

  void addAccess(OpOperand &accessed, bool isWrite) {
    Operation *op = accessed.getOwner();
    Root root = getRoot(accessed.get());
    StringRef because;
    if (!isReadable(root, because))
      addAll(root, isWrite, op, because);
    else if (takesMore(root, isWrite, op))
      add(root, isWrite, op,
          reader.readAccess(accessed, *root.argument, isWrite));
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
    bool isRead = takesAll(callee->getSets().size());
    for (const EffectSet &called : callee->getSets())
      if (isRead)
        addCalled(call, called);
      else
        addAll(getRoot(call.getOperand(called.argument)), called.kind.isWrite,
               call, "the program's calls access too many sets of elements");
  }

  /// Whether to read so many sets of a called function.
  bool takesAll(size_t count) {
    constexpr size_t kMostOfCall = 4;
    size_t more = count - std::min(count, kMostOfCall);
    if (more > moreSets)
      return false;
    moreSets -= more;
    return true;
  }

  void addCalled(func::CallOp call, const EffectSet &called) {
    bool isWrite = called.kind.isWrite;
    Value operand = call.getOperand(called.argument);
    Root root = getRoot(operand);
    StringRef because;
    if (!isReadable(root, because))
      addAll(root, isWrite, call, because);
    else if (!called.kind.isSure && effects.hasAll(*root.argument, isWrite))
      return;
    else if (called.isAll &&
             stripCasts(operand) == func.getArgument(*root.argument))
      addAll(root, isWrite, call, kMayAccess);
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
    addOperands(op, interface);
  }

  void addOperands(Operation *op, MemoryEffectOpInterface interface) {
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
  /// How many more sets the calls of the program may have read.
  size_t &moreSets;
  FunctionEffects effects;
  llvm::DenseMap<std::pair<unsigned, unsigned>, size_t> numRead;
};

} // namespace

FunctionEffects legalize::readBodyEffects(
    func::FuncOp func, size_t &moreSets,
    llvm::function_ref<const FunctionEffects *(func::CallOp)> find) {
  return BodyReader(func, moreSets, find).run();
}
