//===- Reachable.cpp - the functions that somebody wants ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/CompilerImpl.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace broadloom;

const FunctionSignature *
broadloom::findFunction(const std::vector<FunctionSignature> &functions,
                        std::string_view name) {
  if (name.empty()) {
    if (functions.size() == 1)
      return &functions.front();
    name = "main";
  }
  for (const FunctionSignature &function : functions)
    if (function.name == name)
      return &function;
  return nullptr;
}

void broadloom::keepReachable(ModuleOp module, StringRef name) {
  SymbolTable symbols(module);
  llvm::SetVector<Operation *> reached;
  reached.insert(symbols.lookup(name));
  for (size_t i = 0; i < reached.size(); ++i) {
    auto uses = SymbolTable::getSymbolUses(reached[i]);
    if (!uses)
      return;
    for (SymbolTable::SymbolUse use : *uses)
      if (Operation *used =
              symbols.lookup(use.getSymbolRef().getRootReference()))
        reached.insert(used);
  }
  for (auto func : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (!reached.contains(func))
      func.erase();
}
