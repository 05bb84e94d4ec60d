//===- EffectSets.cpp - what functions read and write, as sets ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/EffectSets.h"

#include "dialect/MemoryFunction.h"
#include "legalize/memory/BodyEffects.h"
#include "legalize/memory/SetReader.h"
#include "poly/Domain.h"
#include "poly/RelationAlgebra.h"
#include "poly/RelationQuestions.h"
#include "poly/RelationText.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

//===----------------------------------------------------------------------===//
// Sets of one function
//===----------------------------------------------------------------------===//

EffectSet legalize::getEffectSet(const loom::DeclaredSet &declared) {
  loom::AccessSetAttr access = declared.access;
  return {access.getArgument(),
          declared.kind,
          access.getRelation().getRelation(),
          llvm::to_vector(access.getScalars()),
          nullptr,
          ""};
}

/// All that tells a set of a function from its other ones.
static std::string getText(const EffectSet &set) {
  std::string text = std::to_string(set.argument) +
                     loom::getKey(set.kind).str() + std::to_string(set.room) +
                     (set.comparesExtents ? "e" : "") +
                     (set.comparesUnknown ? "u" : "");
  for (loom::ScalarReference scalar : set.scalars)
    text += "," + std::to_string(scalar.argument) + ":" +
            std::to_string(scalar.axis);
  return text + poly::print(set.set);
}

void FunctionEffects::add(EffectSet set) {
  Key key(set.argument, set.kind.isWrite);
  if (set.set.getParts().empty() || (!set.kind.isSure && all.contains(key)))
    return;
  OfKey &known = ofKeys[key];
  // Most arguments have one set, which is compared with none.
  if (!known.sets.empty()) {
    if (known.texts.empty())
      for (auto other : known.sets)
        known.texts.insert(getText(*other));
    if (!known.texts.insert(getText(set)).second)
      return;
  }
  known.sets.push_back(sets.insert(sets.end(), std::move(set)));
}

SmallVector<const EffectSet *> FunctionEffects::getSets(unsigned argument,
                                                        bool isWrite) const {
  SmallVector<const EffectSet *> result;
  if (auto it = ofKeys.find({argument, isWrite}); it != ofKeys.end())
    for (auto set : it->second.sets)
      result.push_back(&*set);
  return result;
}

/// The set of all elements.
static EffectSet makeAll(const ScalarNames &names, unsigned argument,
                         MemRefType type) {
  EffectSet set{argument, {false, false}, poly::Relation({}), {}, nullptr, ""};
  poly::Signature signature;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    signature.outputs.push_back(ScalarNames::getOutput(axis));
    if (!type.isDynamicDim(axis))
      continue;
    set.scalars.push_back({argument, axis});
    signature.symbols.push_back(names.get(set.scalars.back()));
  }
  set.set = poly::Relation(signature);
  poly::Rows rows;
  for (int64_t axis = 0, next = 0; axis < type.getRank(); ++axis) {
    poly::Form extent = type.isDynamicDim(axis)
                            ? set.set.getSymbol(next++)
                            : poly::Form(type.getDimSize(axis));
    poly::addInside(set.set.getOutput(axis), extent, rows);
  }
  set.set.addPart(std::move(rows));
  return set;
}

void FunctionEffects::addAll(func::FuncOp func, const ScalarNames &names,
                             unsigned argument, bool isWrite, Operation *op,
                             StringRef because) {
  auto type = dyn_cast<MemRefType>(func.getArgumentTypes()[argument]);
  if (!type || !all.insert({argument, isWrite}).second)
    return;
  OfKey &known = ofKeys[{argument, isWrite}];
  llvm::erase_if(known.sets, [&](auto set) {
    bool isIn = !set->kind.isSure;
    if (isIn)
      sets.erase(set);
    return isIn;
  });
  EffectSet set = makeAll(names, argument, type);
  set.kind.isWrite = isWrite;
  set.op = op;
  set.because = because.str();
  set.isAll = true;
  known.sets.push_back(sets.insert(sets.end(), std::move(set)));
}

//===----------------------------------------------------------------------===//
// All functions
//===----------------------------------------------------------------------===//

EffectSets::EffectSets(ModuleOp module) {
  for (auto func : module.getOps<func::FuncOp>())
    symbols[func.getSymNameAttr()] = func;
  for (auto func : module.getOps<func::FuncOp>())
    visit(func, begun, [&](func::FuncOp next) {
      functions[next] = next.isExternal() ? readDeclared(next) : readBody(next);
      if (!next.isExternal())
        bodies.push_back(next);
    });
}

/// Reads functions that `func` calls in front of it, and each once. One that is
/// being read calls itself: what such a call does is unknown.
void EffectSets::visit(func::FuncOp func, llvm::DenseSet<Operation *> &begun,
                       llvm::function_ref<void(func::FuncOp)> read) const {
  struct Visit {
    func::FuncOp func;
    SmallVector<func::FuncOp> callees;
  };
  SmallVector<Visit> open;
  auto begin = [&](func::FuncOp func) {
    if (!func || !begun.insert(func).second)
      return;
    open.push_back({func, {}});
    func.walk([&](func::CallOp call) {
      open.back().callees.push_back(
          symbols.lookup(call.getCalleeAttr().getAttr()));
    });
    // What tells the effects of a function without a body.
    if (FlatSymbolRefAttr name = loom::getSummary(func))
      open.back().callees.push_back(symbols.lookup(name.getAttr()));
  };
  begin(func);
  while (!open.empty()) {
    if (!open.back().callees.empty()) {
      begin(open.back().callees.pop_back_val());
      continue;
    }
    read(open.pop_back_val().func);
  }
}

