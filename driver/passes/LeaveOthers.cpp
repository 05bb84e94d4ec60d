//===- LeaveOthers.cpp - what is not for this compiler --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/passes/LeaveOthers.h"
#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"
#include "driver/passes/LeftMemory.h"
#include "infer/report/CollectedReport.h"
#include "legalize/UnsupportedOperations.h"
#include "legalize/memory/UnusedSummaries.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/IRDL/IR/IRDL.h"
#include "mlir/Dialect/MLProgram/IR/MLProgram.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace broadloom;

/// Whether the operation itself has a shape: a tensor, or what TOSA and loom
/// make of shapes. Definitions of operations, and variables, are those of
/// programs with tensors.
static bool hasShapes(Operation *op) {
  auto isShaped = [](Type type) {
    return isa<TensorType>(type) ||
           isa<tosa::TosaDialect, loom::LoomDialect>(type.getDialect());
  };
  auto isIn = [&](Type type) {
    return type
        .walk([&](Type part) {
          return isShaped(part) ? WalkResult::interrupt()
                                : WalkResult::advance();
        })
        .wasInterrupted();
  };
  if (isa_and_nonnull<tosa::TosaDialect, loom::LoomDialect, irdl::IRDLDialect,
                      ml_program::MLProgramDialect>(op->getDialect()))
    return true;
  auto function = dyn_cast<FunctionOpInterface>(op);
  return llvm::any_of(op->getOperandTypes(), isIn) ||
         llvm::any_of(op->getResultTypes(), isIn) ||
         (function && isIn(function.getFunctionType()));
}

/// Whether there are shapes in `op`.
static bool isOurs(Operation *op) {
  return op
      ->walk([](Operation *inner) {
        return hasShapes(inner) ? WalkResult::interrupt()
                                : WalkResult::advance();
      })
      .wasInterrupted();
}

/// How a remark about `op`, which stands in a module, says why it is left;
/// nothing if it could be compiled. What is marked as over memory is compiled.
static std::optional<std::string> findReason(Operation *op) {
  if (loom::isOverMemory(op))
    return std::nullopt;
  std::optional<std::string> reason;
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (!legalize::isUnsupported(inner))
      return WalkResult::advance();
    reason = inner == op ? "it is not compiled" : describeUnsupported(inner);
    return WalkResult::interrupt();
  });
  return reason;
}

namespace {

/// Operations that are out of their module as long as this object exists.
class Others {
public:
  Others(ModuleOp module, bool verbose) : module(module) {
    Reasons reasons;
    DenseMap<Operation *, std::string> memory = findLeftMemory(module);
    for (Operation &op : *module.getBody()) {
      auto found = memory.find(&op);
      std::optional<std::string> reason =
          found == memory.end() ? findReason(&op) : found->second;
      if (reason && !isOurs(&op))
        reasons.insert({&op, *reason});
    }
    keepUsed(reasons);
    for (auto &[op, reason] : reasons) {
      if (verbose && !reason.empty())
        emitRemark(op->getLoc())
            << "is left as it is, unchecked: it has no tensors, and " << reason;
      hide(op);
    }
    if (verbose)
      for (func::FuncOp func : loom::getMemoryFunctions(module))
        tellUnchecked(func);
    if (!all.empty())
      module->setAttr(legalize::kLeavesOthers,
                      UnitAttr::get(module.getContext()));
  }

  /// Puts all back. Fails if one names something whose type has changed.
  LogicalResult restore() {
    module->removeAttr(legalize::kLeavesOthers);
    DenseMap<StringAttr, Operation *> anchors;
    for (auto symbol : module.getOps<SymbolOpInterface>())
      anchors[symbol.getNameAttr()] = symbol;
    for (Hidden &hidden : llvm::reverse(all))
      show(hidden, anchors);
    SymbolTable symbols(module);
    bool isBroken = llvm::any_of(all, [&](Hidden &hidden) {
      return hidden.op && failed(checkReferences(hidden.op, symbols));
    });
    all.clear();
    return failure(isBroken);
  }

private:
  using Reasons = llvm::MapVector<Operation *, std::string>;

  struct Hidden {
    /// Null if a declaration stayed.
    Operation *op;
    /// The name of the declaration, or of the next operation in the module.
    StringAttr anchor;
    std::unique_ptr<Region> body;
    SymbolTable::Visibility visibility;
  };

