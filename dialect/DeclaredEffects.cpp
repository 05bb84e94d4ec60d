//===- DeclaredEffects.cpp - effects that a function declares -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/DeclaredEffects.h"

#include "dialect/MemoryFunction.h"
#include "poly/OutputBounds.h"
#include "poly/RelationQuestions.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::loom;

StringRef loom::getKey(EffectKind kind) {
  if (kind.isFirst)
    return "initializes";
  if (kind.isSure)
    return kind.isWrite ? "writes" : "reads";
  return kind.isWrite ? "may_writes" : "may_reads";
}

EffectPromises loom::getPromises(func::FuncOp func) {
  auto effects = func->getAttrOfType<DictionaryAttr>(kEffects);
  return effects ? EffectPromises{effects.contains(kDeterministic),
                                  effects.contains(kReentrant),
                                  effects.contains(kExact)}
                 : EffectPromises();
}

FlatSymbolRefAttr loom::getSummary(func::FuncOp func) {
  Attribute effects = func->getAttr(kEffects);
  if (auto dictionary = dyn_cast_or_null<DictionaryAttr>(effects))
    return dictionary.getAs<FlatSymbolRefAttr>(kSummary);
  return dyn_cast_or_null<FlatSymbolRefAttr>(effects);
}

bool loom::declaresSets(func::FuncOp func) {
  return isa_and_nonnull<DictionaryAttr>(func->getAttr(kEffects)) &&
         !loom::getSummary(func);
}

bool loom::isScalar(Type type) {
  return type.isIndex() ||
         (type.isSignlessInteger() && type.getIntOrFloatBitWidth() <= 64);
}

bool loom::isOutside(const poly::Relation &relation, MemRefType type) {
  poly::Relation inside(relation.getSignature());
  std::vector<poly::Form> base;
  for (size_t i = 0; i < relation.getNumVariables(); ++i)
    base.push_back(poly::Form::variable(poly::Variable(i)));
  poly::Import import(relation, inside.getSpace(), std::move(base));
  for (const poly::Rows &part : relation.getParts()) {
    poly::Rows rows = import.take(part);
    for (int64_t axis = 0; axis < type.getRank(); ++axis) {
      poly::Form output = inside.getOutput(axis);
      rows.push_back(poly::isNotNegative(output));
      if (!type.isDynamicDim(axis))
        rows.push_back(poly::isLess(output, type.getDimSize(axis)));
    }
    inside.addPart(std::move(rows));
  }
  return poly::isEmpty(inside).truth == Truth::Proved;
}

SmallVector<DeclaredSet> loom::getDeclaredSets(func::FuncOp func) {
  SmallVector<DeclaredSet> sets;
  auto effects = func->getAttrOfType<DictionaryAttr>(kEffects);
  if (!effects)
    return sets;
  for (EffectKind kind : kEffectKinds)
    if (auto list = effects.getAs<ArrayAttr>(getKey(kind)))
      for (auto [number, entry] : llvm::enumerate(list))
        if (auto access = dyn_cast<AccessSetAttr>(entry))
          sets.push_back({kind, number, access});
  return sets;
}

std::string loom::describe(const DeclaredSet &set, func::FuncOp func) {
  return "entry " + std::to_string(set.number) + " of '" +
         getKey(set.kind).str() + "' in '" + kEffects.str() + "' of '@" +
         func.getName().str() + "'";
}

/// Whether the dictionary has lists and words that there are, and nothing else.
static LogicalResult verifyEntries(func::FuncOp func, DictionaryAttr effects) {
  auto refuse = [&](NamedAttribute entry, const Twine &expected) {
    return func.emitError("'")
           << entry.getName().getValue() << "' in '" << kEffects << "' of '@"
           << func.getName() << "' is " << entry.getValue() << "; it is "
           << expected;
  };
  std::optional<NamedAttribute> list;
  for (NamedAttribute entry : effects) {
    StringRef key = entry.getName();
    Attribute value = entry.getValue();
    if (key == kDeterministic || key == kReentrant || key == kExact) {
      if (!isa<UnitAttr>(value))
        return refuse(entry, "a word without a value");
      continue;
    }
    if (key == kSummary) {
      if (!isa<FlatSymbolRefAttr>(value))
        return refuse(entry, "the name of a function, such as @effects_of_" +
                                 func.getName());
      continue;
    }
    if (llvm::none_of(kEffectKinds,
                      [&](EffectKind kind) { return getKey(kind) == key; }))
      return func.emitError("'")
             << kEffects << "' of '@" << func.getName() << "' has '" << key
             << "'; there are 'reads', 'writes', 'initializes', 'may_reads' "
                "and "
                "'may_writes', or 'summary' in place of them, and "
                "'deterministic', 'reentrant' and 'exact'";
    auto sets = dyn_cast<ArrayAttr>(value);
    if (!sets || !llvm::all_of(sets, llvm::IsaPred<AccessSetAttr>))
      return refuse(entry, "a list of sets, such as [#loom.access_set<0, "
                           "#loom.relation<\"(d0) -> (r0) : (r0 == d0)\">, "
                           "[1]>]");
    list = entry;
  }
  if (list && effects.contains(kSummary))
    return func.emitError("'")
           << kEffects << "' of '@" << func.getName() << "' has 'summary' and '"
           << list->getName().getValue()
           << "'; a function tells what is accessed, or sets do";
  if (effects.contains(kExact) &&
      (!effects.contains(kSummary) || !func.isExternal()))
    return func.emitError("'")
           << kExact << "' in '" << kEffects << "' of '@" << func.getName()
           << "' says that each call accesses all that 'summary' tells, of a "
              "function without a body; "
           << (func.isExternal() ? "name a function by 'summary'"
                                 : "leave the word out")
           << ", or list sets as 'reads' and 'writes'";
  return success();
}

