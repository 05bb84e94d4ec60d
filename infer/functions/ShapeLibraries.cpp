//===- ShapeLibraries.cpp - the shape functions of a program --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/ShapeLibraries.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// Whether legalization left operations that the library for TOSA maps.
static bool hasTosa(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        bool isKnown = isa_and_nonnull<tosa::TosaDialect>(op->getDialect()) &&
                       !isa<tosa::ConstShapeOp>(op);
        return isKnown ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

FailureOr<SharedLibrary> ShapeLibraries::load(MLIRContext *context) {
  if (loaded)
    return loaded;
  auto library = loadLibraries(context, files);
  if (failed(library))
    return failure();
  loaded = std::move(*library);
  return loaded;
}

FailureOr<SharedLibrary> ShapeLibraries::getUsers(MLIRContext *context) {
  return hasUsers() ? load(context) : SharedLibrary();
}

FailureOr<SharedLibrary> ShapeLibraries::get(ModuleOp module) {
  return hasUsers() || hasTosa(module) ? load(module.getContext())
                                       : SharedLibrary();
}
