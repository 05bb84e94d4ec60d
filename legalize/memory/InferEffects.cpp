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

#include "llvm/ADT/StringMap.h"

namespace broadloom::legalize {
#define GEN_PASS_DEF_LOOMINFEREFFECTS
#include "legalize/Passes.h.inc"
} // namespace broadloom::legalize

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

/// The lists that are not empty, and the words that hold.
static DictionaryAttr getEntries(func::FuncOp func,
                                 const FunctionEffects &effects) {
  MLIRContext *context = func.getContext();
  const ScalarNames names(func);
  // What is surely accessed is so in one list.
  llvm::SmallDenseSet<std::pair<Attribute, unsigned>> sure;
  llvm::StringMap<SmallVector<Attribute>> lists;
  auto add = [&](const EffectSet &set) {
    loom::EffectKind kind = set.kind;
    Attribute entry = getAttribute(context, set);
    bool isInSure = sure.contains({entry, kind.isWrite});
    if (kind.isSure)
      sure.insert({entry, kind.isWrite});
    else if (isInSure)
      return;
    auto type = cast<MemRefType>(func.getArgumentTypes()[set.argument]);
    kind.isFirst = kind.isWrite && kind.isSure &&
                   isReadNowhere(set, effects, names, type.getRank());
    lists[loom::getKey(kind)].push_back(entry);
  };
  for (bool isSure : {true, false})
    for (const EffectSet &set : effects.getSets())
      if (set.kind.isSure == isSure)
        add(set);
  NamedAttrList entries;
  for (auto &[key, list] : lists)
    entries.append(key, ArrayAttr::get(context, list));
  if (!effects.notDeterministic)
    entries.append(loom::kDeterministic, UnitAttr::get(context));
  if (!effects.notReentrant)
    entries.append(loom::kReentrant, UnitAttr::get(context));
  return entries.getDictionary(context);
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
    func->setAttr(loom::kEffects, getEntries(func, effects));
  }
};

} // namespace