const FunctionEffects *EffectSets::find(func::FuncOp func) const {
  auto it = functions.find(func);
  return it == functions.end() ? nullptr : &it->second;
}

/// Whether a function has a body, or declares what it does.
bool EffectSets::isKnown(func::FuncOp func) const {
  if (!func.isExternal() || loom::declaresSets(func))
    return true;
  return bool(getSummary(func));
}

func::FuncOp EffectSets::getSummary(func::FuncOp func) const {
  FlatSymbolRefAttr name = loom::getSummary(func);
  func::FuncOp summary = name ? symbols.lookup(name.getAttr()) : func::FuncOp();
  return summary && !summary.isExternal() && loom::fitsEffects(func, summary)
             ? summary
             : func::FuncOp();
}

FunctionEffects EffectSets::readBody(func::FuncOp func) {
  return readBodyEffects(
      func, moreSets, [&](func::CallOp call) -> const FunctionEffects * {
        func::FuncOp callee = symbols.lookup(call.getCalleeAttr().getAttr());
        return callee && isKnown(callee) ? find(callee) : nullptr;
      });
}

FunctionEffects EffectSets::readDeclared(func::FuncOp func) const {
  FunctionEffects effects;
  loom::EffectPromises promises = loom::getPromises(func);
  BrokenPromise notSaid{func, "does not say so"};
  if (!promises.isDeterministic)
    effects.notDeterministic = notSaid;
  if (!promises.isReentrant)
    effects.notReentrant = notSaid;
  for (const loom::DeclaredSet &declared : loom::getDeclaredSets(func))
    effects.add(getEffectSet(declared));
  func::FuncOp summary = getSummary(func);
  const FunctionEffects *told = summary ? find(summary) : nullptr;
  if (!told)
    return effects;
  for (EffectSet set : told->getSets()) {
    // A library may do less than its summary says. ffi-7
    if (!promises.isExact)
      set.kind.isSure = set.kind.isFirst = false;
    set.op = nullptr;
    effects.add(std::move(set));
  }
  return effects;
}

//===----------------------------------------------------------------------===//
// Relations
//===----------------------------------------------------------------------===//

/// The body that tells what a call checks, if there is one.
func::FuncOp EffectSets::getCalled(func::CallOp call) const {
  func::FuncOp callee = symbols.lookup(call.getCalleeAttr().getAttr());
  return callee && callee.isExternal() ? getSummary(callee) : callee;
}

template <typename Map>
static const typename Map::mapped_type *findIn(const Map &map,
                                               func::FuncOp func) {
  auto it = map.find(func);
  return it == map.end() ? nullptr : &it->second;
}

void EffectSets::readAssumptions() {
  for (func::FuncOp func : bodies) {
    ScalarNames names(func);
    EffectSet read =
        SetReader(func, names).readAssumptions([&](func::CallOp call) {
          return findIn(assumptions, getCalled(call));
        });
    assumptions.try_emplace(func, std::move(read));
  }
}

const FailingCalls &EffectSets::getFailing(func::FuncOp func) {
  visit(func, begunFailing, [&](func::FuncOp next) {
    if (next.isExternal())
      return;
    ScalarNames names(next);
    FailingCalls read = SetReader(next, names)
                            .readFailing(
                                [&](func::CallOp call) {
                                  return findIn(assumptions, getCalled(call));
                                },
                                [&](func::CallOp call) {
                                  return findIn(failing, getCalled(call));
                                });
    failing.try_emplace(next, std::move(read));
  });
  return failing.find(func)->second;
}

poly::Relation legalize::unite(const ScalarNames &names, unsigned rank,
                               ArrayRef<const EffectSet *> sets,
                               ArrayRef<loom::ScalarReference> more) {
  SmallVector<loom::ScalarReference> scalars;
  auto add = [&](loom::ScalarReference scalar) {
    if (!llvm::is_contained(scalars, scalar))
      scalars.push_back(scalar);
  };
  llvm::for_each(more, add);
  for (const EffectSet *set : sets)
    llvm::for_each(set->scalars, add);
  poly::Signature signature;
  for (loom::ScalarReference scalar : scalars)
    signature.symbols.push_back(names.get(scalar));
  for (unsigned axis = 0; axis < rank; ++axis)
    signature.outputs.push_back(ScalarNames::getOutput(axis));
  poly::Relation result(signature);
  for (const EffectSet *set : sets) {
    std::vector<poly::Form> base;
    for (loom::ScalarReference scalar : set->scalars)
      base.push_back(
          result.getSymbol(llvm::find(scalars, scalar) - scalars.begin()));
    // What has no outputs is about all elements.
    if (!set->set.getSignature().outputs.empty())
      llvm::append_range(base, result.getOutputs());
    poly::Import import(set->set, result.getSpace(), std::move(base));
    for (const poly::Rows &part : set->set.getParts())
      result.addPart(import.take(part));
  }
  return result;
}

bool legalize::isReadNowhere(const EffectSet &set, const FunctionEffects &in,
                             const ScalarNames &names, unsigned rank) {
  SmallVector<const EffectSet *> read =
      in.getSets(set.argument, /*isWrite=*/false);
  if (read.empty())
    return true;
  poly::RelationResult both =
      poly::intersect(unite(names, rank, {&set}), unite(names, rank, read));
  return both.relation && poly::isEmpty(*both.relation).truth == Truth::Proved;
}

loom::AccessSetAttr legalize::getAttribute(MLIRContext *context,
                                           const EffectSet &set) {
  return loom::AccessSetAttr::get(context, set.argument,
                                  loom::RelationAttr::get(context, set.set),
                                  set.scalars);
}
