//===- RefineShapes.cpp - result types from shape functions ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/LibraryVerifier.h"
#include "infer/functions/Passes.h"
#include "infer/functions/Refiner.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace broadloom::infer {
#define GEN_PASS_DEF_LOOMREFINESHAPES
#define GEN_PASS_DEF_LOOMVERIFYSHAPELIBRARY
#include "infer/functions/Passes.h.inc"
} // namespace broadloom::infer

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

struct LoomRefineShapesPass
    : infer::impl::LoomRefineShapesBase<LoomRefineShapesPass> {
  using LoomRefineShapesBase::LoomRefineShapesBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (library)
      return success();
    FailureOr<std::shared_ptr<ShapeLibrary>> loaded =
        loadLibraries(context, libraries);
    if (failed(loaded))
      return failure();
    library = std::move(*loaded);
    return success();
  }

  void runOnOperation() override {
    Refiner refiner(*library, report);
    refiner.nameArguments(getOperation());
    bool good = true;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      good &= succeeded(refiner.refine(op, {obligations}));
      // A report has all that is wrong.
      return good || report ? WalkResult::advance() : WalkResult::interrupt();
    });
    numRefined += refiner.numRefined;
    numObliged += refiner.numObliged;
    numOpen += refiner.numOpen;
    // Whoever asks for a report reads what is wrong there.
    if (!good && !report)
      return signalPassFailure();
    // Casts for users that turned out not to need them.
    getOperation().walk([](tensor::CastOp cast) {
      if (cast->use_empty())
        cast->erase();
    });
  }

  std::shared_ptr<const ShapeLibrary> library;
  GuardReport *report = nullptr;
};

struct LoomVerifyShapeLibraryPass
    : infer::impl::LoomVerifyShapeLibraryBase<LoomVerifyShapeLibraryPass> {
  void runOnOperation() override {
    ShapeLibrary library(&getContext());
    if (failed(LibraryVerifier(library).verify(getOperation())))
      signalPassFailure();
  }
};

} // namespace

std::unique_ptr<Pass>
infer::createLoomRefineShapes(std::shared_ptr<const ShapeLibrary> library,
                              GuardReport *report) {
  auto pass = std::make_unique<LoomRefineShapesPass>();
  pass->library = std::move(library);
  pass->report = report;
  return pass;
}
