//===- Signatures.cpp - what the functions of a program take and give -----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/abi/ElementTypes.h"
#include "dialect/LoomDialect.h"
#include "dialect/ShapeConversion.h"
#include "driver/CompilerImpl.h"
#include "infer/queries/ShapeQuery.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace broadloom;

static LogicalResult readType(func::FuncOp func, StringRef what, unsigned index,
                              Type type, TensorSignature &signature) {
  auto tensor = dyn_cast<TensorType>(type);
  Type element = tensor ? tensor.getElementType() : type;
  std::optional<BroadloomElementType> known = codegen::getRuntimeType(element);
  if (!known || (isa<ShapedType>(type) && !tensor))
    return func.emitError() << what << " " << index << " of '" << func.getName()
                            << "' has type " << type
                            << ", which has no form outside the program; make "
                               "it a tensor of an element type of 1, 8, 16, 32 "
                               "or 64 bits";
  signature.elementType = *known;
  signature.signless = element.isSignlessInteger();
  if (tensor)
    signature.shape = *shapeOf(tensor);
  if (signature.shape.isRanked() && signature.shape.rank() > BROADLOOM_MAX_RANK)
    return func.emitError()
           << what << " " << index << " of '" << func.getName() << "' has "
           << signature.shape.rank() << " axes; at most " << BROADLOOM_MAX_RANK
           << " are possible";
  return success();
}

/// The axes' names.
static std::vector<std::string> getNames(loom::ExtentsAttr extents) {
  std::vector<std::string> names;
  if (extents)
    for (int64_t axis : llvm::seq(extents.getRank())) {
      auto name = extents.getName(axis);
      names.push_back(name ? extents.getNames()[*name].str() : "");
    }
  return names;
}

bool broadloom::readSignatures(ModuleOp module,
                               std::vector<FunctionSignature> &signatures) {
  for (auto func : module.getOps<func::FuncOp>()) {
    if (func.isExternal() || !func.isPublic())
      continue;
    FunctionSignature &signature = signatures.emplace_back();
    signature.name = func.getName().str();
    for (auto [i, type] : llvm::enumerate(func.getArgumentTypes())) {
      TensorSignature &argument = signature.arguments.emplace_back();
      if (failed(readType(func, "argument", i, type, argument)))
        return false;
      argument.names = getNames(
          func.getArgAttrOfType<loom::ExtentsAttr>(i, loom::ExtentsAttr::kKey));
    }
    for (auto [i, type] : llvm::enumerate(func.getResultTypes()))
      if (failed(readType(func, "result", i, type,
                          signature.results.emplace_back())))
        return false;
  }
  return true;
}

void broadloom::noteObstacles(ModuleOp module,
                              std::vector<FunctionSignature> &functions) {
  SymbolTable symbols(module);
  for (FunctionSignature &function : functions)
    if (auto why = symbols.lookup(function.name)
                       ->getAttrOfType<StringAttr>(infer::kNoShapeQuery))
      function.whyNoShapes = why.getValue();
}
