//===- EffectSets.cpp - what functions read and write, as sets ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/EffectSets.h"

#include "dialect/MemoryFunction.h"
#include "dialect/MemoryViews.h"
#include "legalize/memory/SetReader.h"
#include "poly/Domain.h"
#include "poly/RelationText.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

/// Accesses of one argument that are read; with more, all elements may be
/// accessed.
static constexpr size_t kMostAccesses = 128;

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

void FunctionEffects::add(EffectSet set) {
  std::pair<unsigned, unsigned> key(set.argument, set.kind.isWrite);
  if (set.set.getParts().empty() || (!set.kind.isSure && all.contains(key)))
    return;
  std::string text =
      std::to_string(set.argument) + loom::getKey(set.kind).str();
  for (loom::ScalarReference scalar : set.scalars)
    text += "," + std::to_string(scalar.argument) + ":" +
            std::to_string(scalar.axis);
  if (texts.insert(text + poly::print(set.set)).second)
    sets.push_back(std::move(set));
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
  llvm::erase_if(sets, [&](const EffectSet &set) {
    return set.argument == argument && set.kind.isWrite == isWrite &&
           !set.kind.isSure;
  });
  EffectSet set = makeAll(names, argument, type);
  set.kind.isWrite = isWrite;
  set.op = op;
  set.because = because.str();
  sets.push_back(std::move(set));
}

//===----------------------------------------------------------------------===//
// Bodies
//===----------------------------------------------------------------------===//

namespace {

/// Collects the sets of one body.
class BodyReader {
public:
  /// Null if nothing is known of a function.
  using Find = llvm::function_ref<const FunctionEffects *(func::CallOp)>;

  BodyReader(func::FuncOp func, Find find)
      : func(func), names(func), reader(func, names), find(find) {}

  FunctionEffects run() {
    func.walk([&](Operation *op) {
      if (MemoryAccess::isAccess(op))
        addAccess(op);
      else if (auto call = dyn_cast<func::CallOp>(op))
        addCall(call);
      else if (op != func && !loom::getViewed(op) && !isMemoryEffectFree(op))
        addOther(op);
    });
    return std::move(effects);
  }

private:
  /// Where the memory of a value is from.
  struct Root {
    /// The argument, if it is one.
    std::optional<unsigned> argument;
    /// Whether it may be memory of any argument.
    bool isUnknown = false;
    /// Whether subscripts are those of the argument.
    bool isSame = true;
  };

  Root getRoot(Value memory) {
    Root root;
    memory = stripCasts(memory);
    root.isSame = !loom::getViewed(memory.getDefiningOp());
    memory = loom::getRoot(memory);
    auto argument = dyn_cast<BlockArgument>(memory);
    if (argument && argument.getOwner() == &func.getBody().front())
      root.argument = argument.getArgNumber();
    else
      root.isUnknown =
          !isa_and_nonnull<memref::AllocOp, memref::AllocaOp,
                           memref::GetGlobalOp>(memory.getDefiningOp());
    return root;
  }

  void addAll(const Root &root, bool isWrite, Operation *op,
              StringRef because) {
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      if (root.argument == i || root.isUnknown)
        effects.addAll(func, names, i, isWrite, op, because);
  }

  void addAllOf(Value memory, Operation *op, StringRef because) {
    for (bool isWrite : {false, true})
      addAll(getRoot(memory), isWrite, op, because);
  }

  /// Whether to read one more set of the argument.
  bool takesMore(const Root &root, bool isWrite, Operation *op) {
    if (numRead[{*root.argument, isWrite}]++ < kMostAccesses)
      return true;
    addAll(root, isWrite, op,
           "there are more than " + std::to_string(kMostAccesses) +
               " accesses of this argument");
    return false;
  }

  void add(const Root &root, bool isWrite, Operation *op,
           std::optional<EffectSet> set) {
    if (set)
      effects.add(std::move(*set));
    else
      addAll(root, isWrite, op, "its subscripts are too complex");
  }

  void addAccess(Operation *op) {
    bool isWrite = MemoryAccess::isWrite(op);
    Root root = getRoot(MemoryAccess::get(op).memory);
    if (!root.argument || !root.isSame)
      addAll(root, isWrite, op,
             root.isUnknown ? "its memory may be that of several arguments"
                            : "it is about a view");
    else if (takesMore(root, isWrite, op))
      add(root, isWrite, op, reader.readAccess(op, *root.argument, isWrite));
  }

  void addCall(func::CallOp call) {
    const FunctionEffects *callee = find(call);
    if (!callee) {
      for (Value operand : call.getOperands())
        if (isa<BaseMemRefType>(operand.getType()))
          addAllOf(operand, call,
                   "nothing is known of what the called function does");
      return;
    }
    // No sets are about memory of any rank.
    for (Value operand : call.getOperands())
      if (isa<UnrankedMemRefType>(operand.getType()))
        addAllOf(operand, call, "the called function takes memory of any rank");
    for (const EffectSet &called : callee->getSets()) {
      bool isWrite = called.kind.isWrite;
      Root root = getRoot(call.getOperand(called.argument));
      if (!root.argument || !root.isSame)
        addAll(root, isWrite, call,
               root.isUnknown ? "its memory may be that of several arguments"
                              : "it is about a view");
      else if (takesMore(root, isWrite, call))
        add(root, isWrite, call, reader.readCall(call, called, *root.argument));
    }
  }

