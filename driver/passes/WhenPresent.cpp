//===- WhenPresent.cpp - passes only where they have work -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/passes/WhenPresent.h"
#include "infer/report/CollectedReport.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace broadloom;

namespace {

/// The names of all operations of a module. Passes that have no work preserve
/// them, so that one walk serves several of these.
struct PresentNames {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PresentNames)

  explicit PresentNames(Operation *module) {
    module->walk([&](Operation *op) { names.insert(op->getName()); });
  }

  llvm::DenseSet<OperationName> names;
};

class WhenPresent : public PassWrapper<WhenPresent, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(WhenPresent)

  /// Without `isName`, any names will do; without `concerns`, any module.
  WhenPresent(std::function<bool(OperationName)> isName,
              std::function<bool(ModuleOp)> concerns,
              std::unique_ptr<Pass> pass, RunOn runOn)
      : isName(std::move(isName)), concerns(std::move(concerns)),
        passes(ModuleOp::getOperationName()),
        name(pass->getArgument().empty() ? pass->getName()
                                         : pass->getArgument()) {
    if (runOn == RunOn::Functions)
      passes.addNestedPass<func::FuncOp>(std::move(pass));
    else
      passes.addPass(std::move(pass));
  }

  /// The name of the wrapped pass: users do not know the wrapper.
  StringRef getName() const override { return name; }

  void getDependentDialects(DialectRegistry &registry) const override {
    passes.getDependentDialects(registry);
  }

  void runOnOperation() override {
    // The program is as it was, and not verified again: it may be one that only
    // legalization makes valid by upstream's rules.
    if ((isName && llvm::none_of(getAnalysis<PresentNames>().names, isName)) ||
        (concerns && !concerns(getOperation())))
      return markAllAnalysesPreserved();
    // A pipeline that runs inside a pass clears the module's analyses.
    infer::GuardReport *report = infer::CollectedReport::get(
        getCachedAnalysis<infer::CollectedReport>());
    if (failed(runPipeline(passes, getOperation())))
      return signalPassFailure();
    if (report)
      getAnalysis<infer::CollectedReport>().into = report;
  }

private:
  std::function<bool(OperationName)> isName;
  std::function<bool(ModuleOp)> concerns;
  OpPassManager passes;
  std::string name;
};

} // namespace

static std::function<bool(ModuleOp)>
hasAny(std::function<bool(Operation *)> concerns) {
  return [concerns = std::move(concerns)](ModuleOp module) {
    return module
        .walk([&](Operation *op) {
          return concerns(op) ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  };
}

void broadloom::addPassWhenPresent(OpPassManager &pm,
                                   std::function<bool(Operation *)> concerns,
                                   std::unique_ptr<Pass> pass, RunOn runOn) {
  pm.addPass(std::make_unique<WhenPresent>(nullptr, hasAny(std::move(concerns)),
                                           std::move(pass), runOn));
}

void broadloom::addPassWhenName(OpPassManager &pm,
                                std::function<bool(OperationName)> isName,
                                std::unique_ptr<Pass> pass, RunOn runOn,
                                std::function<bool(Operation *)> concerns) {
  pm.addPass(std::make_unique<WhenPresent>(
      std::move(isName), concerns ? hasAny(std::move(concerns)) : nullptr,
      std::move(pass), runOn));
}

void broadloom::addPassWhenFunction(OpPassManager &pm,
                                    std::function<bool(func::FuncOp)> concerns,
                                    std::unique_ptr<Pass> pass, RunOn runOn) {
  auto has = [concerns = std::move(concerns)](ModuleOp module) {
    return llvm::any_of(module.getOps<func::FuncOp>(), concerns);
  };
  pm.addPass(std::make_unique<WhenPresent>(nullptr, std::move(has),
                                           std::move(pass), runOn));
}

void broadloom::addPassWhenMany(OpPassManager &pm, std::unique_ptr<Pass> pass) {
  constexpr size_t kMany = 16;
  auto has = [](ModuleOp module) {
    auto functions = module.getOps<func::FuncOp>();
    return std::distance(functions.begin(), functions.end()) >=
           ptrdiff_t(kMany);
  };
  pm.addPass(std::make_unique<WhenPresent>(nullptr, std::move(has),
                                           std::move(pass), RunOn::Functions));
}

void broadloom::addPassWhenDialect(OpPassManager &pm, StringRef name,
                                   std::unique_ptr<Pass> pass, RunOn runOn) {
  addPassWhenName(
      pm,
      [name](OperationName each) { return each.getDialectNamespace() == name; },
      std::move(pass), runOn);
}
