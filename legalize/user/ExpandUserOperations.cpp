//===- ExpandUserOperations.cpp - the pass that expands them --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/PolicyValues.h"
#include "dialect/ShapeFunctionOpInterface.h"
#include "infer/functions/UserDialects.h"
#include "infer/report/CollectedReport.h"
#include "legalize/CheckProgram.h"
#include "legalize/ClearArithmeticFlags.h"
#include "legalize/Passes.h"
#include "legalize/user/Expander.h"
#include "read/structure/CheckStructure.h"
#include "read/tflite/CustomOptions.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMEXPANDUSEROPERATIONS
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

namespace {

struct LoomExpandUserOperationsPass
    : legalize::impl::LoomExpandUserOperationsBase<
          LoomExpandUserOperationsPass> {
  using LoomExpandUserOperationsBase::LoomExpandUserOperationsBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (!shared)
      shared = std::make_shared<infer::ShapeLibraries>(
          std::vector<std::string>(libraries.begin(), libraries.end()));
    references = std::make_shared<References>();
    numTexts = 0;
    // Errors of a user's texts are reported for any program (abi-3).
    FailureOr<infer::SharedLibrary> users = shared->getUsers(context);
    return success(succeeded(users) &&
                   (!*users || succeeded(collect(**users))));
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    read::readCustomOptions(module);
    FailureOr<infer::SharedLibrary> found = shared->get(module);
    if (failed(found))
      return signalPassFailure();
    if (!*found)
      return;
    const infer::ShapeLibrary &library = **found;
    if (failed(collect(library)))
      return signalPassFailure();
    bool hasTexts = shared->hasUsers() || !references->empty();
    bool hasWork = false;
    module.walk([&](Operation *op) {
      hasWork |=
          (hasTexts && (isUserOperation(op) || isa<tosa::CustomOp>(op))) ||
          (becomesAnother(op) &&
           library.lookupAddition(infer::getOperationKey(op)));
    });
    if (!hasWork)
      return;
    infer::GuardReport *report = infer::CollectedReport::get(
        getCachedAnalysis<infer::CollectedReport>());
    if (failed(read::checkStructure(module)) ||
        failed(checkProgram(module, dynamicToStatic, /*forCompilation=*/false,
                            report)))
      return signalPassFailure();
    // Before constraints exist whose arithmetic has `nsw` in its own meaning.
    legalize::clearArithmeticFlags(module);
    uint64_t budget = Expander::maxOperations;
    for (auto function : module.getOps<func::FuncOp>()) {
      Expander expander(library, *references, budget, report, standIns);
      if (failed(expander.visit(function.getBody(), 0)) ||
          failed(expander.finish(function)))
        return signalPassFailure();
    }
  }

  /// Collects the references of texts that were added since the last time.
  LogicalResult collect(const infer::ShapeLibrary &library) {
    size_t count = library.getModules().size();
    if (std::exchange(numTexts, count) == count)
      return success();
    return references->collect(library, dynamicToStatic);
  }

  infer::SharedLibraries shared;
  std::shared_ptr<References> references;
  size_t numTexts = 0;
};

} // namespace

bool legalize::mayBeExpanded(Operation *op) {
  auto name = op->getName().getRegisteredInfo();
  return isa<tosa::CustomOp>(op) ||
         (name && name->hasInterface<ShapeFunctionOpInterface>() &&
          becomesAnother(op));
}

std::unique_ptr<Pass> legalize::createLoomExpandUserOperations(
    infer::SharedLibraries libraries, DynamicToStatic policy, bool standIns) {
  legalize::LoomExpandUserOperationsOptions options;
  options.dynamicToStatic = policy;
  options.standIns = standIns;
  auto pass =
      std::make_unique<LoomExpandUserOperationsPass>(std::move(options));
  pass->shared = std::move(libraries);
  return pass;
}
