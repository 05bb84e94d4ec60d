//===- Reachable.cpp - the functions that are needed ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/steps/Reachable.h"

#include "driver/FunctionSignature.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace broadloom;

/// Empty if the operation has no name, which no verifier has checked yet.
static StringRef getSymbol(Operation *op) {
  auto name = op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName());
  return name ? name.getValue() : StringRef();
}

void broadloom::keepReachable(ModuleOp module, StringRef name) {
  // Several functions may have one name: that error is reported later.
  llvm::StringMap<SmallVector<Operation *, 1>> named;
  size_t all = 0;
  for (Operation &op : module.getOps()) {
    named[getSymbol(&op)].push_back(&op);
    ++all;
  }
  if (name.empty() || !named.contains(name))
    return;
  llvm::SetVector<Operation *> reached;
  auto reach = [&](StringRef symbol) {
    if (auto it = named.find(symbol); it != named.end())
      reached.insert_range(it->second);
  };
  reach(name);
  for (size_t i = 0; i < reached.size() && reached.size() < all; ++i)
    reached[i]->walk([&](Operation *op) {
      op->getAttrDictionary().walk(
          [&](SymbolRefAttr use) { reach(use.getRootReference().getValue()); });
    });
  for (auto func : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (!reached.contains(func))
      func.erase();
}

void broadloom::keepQueried(ModuleOp module, const std::string &name) {
  std::vector<FunctionSignature> functions;
  for (auto func : module.getOps<func::FuncOp>())
    if (StringRef symbol = getSymbol(func);
        !symbol.empty() && func.isPublic() && !func.isExternal())
      functions.emplace_back().name = symbol.str();
  if (const FunctionSignature *queried = findFunction(functions, name))
    keepReachable(module, queried->name);
}
