//===- DeriveShapes.cpp - shape functions from references -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/queries/DeriveShapes.h"

#include "infer/queries/ShapeFunctionWriter.h"
#include "legalize/user/References.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace broadloom;

/// Whether the library has a function for just this operation.
static bool hasOwnFunction(const infer::ShapeLibrary &library, StringRef key) {
  return llvm::is_contained(library.getOperations(), key);
}

OwningOpRef<ModuleOp>
broadloom::takeReferences(const infer::ShapeLibrary &library) {
  ModuleOp text = library.getModules().back();
  OwningOpRef<ModuleOp> module = ModuleOp::create(text.getLoc());
  llvm::StringSet<> seen;
  for (auto function : text.getOps<func::FuncOp>()) {
    auto copy = function.clone();
    module->push_back(copy);
    auto key = function->getAttrOfType<StringAttr>(infer::kImplementsAttr);
    bool isWanted =
        key && !hasOwnFunction(library, key) && seen.insert(key).second;
    // With other attributes the shapes may differ. The mark moves to the
    // function, because the operation will be replaced.
    copy.walk([&](Operation *inner) {
      if (inner->hasAttr(legalize::kTakenAttributes))
        copy->setAttr(legalize::kTakenAttributes,
                      UnitAttr::get(copy.getContext()));
    });
    if (!isWanted)
      copy->removeAttr(infer::kImplementsAttr);
    copy.setVisibility(isWanted ? SymbolTable::Visibility::Public
                                : SymbolTable::Visibility::Private);
  }
  return module;
}

OwningOpRef<ModuleOp> broadloom::writeShapeLibrary(ModuleOp module) {
  llvm::StringMap<func::FuncOp> queries;
  for (auto function : module.getOps<func::FuncOp>())
    if (auto info = infer::readQueryOfShapes(function))
      queries[info->of] = function;

  OwningOpRef<ModuleOp> made = ModuleOp::create(module.getLoc());
  OpBuilder builder = OpBuilder::atBlockEnd(made->getBody());
  // Upstream's builder does not create the region.
  OperationState state(module.getLoc(),
                       shape::FunctionLibraryOp::getOperationName());
  shape::FunctionLibraryOp::build(builder, state, "derived");
  state.addRegion()->emplaceBlock();
  auto library = cast<shape::FunctionLibraryOp>(builder.create(state));
  NamedAttrList mapping;
  bool good = true;
  for (auto function : module.getOps<func::FuncOp>()) {
    auto key = function->getAttrOfType<StringAttr>(infer::kImplementsAttr);
    if (!key)
      continue;
    StringRef name = function.getName();
    legalize::Reference reference = legalize::getSignature(function);
    std::optional<std::string> obstacle;
    if (reference.isScalar)
      infer::writeElementwiseFunction(function, reference.numOperands, name,
                                      library);
    else if (function->hasAttr(legalize::kTakenAttributes))
      obstacle = "one of its operations takes an attribute";
    else if (func::FuncOp query = queries.lookup(name))
      obstacle = infer::writeShapeFunction(query, reference.numOperands, name,
                                           library);
    else if (auto why =
                 function->getAttrOfType<StringAttr>(infer::kNoShapeQuery))
      obstacle = why.str();
    else
      obstacle = "it has no query";
    if (obstacle) {
      function.emitError("no shape function of '")
          << key.getValue() << "' follows from '@" << name
          << "': " << *obstacle;
      good = false;
    }
    mapping.append(key, FlatSymbolRefAttr::get(function.getContext(), name));
  }
  if (mapping.empty()) {
    module.emitError("there is no reference implementation here whose "
                     "operation has no shape function");
    return nullptr;
  }
  library.setMappingAttr(mapping.getDictionary(module.getContext()));
  if (!good)
    return nullptr;
  return made;
}