  /// A function whose signature has nothing foreign, which others may call as a
  /// declaration.
  static func::FuncOp getCallable(Operation *op) {
    auto function = dyn_cast<func::FuncOp>(op);
    return function && !loom::isOverMemory(op) && !legalize::isUnsupported(op)
               ? function
               : func::FuncOp();
  }

  /// Takes out of `reasons` what operations that stay refer to.
  void keepUsed(Reasons &reasons) {
    DenseMap<StringAttr, Operation *> candidates;
    for (auto &[op, reason] : reasons)
      if (auto symbol = dyn_cast<SymbolOpInterface>(op);
          symbol && !getCallable(op))
        candidates[symbol.getNameAttr()] = op;
    SmallVector<Operation *> staying;
    for (Operation &op : *module.getBody())
      if (!reasons.contains(&op))
        staying.push_back(&op);
    while (!staying.empty() && !candidates.empty()) {
      auto uses = SymbolTable::getSymbolUses(staying.pop_back_val());
      if (!uses)
        continue;
      for (SymbolTable::SymbolUse use : *uses) {
        auto found = candidates.find(use.getSymbolRef().getRootReference());
        if (found == candidates.end())
          continue;
        reasons.erase(found->second);
        staying.push_back(found->second);
        candidates.erase(found);
      }
    }
  }

  void hide(Operation *op) {
    if (func::FuncOp function = getCallable(op)) {
      auto body = std::make_unique<Region>();
      body->takeBody(function.getBody());
      all.push_back({nullptr, function.getSymNameAttr(), std::move(body),
                     function.getVisibility()});
      // As declarations are.
      function.setPrivate();
      return;
    }
    op->removeAttr(loom::kMemoryFunction);
    Operation *next = op->getNextNode();
    auto symbol = next ? dyn_cast<SymbolOpInterface>(next) : nullptr;
    op->remove();
    all.push_back({op, symbol ? symbol.getNameAttr() : StringAttr(), nullptr,
                   SymbolTable::Visibility::Public});
  }

  void show(Hidden &hidden, DenseMap<StringAttr, Operation *> &symbols) {
    Operation *anchor = hidden.anchor ? symbols.lookup(hidden.anchor) : nullptr;
    if (hidden.op) {
      if (auto symbol = dyn_cast<SymbolOpInterface>(hidden.op))
        symbols[symbol.getNameAttr()] = hidden.op;
      Block *body = module.getBody();
      body->getOperations().insert(
          anchor ? Block::iterator(anchor) : body->end(), hidden.op);
      return;
    }
    if (auto function = dyn_cast_or_null<func::FuncOp>(anchor)) {
      function.getBody().takeBody(*hidden.body);
      function.setVisibility(hidden.visibility);
    }
  }

  ModuleOp module;
  SmallVector<Hidden> all;
};

class LeavingOthers
    : public PassWrapper<LeavingOthers, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LeavingOthers)

  LeavingOthers(OpPassManager passes, std::string name, bool verbose,
                bool dropsMarks)
      : passes(std::move(passes)), name(std::move(name)), verbose(verbose),
        dropsMarks(dropsMarks) {}

  StringRef getName() const override { return name; }

  void getDependentDialects(DialectRegistry &registry) const override {
    passes.getDependentDialects(registry);
  }

  void runOnOperation() override {
    // A pipeline that runs inside a pass clears the module's analyses.
    infer::GuardReport *report = infer::CollectedReport::get(
        getCachedAnalysis<infer::CollectedReport>());
    if (dropsMarks)
      for (func::FuncOp func : loom::getMemoryFunctions(getOperation()))
        func->removeAttr(loom::kMemoryFunction);
    Others others(getOperation(), verbose);
    LogicalResult result = runPipeline(passes, getOperation());
    if (failed(others.restore()) || failed(result))
      return signalPassFailure();
    if (report)
      getAnalysis<infer::CollectedReport>().into = report;
  }

private:
  OpPassManager passes;
  std::string name;
  bool verbose, dropsMarks;
};

} // namespace

void broadloom::addPassesLeavingOthers(
    OpPassManager &pm, std::string name,
    llvm::function_ref<void(OpPassManager &)> add, bool verbose,
    bool dropsMarks) {
  OpPassManager passes(ModuleOp::getOperationName());
  add(passes);
  pm.addPass(std::make_unique<LeavingOthers>(std::move(passes), std::move(name),
                                             verbose, dropsMarks));
}
