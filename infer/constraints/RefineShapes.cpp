//===- RefineShapes.cpp - result types from shape functions ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/Passes.h"
#include "infer/analysis/CallSummaries.h"
#include "infer/analysis/SameShapes.h"
#include "infer/analysis/ShapeWalk.h"
#include "infer/constraints/Refiner.h"
#include "infer/report/CollectedReport.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace broadloom::infer {
#define GEN_PASS_DEF_LOOMREFINESHAPES
#include "infer/Passes.h.inc"
} // namespace broadloom::infer

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

/// Refines the operations of one function.
class RefiningVisitor : public ShapeWalk::Visitor {
public:
  RefiningVisitor(ShapeAnalysis &analysis, CallSummaries &calls,
                  SameShapes &sameShapes, GuardReport *report, bool good)
      : Visitor(analysis), refiner(analysis, report), calls(calls),
        sameShapes(sameShapes), report(report), good(good) {
    namesFacts = report != nullptr;
    // Unproved requirements become constraints, so that results of shape
    // functions are facts.
    analysis.setBelieves(true);
  }

  LogicalResult run(func::FuncOp func) {
    refiner.nameArguments(func);
    ShapeWalk(*this).run(func, calls.isCertain(func));
    return success(good);
  }

  Refiner refiner;

private:
  void visit(Operation *op, bool certain) override {
    effects.certain = certain;
    // After the first error, later ones become rows of the report only.
    std::optional<ScopedDiagnosticHandler> quiet;
    if (!good)
      quiet.emplace(op->getContext(), [](Diagnostic &) {});
    if ((good || report) && analysis.hasFunction(op))
      good &= succeeded(refiner.refine(op, effects));
    else
      simulate(op);
    if ((good || report) && analysis.hasAddition(op))
      good &= succeeded(refiner.refineAddition(op, effects));
    if (auto call = dyn_cast<func::CallOp>(op))
      calls.record(call, analysis, certain);
    else if (auto shape = dyn_cast<loom::ShapeOfOp>(op))
      refiner.refineShapeOf(shape);
    else if (auto map = dyn_cast<loom::MapOp>(op)) {
      sameShapes.record(map, analysis);
      refiner.refineMap(map);
    }
  }

  CallSummaries &calls;
  SameShapes &sameShapes;
  GuardReport *report;
  Refiner::Effects effects;
  bool good;
};

struct LoomRefineShapesPass
    : infer::impl::LoomRefineShapesBase<LoomRefineShapesPass> {
  using LoomRefineShapesBase::LoomRefineShapesBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (shared)
      return success();
    // Outside a pipeline, the pass loads its libraries at once.
    FailureOr<std::shared_ptr<ShapeLibrary>> loaded =
        loadLibraries(context, libraries);
    if (failed(loaded))
      return failure();
    shared = std::make_shared<ShapeLibraries>(SharedLibrary(*loaded));
    return success();
  }

  void runOnOperation() override {
    FailureOr<SharedLibrary> found = shared->get(getOperation());
    if (failed(found))
      return signalPassFailure();
    SharedLibrary library = *found;
    if (!library)
      return;
    GuardReport *report =
        CollectedReport::get(getCachedAnalysis<CollectedReport>());
    CallSummaries calls(getOperation(), library.get(), /*believes=*/true);
    bool good = true;
    for (func::FuncOp func : calls.getCallersFirst()) {
      ShapeAnalysis analysis(library.get(), &calls);
      calls.enter(func, analysis);
      auto &sameShapes = getChildAnalysis<SameShapes>(func);
      RefiningVisitor visitor(analysis, calls, sameShapes, report, good);
      good &= succeeded(visitor.run(func));
      sameShapes.setComplete();
      numRefined += visitor.refiner.numRefined;
      numConstraints += visitor.refiner.numConstraints;
      numOpen += visitor.refiner.numOpen;
      // With a report, the pipeline continues.
      if (!good && !report)
        return signalPassFailure();
    }
    if (report)
      report->isRefused |= !good;
    // Erases casts that turned out not to be needed.
    getOperation().walk([](tensor::CastOp cast) {
      if (cast->use_empty())
        cast->erase();
    });
    markAnalysesPreserved<SameShapes>();
  }

  SharedLibraries shared;
};

} // namespace

std::unique_ptr<Pass> infer::createLoomRefineShapes(SharedLibraries libraries) {
  auto pass = std::make_unique<LoomRefineShapesPass>();
  pass->shared = std::move(libraries);
  return pass;
}
