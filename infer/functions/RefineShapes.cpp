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
    Refiner refiner(*library);
    auto result = getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      return failed(refiner.refine(op, {obligations})) ? WalkResult::interrupt()
                                                       : WalkResult::advance();
    });
    numRefined += refiner.numRefined;
    numObliged += refiner.numObliged;
    numOpen += refiner.numOpen;
    if (result.wasInterrupted())
      return signalPassFailure();
    // Casts for users that turned out not to need them.
    getOperation().walk([](tensor::CastOp cast) {
      if (cast->use_empty())
        cast->erase();
    });
  }

  std::shared_ptr<const ShapeLibrary> library;
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
infer::createLoomRefineShapes(std::shared_ptr<const ShapeLibrary> library) {
  auto pass = std::make_unique<LoomRefineShapesPass>();
  pass->library = std::move(library);
  return pass;
}