/// Whether `scalar` is a number that the function has.
static LogicalResult verifyScalar(func::FuncOp func, ScalarReference scalar,
                                  const Twine &where) {
  if (scalar.argument >= func.getNumArguments())
    return func.emitError(where)
           << " has scalar " << scalar.argument << ", but the function has "
           << func.getNumArguments() << " arguments";
  Type type = func.getArgumentTypes()[scalar.argument];
  if (!scalar.isExtent()) {
    // A body is compared with sets of an i1; loops over sets have none.
    bool isNumber =
        type.isIndex() || (type.isSignlessInteger() &&
                           (!type.isInteger(1) || !func.isExternal()) &&
                           type.getIntOrFloatBitWidth() <= 64);
    if (isNumber)
      return success();
    InFlightDiagnostic error = func.emitError(where)
                               << " has argument " << scalar.argument
                               << " of type " << type
                               << " as a scalar; a scalar is an index or a "
                                  "signless integer of "
                               << (func.isExternal() ? 2 : 1) << " to 64 bits";
    if (isa<MemRefType>(type))
      error << ", and an extent is dim(" << scalar.argument << ", axis)";
    return error;
  }
  auto memory = dyn_cast<MemRefType>(type);
  if (!memory)
    return func.emitError(where)
           << " has an extent of argument " << scalar.argument << " of type "
           << type << ", which is no memory of a known rank";
  if (scalar.axis >= memory.getRank())
    return func.emitError(where)
           << " has axis " << scalar.axis << " of argument " << scalar.argument
           << ", whose type " << type << " has " << memory.getRank() << " axes";
  return success();
}

/// Whether loops could meet each point of the set.
static LogicalResult verifyBounds(func::FuncOp func,
                                  const poly::Relation &relation,
                                  const Twine &where) {
  for (const poly::Rows &part : relation.getParts()) {
    poly::OutputBounds bounds = poly::boundOutputs(relation, part);
    // A body is compared without loops.
    if (bounds.limit != poly::Limit::None && !func.isExternal())
      continue;
    if (bounds.limit != poly::Limit::None)
      return func.emitError(where)
             << " has a relation whose outputs have no known bounds, because "
             << poly::describe(bounds.limit) << "; write it with fewer rows";
    for (const poly::BoundedVariable &variable : bounds.variables) {
      bool hasLower = !variable.lowers.empty();
      if (!hasLower || variable.uppers.empty())
        return func.emitError(where)
               << " is not bounded: nothing says how "
               << (hasLower ? "large" : "small") << " '"
               << relation.getSpace().getName(variable.variable)
               << "' can be; bound it by numbers, arguments or extents";
    }
  }
  return success();
}

static LogicalResult verifySet(func::FuncOp func, const DeclaredSet &set) {
  std::string where = describe(set, func);
  unsigned argument = set.access.getArgument();
  if (argument >= func.getNumArguments())
    return func.emitError(where)
           << " is about argument " << argument << ", but the function has "
           << func.getNumArguments() << " arguments";
  Type type = func.getArgumentTypes()[argument];
  auto memory = dyn_cast<MemRefType>(type);
  if (!memory)
    return func.emitError(where)
           << " is about argument " << argument << " of type " << type
           << ", which is no memory of a known rank";
  poly::Relation relation = set.access.getRelation().getRelation();
  if (int64_t(relation.getSignature().outputs.size()) != memory.getRank())
    return func.emitError(where)
           << " has a relation with " << relation.getSignature().outputs.size()
           << " outputs, but argument " << argument << " of type " << type
           << " has " << memory.getRank() << " axes";
  for (ScalarReference scalar : set.access.getScalars())
    if (failed(verifyScalar(func, scalar, where)))
      return failure();
  if (failed(verifyBounds(func, relation, where)))
    return failure();
  if (isOutside(relation, memory))
    return func.emitError(where)
           << " has no point inside memory of type " << memory;
  return success();
}

LogicalResult loom::verifyDeclaredSets(func::FuncOp func) {
  auto effects = func->getAttrOfType<DictionaryAttr>(kEffects);
  if (!effects)
    return success();
  if (failed(verifyEntries(func, effects)))
    return failure();
  SmallVector<DeclaredSet> sets = getDeclaredSets(func);
  for (const auto &[i, set] : llvm::enumerate(sets)) {
    if (failed(verifySet(func, set)))
      return failure();
    for (const DeclaredSet &before : llvm::ArrayRef(sets).take_front(i))
      if (before.access == set.access &&
          before.kind.isWrite == set.kind.isWrite)
        return func.emitError(describe(set, func))
               << " repeats entry " << before.number << " of '"
               << getKey(before.kind) << "'";
  }
  return success();
}