  void addOther(Operation *op) {
    auto interface = dyn_cast<MemoryEffectOpInterface>(op);
    // What it hands on is memory that may be of any argument.
    if (!interface && (op->hasTrait<OpTrait::HasRecursiveMemoryEffects>() ||
                       op->hasTrait<OpTrait::IsTerminator>()))
      return;
    StringRef because = "it is no load, store or call";
    for (Value operand : op->getOperands()) {
      if (!isa<BaseMemRefType>(operand.getType()))
        continue;
      if (!interface) {
        addAllOf(operand, op, because);
        continue;
      }
      SmallVector<MemoryEffects::EffectInstance> found;
      interface.getEffectsOnValue(operand, found);
      for (const MemoryEffects::EffectInstance &effect : found)
        addAll(getRoot(operand), !isa<MemoryEffects::Read>(effect.getEffect()),
               op, because);
    }
  }

  func::FuncOp func;
  ScalarNames names;
  SetReader reader;
  Find find;
  FunctionEffects effects;
  llvm::DenseMap<std::pair<unsigned, unsigned>, size_t> numRead;
};

} // namespace

//===----------------------------------------------------------------------===//
// All functions
//===----------------------------------------------------------------------===//

EffectSets::EffectSets(ModuleOp module) {
  for (auto func : module.getOps<func::FuncOp>())
    symbols[func.getSymNameAttr()] = func;
  for (auto func : module.getOps<func::FuncOp>())
    visit(func);
}

/// Reads functions that `func` calls in front of it. One that is being read
/// calls itself: what such a call does is unknown.
void EffectSets::visit(func::FuncOp func) {
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
    if (auto name = func->getAttrOfType<FlatSymbolRefAttr>(loom::kEffects))
      open.back().callees.push_back(symbols.lookup(name.getAttr()));
  };
  begin(func);
  while (!open.empty()) {
    if (!open.back().callees.empty()) {
      begin(open.back().callees.pop_back_val());
      continue;
    }
    func::FuncOp next = open.pop_back_val().func;
    functions[next] = next.isExternal() ? readDeclared(next) : readBody(next);
  }
}

const FunctionEffects *EffectSets::find(func::FuncOp func) const {
  auto it = functions.find(func);
  return it == functions.end() ? nullptr : &it->second;
}

/// Whether a function has a body, or declares what it does.
bool EffectSets::isKnown(func::FuncOp func) const {
  Attribute effects = func->getAttr(loom::kEffects);
  if (!func.isExternal() || isa_and_nonnull<DictionaryAttr>(effects))
    return true;
  auto name = dyn_cast_or_null<FlatSymbolRefAttr>(effects);
  func::FuncOp summary = name ? symbols.lookup(name.getAttr()) : func::FuncOp();
  return summary && loom::fitsEffects(func, summary);
}

FunctionEffects EffectSets::readBody(func::FuncOp func) const {
  return BodyReader(func,
                    [&](func::CallOp call) -> const FunctionEffects * {
                      func::FuncOp callee =
                          symbols.lookup(call.getCalleeAttr().getAttr());
                      return callee && isKnown(callee) ? find(callee) : nullptr;
                    })
      .run();
}

FunctionEffects EffectSets::readDeclared(func::FuncOp func) const {
  FunctionEffects effects;
  for (const loom::DeclaredSet &declared : loom::getDeclaredSets(func))
    effects.add(getEffectSet(declared));
  auto symbol = func->getAttrOfType<FlatSymbolRefAttr>(loom::kEffects);
  func::FuncOp summary =
      symbol ? symbols.lookup(symbol.getAttr()) : func::FuncOp();
  const FunctionEffects *told = summary ? find(summary) : nullptr;
  if (!told || !loom::fitsEffects(func, summary))
    return effects;
  // The summary says what may happen: that of a library may do less.
  for (EffectSet set : told->getSets()) {
    set.kind.isSure = false;
    set.op = nullptr;
    effects.add(std::move(set));
  }
  return effects;
}

//===----------------------------------------------------------------------===//
// Relations
//===----------------------------------------------------------------------===//

EffectSet legalize::readAssumptions(func::FuncOp func) {
  ScalarNames names(func);
  return SetReader(func, names).readAssumptions();
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
    llvm::append_range(base, result.getOutputs());
    poly::Import import(set->set, result.getSpace(), std::move(base));
    for (const poly::Rows &part : set->set.getParts())
      result.addPart(import.take(part));
  }
  return result;
}

loom::AccessSetAttr legalize::getAttribute(MLIRContext *context,
                                           const EffectSet &set) {
  return loom::AccessSetAttr::get(context, set.argument,
                                  loom::RelationAttr::get(context, set.set),
                                  set.scalars);
}
