//===- MangleSymbols.cpp - a program's symbols get prefixes ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/Passes.h"
#include "codegen/SymbolNames.h"
#include "codegen/abi/CheckCalls.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/SymbolTable.h"

namespace broadloom::codegen {
#define GEN_PASS_DEF_LOOMMANGLESYMBOLS
#include "codegen/Passes.h.inc"
} // namespace broadloom::codegen

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

namespace {

struct LoomMangleSymbolsPass
    : codegen::impl::LoomMangleSymbolsBase<LoomMangleSymbolsPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(checkCalls(module)))
      return signalPassFailure();
    for (auto func : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (func.isExternal())
        func.erase();
    DenseMap<StringAttr, StringAttr> symbols;
    for (Operation &op : module.getOps())
      if (auto symbol = dyn_cast<SymbolOpInterface>(op))
        if (StringAttr name = symbol.getNameAttr())
          symbols[name] = mangle(symbol);
    updateUses(symbols);
  }

private:
  static StringAttr mangle(SymbolOpInterface symbol) {
    StringRef prefix =
        isa<func::FuncOp>(symbol) ? kFunctionPrefix : kGlobalPrefix;
    symbol.setName((prefix + symbol.getName()).str());
    return symbol.getNameAttr();
  }

  /// Renames all symbols in one walk; MLIR's own function walks once per
  /// symbol.
  void updateUses(const DenseMap<StringAttr, StringAttr> &symbols) {
    AttrTypeReplacer replacer;
    replacer.addReplacement(
        [&](SymbolRefAttr use) -> std::pair<Attribute, WalkResult> {
          StringAttr to = symbols.lookup(use.getRootReference());
          return {to ? SymbolRefAttr::get(to, use.getNestedReferences()) : use,
                  WalkResult::skip()};
        });
    getOperation().walk(
        [&](SymbolUserOpInterface user) { replacer.replaceElementsIn(user); });
  }
};

} // namespace
