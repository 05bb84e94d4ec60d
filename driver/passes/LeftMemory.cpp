//===- LeftMemory.cpp - functions over memory that are left ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/passes/LeftMemory.h"
#include "dialect/MemoryFunction.h"
#include "legalize/UnsupportedOperations.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace broadloom;

std::string broadloom::describeUnsupported(Operation *op) {
  return ("'" + op->getName().getStringRef() + "' is not compiled").str();
}

/// The first operation of a function on numbers alone that cannot be compiled;
/// null if there is none, or if the function has memory.
static Operation *findUnsupportedScalars(func::FuncOp func) {
  Operation *found = nullptr;
  auto isMemory = [](Type type) { return isa<BaseMemRefType>(type); };
  WalkResult result = func.walk([&](Operation *op) {
    if (llvm::any_of(op->getOperandTypes(), isMemory) ||
        llvm::any_of(op->getResultTypes(), isMemory))
      return WalkResult::interrupt();
    if (!found && legalize::isUnsupported(op))
      found = op;
    return WalkResult::advance();
  });
  bool hasMemory = result.wasInterrupted() ||
                   llvm::any_of(func.getArgumentTypes(), isMemory) ||
                   llvm::any_of(func.getResultTypes(), isMemory);
  return hasMemory ? nullptr : found;
}

namespace {

/// Follows calls from one function to the next.
class LeftMemory {
public:
  explicit LeftMemory(ModuleOp module) : symbols(module) {
    SmallVector<func::FuncOp> all = loom::getMemoryFunctions(module);
    for (func::FuncOp func : all)
      func.walk([&](func::CallOp call) {
        if (auto callee = symbols.lookup<func::FuncOp>(call.getCallee())) {
          callers[callee].push_back(func);
          callees[func].push_back(callee);
        }
      });
    for (func::FuncOp func : all) {
      if (func.isExternal())
        addCallers(func, "", " of another library");
      else if (Operation *op = findUnsupportedScalars(func))
        addCallers(func, describeUnsupported(op), ", which is left");
    }
    for (func::FuncOp func : all)
      if (Attribute effects = func->getAttr(loom::kEffects);
          effects && func.isExternal())
        effects.walk([&](FlatSymbolRefAttr name) {
          if (auto summary = symbols.lookup<func::FuncOp>(name.getValue()))
            addSummary(summary, func);
        });
  }

  DenseMap<Operation *, std::string> found;

private:
  void addCallers(func::FuncOp func, std::string reason, StringRef whose) {
    SmallVector<std::pair<func::FuncOp, std::string>> pending;
    pending.push_back({func, std::move(reason)});
    while (!pending.empty()) {
      auto [next, why] = pending.pop_back_val();
      if (!loom::isOverMemory(next) || !found.insert({next, why}).second)
        continue;
      std::string call = ("it calls '@" + next.getName() + "'").str();
      StringRef how = next == func ? whose : ", which is left";
      for (func::FuncOp caller : callers.lookup(next))
        pending.push_back({caller, call + how.str()});
    }
  }

  /// Nobody calls a private function for what it tells.
  void addSummary(func::FuncOp summary, func::FuncOp of) {
    SmallVector<func::FuncOp> pending{summary};
    while (!pending.empty()) {
      func::FuncOp next = pending.pop_back_val();
      std::string why =
          next.isPrivate()
              ? ""
              : ("it tells the effects of '@" + of.getName() + "'").str();
      if (loom::isOverMemory(next) && found.insert({next, why}).second)
        llvm::append_range(pending, callees.lookup(next));
    }
  }

  SymbolTable symbols;
  DenseMap<Operation *, SmallVector<func::FuncOp>> callers, callees;
};

} // namespace

DenseMap<Operation *, std::string> broadloom::findLeftMemory(ModuleOp module) {
  return std::move(LeftMemory(module).found);
}

void broadloom::tellUnchecked(Operation *function) {
  function->walk([](memref::DeallocOp op) {
    op.emitRemark("uses of freed memory are checked in compiled programs, and "
                  "not in this form (mem-6)");
    return WalkResult::interrupt();
  });
}

LogicalResult broadloom::checkReferences(Operation *left,
                                         const SymbolTable &symbols) {
  auto refuse = [](Operation *op, StringRef name, Type now) {
    op->emitError() << "names '@" << name << "', whose type is " << now
                    << " where it is checked; give its memory no space and no "
                       "other layout";
    return WalkResult::interrupt();
  };
  return failure(
      left->walk([&](Operation *op) {
            if (auto call = dyn_cast<func::CallOp>(op)) {
              auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
              if (callee && callee.getFunctionType() != call.getCalleeType())
                return refuse(op, call.getCallee(), callee.getFunctionType());
            } else if (auto access = dyn_cast<memref::GetGlobalOp>(op)) {
              auto global = symbols.lookup<memref::GlobalOp>(access.getName());
              if (global && global.getType() != access.getType())
                return refuse(op, access.getName(), global.getType());
            }
            return WalkResult::advance();
          })
          .wasInterrupted());
}
