//===- LibraryFallbacks.cpp - functions that no library maps --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"
#include "dialect/ShapeFunctionOpInterface.h"
#include "infer/functions/Library.h"
#include "infer/functions/LibraryVerifier.h"
#include "infer/functions/TraitFunctions.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

//===----------------------------------------------------------------------===//
// In definitions
//===----------------------------------------------------------------------===//

/// The function that a symbol stands for.
static shape::FuncOp
lookupSymbol(SymbolRefAttr symbol,
             const llvm::StringMap<shape::FunctionLibraryOp> &libraries) {
  auto library = libraries.lookup(symbol.getRootReference().getValue());
  if (!library || symbol.getNestedReferences().size() != 1)
    return {};
  return dyn_cast_or_null<shape::FuncOp>(
      SymbolTable::lookupSymbolIn(library, symbol.getLeafReference()));
}

LogicalResult ShapeLibrary::loadAttached(StringRef operation, StringRef text) {
  std::string name = ("shape function of '" + operation + "'").str();
  if (text.starts_with("@")) {
    auto symbol =
        dyn_cast_or_null<SymbolRefAttr>(parseAttribute(text, context));
    shape::FuncOp named = symbol ? lookupSymbol(symbol, libraries) : nullptr;
    if (!named)
      return emitError(FileLineColLoc::get(context, name, 1, 1))
             << "there is no shape function " << text;
    ShapeFunction function;
    if (failed(readSignature(named, operation, function)))
      return failure();
    setFunction(operation, std::move(function));
    return success();
  }
  // The prefix stays on the text's first line, so that line numbers are those
  // of the text.
  std::string whole = ("shape.function_library @\"" + operation + "\" {" +
                       text + "\n} mapping {}")
                          .str();
  // add() verifies.
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      whole, ParserConfig(context, /*verifyAfterParse=*/false), name);
  if (!module)
    return failure();
  for (auto library : module->getOps<shape::FunctionLibraryOp>()) {
    shape::FuncOp last;
    for (auto function : library.getOps<shape::FuncOp>())
      last = function;
    if (!last)
      return library.emitError("there is no 'shape.func' in the ") << name;
    NamedAttrList mapping;
    mapping.set(operation, FlatSymbolRefAttr::get(last.getSymNameAttr()));
    library.setMappingAttr(mapping.getDictionary(context));
  }
  return add(std::move(module));
}

LogicalResult ShapeLibrary::loadAttached() {
  for (RegisteredOperationName name : context->getRegisteredOperations()) {
    auto *attached = name.getInterface<ShapeFunctionOpInterface>();
    StringRef operation = name.getStringRef();
    if (attached && !lookup(operation) && !lookupAddition(operation) &&
        failed(
            loadAttached(operation, attached->getShapeFunctionText().trim())))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// From traits and interfaces
//===----------------------------------------------------------------------===//

/// Whether `op` selects one of two whole tensors. Its traits are those of an
/// element-wise selection, but the two tensors may differ in shape.
static bool choosesTensor(Operation *op) {
  return isa<arith::SelectOp>(op) &&
         !isa<ShapedType>(op->getOperand(0).getType());
}

bool infer::mayDerive(Operation *op) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  return op->getNumResults() != 0 && op->getNumRegions() == 0 &&
         !choosesTensor(op) && !op->hasTrait<mlir::OpTrait::IsTerminator>() &&
         !isa_and_nonnull<loom::LoomDialect, tensor::TensorDialect>(
             op->getDialect()) &&
         llvm::all_of(op->getResultTypes(), isTensor) &&
         llvm::any_of(op->getOperandTypes(), isTensor);
}

const ShapeFunction *ShapeLibrary::lookupOrDerive(StringRef operation) const {
  if (const ShapeFunction *function = lookup(operation))
    return function;
  std::lock_guard<std::mutex> lock(derived.mutex);
  // Entries keep their address when others are added.
  auto [it, isNew] = derived.functions.try_emplace(operation);
  std::optional<ShapeFunction> &function = it->second;
  if (!isNew)
    return function ? &*function : nullptr;
  auto name = RegisteredOperationName::lookup(operation, context);
  if (!name)
    return nullptr;
  ShapeFunction found;
  found.hasInference = hasInference(*name);
  if (OwningOpRef<ModuleOp> module = buildTraitFunction(*name)) {
    auto library = *module->getOps<shape::FunctionLibraryOp>().begin();
    if (failed(readSignature(*library.getOps<shape::FuncOp>().begin(),
                             operation, found)))
      return nullptr;
    derived.modules.push_back(std::move(module));
  }
  if (found.op || found.hasInference)
    function = std::move(found);
  return function ? &*function : nullptr;
}
