//===- InferEffects.cpp - declares what functions read and write ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/MemoryFunction.h"
#include "legalize/LegalizationPass.h"
#include "legalize/Passes.h"
#include "legalize/memory/EffectSets.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMINFEREFFECTS
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

/// The lists that are not empty.
static DictionaryAttr getLists(const FunctionEffects &effects,
                               MLIRContext *context) {
  NamedAttrList lists;
  auto getEntries = [&](loom::EffectKind kind) {
    SmallVector<Attribute> entries;
    for (const EffectSet &set : effects.getSets())
      if (set.kind == kind)
        entries.push_back(getAttribute(context, set));
    return entries;
  };
  for (loom::EffectKind kind : loom::kEffectKinds) {
    SmallVector<Attribute> entries = getEntries(kind);
    // What is surely accessed is so in one list.
    if (!kind.isSure) {
      SmallVector<Attribute> sure = getEntries({kind.isWrite, true});
      llvm::erase_if(entries, [&](Attribute entry) {
        return llvm::is_contained(sure, entry);
      });
    }
    if (!entries.empty())
      lists.append(loom::getKey(kind), ArrayAttr::get(context, entries));
  }
  return lists.getDictionary(context);
}

namespace {

struct LoomInferEffectsPass
    : legalize::impl::LoomInferEffectsBase<LoomInferEffectsPass> {
  using LoomInferEffectsBase::LoomInferEffectsBase;

  LogicalResult apply(ModuleOp module) override {
    for (auto func : module.getOps<func::FuncOp>())
      if (failed(loom::verifyDeclaredSets(func)))
        return failure();
    EffectSets effects(module);
    for (auto func : module.getOps<func::FuncOp>())
      if (!func.isExternal())
        declare(func, *effects.find(func));
    return success();
  }

private:
  static void declare(func::FuncOp func, const FunctionEffects &effects) {
    ArrayRef<Type> types = func.getArgumentTypes();
    if (llvm::none_of(types, llvm::IsaPred<BaseMemRefType>))
      return;
    auto unranked = llvm::find_if(types, llvm::IsaPred<UnrankedMemRefType>);
    if (unranked != types.end()) {
      func.emitWarning("the effects of '@")
          << func.getName() << "' are not inferred: argument "
          << (unranked - types.begin()) << " is memory of an unknown rank";
      return;
    }
    func->setAttr(loom::kEffects, getLists(effects, func.getContext()));
  }
};

} // namespace
