//===- UnusedSummaries.cpp - functions that only tell effects -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/UnusedSummaries.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace broadloom;

void legalize::eraseUnusedSummaries(ModuleOp module,
                                    ArrayRef<func::FuncOp> summaries) {
  auto all = SymbolTable::getSymbolUses(&module.getBodyRegion());
  // An operation of a dialect that is not known may name any function.
  if (summaries.empty() || !all || module->hasAttr(kLeavesOthers))
    return;
  llvm::DenseMap<Attribute, unsigned> uses;
  for (const SymbolTable::SymbolUse &use : *all)
    ++uses[use.getSymbolRef().getRootReference()];
  SymbolTable symbols(module);
  llvm::SetVector<func::FuncOp> unused(summaries.begin(), summaries.end());
  unused.remove_if([&](func::FuncOp func) {
    return !func.isPrivate() || uses.lookup(func.getNameAttr()) != 0;
  });
  for (size_t i = 0; i < unused.size(); ++i) {
    auto used = SymbolTable::getSymbolUses(unused[i]);
    if (!used)
      return;
    for (const SymbolTable::SymbolUse &use : *used) {
      StringAttr name = use.getSymbolRef().getRootReference();
      auto callee = symbols.lookup<func::FuncOp>(name);
      if (--uses[name] == 0 && callee && callee.isPrivate() &&
          !callee.isExternal())
        unused.insert(callee);
    }
  }
  for (func::FuncOp func : unused)
    symbols.erase(func);
}
