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

namespace {

/// The operations of a module that others name. Several may have one name: that
/// error is reported later.
class Reached {
public:
  explicit Reached(ModuleOp module) {
    for (Operation &op : module.getOps()) {
      named[getSymbol(&op)].push_back(&op);
      ++all;
    }
  }

  bool has(StringRef symbol) const { return named.contains(symbol); }
  void add(StringRef symbol) {
    if (auto it = named.find(symbol); it != named.end())
      reached.insert_range(it->second);
  }
  void add(Operation *op) { reached.insert(op); }
  /// Adds what these name, directly or not.
  ArrayRef<Operation *> close() {
    for (size_t i = 0; i < reached.size() && reached.size() < all; ++i)
      reached[i]->walk([&](Operation *op) {
        op->getAttrDictionary().walk(
            [&](SymbolRefAttr use) { add(use.getRootReference().getValue()); });
      });
    return reached.getArrayRef();
  }

private:
  llvm::StringMap<SmallVector<Operation *, 1>> named;
  llvm::SetVector<Operation *> reached;
  size_t all = 0;
};

} // namespace

void broadloom::keepReachable(ModuleOp module, StringRef name) {
  Reached reached(module);
  if (name.empty() || !reached.has(name))
    return;
  reached.add(name);
  ArrayRef<Operation *> all = reached.close();
  llvm::SmallPtrSet<Operation *, 16> kept(all.begin(), all.end());
  for (auto func : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (!kept.contains(func))
      func.erase();
}

llvm::SmallPtrSet<Operation *, 16> broadloom::findNeeded(ModuleOp module) {
  Reached reached(module);
  for (Operation &op : module.getOps())
    if (auto func = dyn_cast<func::FuncOp>(op); !func || func.isPublic())
      reached.add(&op);
  ArrayRef<Operation *> all = reached.close();
  return {all.begin(), all.end()};
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
