//===- LegalizationPass.cpp - a step of legalization ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/LegalizationPass.h"

#include "read/structure/CheckStructure.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

static constexpr StringLiteral kCheckStructure = "loom-check-structure";

void LegalizationPass::runOnOperation() {
  ModuleOp module = getOperation();
  auto &steps = getAnalysis<LegalizationSteps>();
  if (!steps.has(kCheckStructure)) {
    if (failed(read::checkStructure(module)))
      return signalPassFailure();
    steps.add(kCheckStructure);
  }
  if (failed(apply(module)))
    return signalPassFailure();
  steps.add(getArgument());
  // MLIR runs upstream's verifier behind each pass that does not preserve all
  // analyses. So the others are invalidated here.
  AnalysisManager::PreservedAnalyses preserved;
  preserved.preserve<LegalizationSteps>();
  getAnalysisManager().invalidate(preserved);
  markAllAnalysesPreserved();
}

LogicalResult legalize::requireSteps(ModuleOp module, const Pass &pass,
                                     CachedSteps steps,
                                     ArrayRef<StringLiteral> needed) {
  for (StringRef name : needed)
    if (!steps || !steps->get().has(name))
      return module.emitError()
             << "'" << pass.getArgument() << "' needs '" << name
             << "' before it, with only steps of legalization between them; "
                "run the pipeline 'broadloom-legalize', or "
                "'broadloom-prepare' before this pass";
  return success();
}
