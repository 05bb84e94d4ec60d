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

FailureOr<SharedLibrary> ShapeLibraries::load(MLIRContext *context) {
  if (loaded && isWhole)
    return loaded;
  auto library = loadLibraries(context, files);
  if (failed(library))
    return failure();
  loaded = std::move(*library);
  isWhole = true;
  return loaded;
}

FailureOr<SharedLibrary> ShapeLibraries::getUsers(MLIRContext *context) {
  return hasUsers() ? load(context) : SharedLibrary();
}

FailureOr<SharedLibrary> ShapeLibraries::get(ModuleOp module) {
  MLIRContext *context = module.getContext();
  if (hasUsers())
    return load(context);
  bool isComplete = true, hasTosa = false;
  module.walk([&](Operation *op) {
    if (!op->isRegistered() || !isa<tosa::TosaDialect>(op->getDialect()))
      return;
    isComplete &= !operations.insert(op->getName().getStringRef()).second;
    // Legalization leaves these for their users.
    hasTosa |= !isa<tosa::ConstShapeOp>(op);
  });
  if (!hasTosa)
    return SharedLibrary();
  if (loaded && (isWhole || isComplete))
    return loaded;
  // An attached function may name any of the built-in library.
  if (hasAttachedFunctions(context))
    return load(context);
  auto library = std::make_shared<ShapeLibrary>(context);
  if (failed(library->loadTosa(&operations)))
    return failure();
  loaded = std::move(library);
  return loaded;
}
