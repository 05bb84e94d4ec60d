//===- LeaveOthers.cpp - what is not for this compiler --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/passes/LeaveOthers.h"
#include "dialect/LoomDialect.h"
#include "dialect/MemoryFunction.h"
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

namespace {

/// The functions over memory that are about calls of other libraries: such a
/// call, where it is bound and checked, has no form that can be read again.
struct LibraryCalls {
  /// The libraries' functions, and those that call one, directly or not.
  DenseSet<Operation *> callers;
  /// Those that tell the effects of others, and those that they call.
  DenseSet<Operation *> summaries;

  explicit LibraryCalls(ModuleOp module) {
    SymbolTable symbols(module);
    DenseMap<Operation *, SmallVector<Operation *>> callersOf, calleesOf;
    SmallVector<Operation *> libraries, told;
    for (func::FuncOp func : loom::getMemoryFunctions(module)) {
      func.walk([&](func::CallOp call) {
        if (Operation *callee = symbols.lookup(call.getCallee())) {
          callersOf[callee].push_back(func);
          calleesOf[func].push_back(callee);
        }
      });
      if (func.isExternal())
        libraries.push_back(func);
      if (Attribute effects = func->getAttr(loom::kEffects))
        effects.walk([&](FlatSymbolRefAttr summary) {
          if (Operation *found = symbols.lookup(summary.getValue()))
            told.push_back(found);
        });
    }
    addReached(std::move(libraries), callersOf, callers);
    addReached(std::move(told), calleesOf, summaries);
  }

  bool contains(Operation *op) const {
    return callers.contains(op) || summaries.contains(op);
  }

private:
  static void
  addReached(SmallVector<Operation *> pending,
             const DenseMap<Operation *, SmallVector<Operation *>> &edges,
             DenseSet<Operation *> &found) {
    while (!pending.empty()) {
      Operation *func = pending.pop_back_val();
      if (loom::isOverMemory(func) && found.insert(func).second)
        llvm::append_range(pending, edges.lookup(func));
    }
  }
};

} // namespace

/// The first operation in `op`, which stands in a module, that could not be
/// compiled, or `op` itself if it calls a library; null if there is none, or if
/// there are shapes in `op`. What is marked as over memory is compiled.
static Operation *findReason(Operation *op, bool callsLibrary) {
  Operation *reason = callsLibrary ? op : nullptr;
  bool isOverMemory = loom::isOverMemory(op), isOurs = false;
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    isOurs = hasShapes(inner);
    if (!reason && !isOverMemory && legalize::isUnsupported(inner))
      reason = inner;
    return isOurs ? WalkResult::interrupt() : WalkResult::advance();
  });
  return isOurs ? nullptr : reason;
}

namespace {

/// Operations that are out of their module as long as this object exists.
class Others {
public:
  Others(ModuleOp module, bool verbose) : module(module) {
    llvm::MapVector<Operation *, Operation *> reasons;
    LibraryCalls libraryCalls(module);
    for (Operation &op : *module.getBody())
      if (Operation *reason = findReason(&op, libraryCalls.contains(&op)))
        reasons.insert({&op, reason});
    keepUsed(reasons);
    for (auto [op, reason] : reasons) {
      auto function = dyn_cast<func::FuncOp>(op);
      bool isNone = libraryCalls.summaries.contains(op) ||
                    (function && function.isExternal());
      if (verbose && !isNone)
        tell(op, reason, libraryCalls.callers.contains(op));
      hide(op);
    }
    if (!all.empty())
      module->setAttr(legalize::kLeavesOthers,
                      UnitAttr::get(module.getContext()));
  }

  ~Others() {
    module->removeAttr(legalize::kLeavesOthers);
    DenseMap<StringAttr, Operation *> symbols;
    for (auto symbol : module.getOps<SymbolOpInterface>())
      symbols[symbol.getNameAttr()] = symbol;
    for (Hidden &hidden : llvm::reverse(all))
      show(hidden, symbols);
  }

private:
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
  void keepUsed(llvm::MapVector<Operation *, Operation *> &reasons) {
    DenseMap<StringAttr, Operation *> candidates;
    for (auto [op, reason] : reasons)
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

  static void tell(Operation *op, Operation *reason, bool callsLibrary) {
    InFlightDiagnostic remark = emitRemark(op->getLoc());
    remark << "is left as it is, unchecked: it has no tensors, and ";
    if (callsLibrary)
      remark << "it calls a function of another library";
    else if (reason == op)
      remark << "it is not compiled";
    else
      remark << "'" << reason->getName() << "' is not compiled";
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

  LeavingOthers(OpPassManager passes, std::string name, bool verbose)
      : passes(std::move(passes)), name(std::move(name)), verbose(verbose) {}

  StringRef getName() const override { return name; }

  void getDependentDialects(DialectRegistry &registry) const override {
    passes.getDependentDialects(registry);
  }

  void runOnOperation() override {
    // A pipeline that runs inside a pass clears the module's analyses.
    infer::GuardReport *report = infer::CollectedReport::get(
        getCachedAnalysis<infer::CollectedReport>());
    Others others(getOperation(), verbose);
    if (failed(runPipeline(passes, getOperation())))
      return signalPassFailure();
    if (report)
      getAnalysis<infer::CollectedReport>().into = report;
  }

private:
  OpPassManager passes;
  std::string name;
  bool verbose;
};

} // namespace

void broadloom::addPassesLeavingOthers(
    OpPassManager &pm, std::string name,
    llvm::function_ref<void(OpPassManager &)> add, bool verbose) {
  OpPassManager passes(ModuleOp::getOperationName());
  add(passes);
  pm.addPass(std::make_unique<LeavingOthers>(std::move(passes), std::move(name),
                                             verbose));
}
