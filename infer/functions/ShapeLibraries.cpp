//===- ShapeLibraries.cpp - the shape functions of a program --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/ShapeLibraries.h"
#include "dialect/ShapeFunctionOpInterface.h"
#include "infer/functions/ConverterTexts.h"
#include "infer/functions/TraitFunctions.h"

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
  loaded = own = std::move(*library);
  isWhole = true;
  return loaded;
}

FailureOr<SharedLibrary> ShapeLibraries::getUsers(MLIRContext *context) {
  return hasUsers() ? load(context) : SharedLibrary();
}

LogicalResult ShapeLibraries::complete(ModuleOp module) {
  if (failed(load(module.getContext())))
    return failure();
  if (!own)
    return success();
  // The dialects of the program may have been loaded behind the library.
  if (failed(own->loadAttached()))
    return failure();
  // References of the user's texts may use such operations, too.
  std::vector<ModuleOp> modules = own->getModules();
  modules.push_back(module);
  bool good = true;
  for (ModuleOp text : modules)
    text.walk([&](tosa::CustomOp op) {
      good = good && succeeded(loadConverterText(*own, getOperationKey(op)));
    });
  return success(good);
}

// lib-3
FailureOr<SharedLibrary> ShapeLibraries::get(ModuleOp module) {
  bool isComplete = true, needsFunctions = false, needsAll = hasUsers();
  module.walk([&](Operation *op) {
    auto name = op->getName().getRegisteredInfo();
    if (!name)
      return;
    // An attached function may name any of the built-in library, and the texts
    // for custom operations are added to a whole library.
    needsAll |= name->hasInterface<ShapeFunctionOpInterface>() ||
                isa<tosa::CustomOp>(op);
    if (!isa<tosa::TosaDialect>(op->getDialect())) {
      needsFunctions |= mayDerive(op) && canDerive(*name);
      return;
    }
    isComplete &= !operations.insert(name->getStringRef()).second;
    // Legalization leaves these for their users.
    needsFunctions |= !isa<tosa::ConstShapeOp>(op);
  });
  if (needsAll) {
    if (failed(complete(module)))
      return failure();
    return loaded;
  }
  if (!needsFunctions)
    return SharedLibrary();
  if (loaded && (isWhole || isComplete))
    return loaded;
  auto library = std::make_shared<ShapeLibrary>(module.getContext());
  if (failed(library->loadTosa(&operations)))
    return failure();
  loaded = own = std::move(library);
  return loaded;
}
