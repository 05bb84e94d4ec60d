//===- SetComparison.cpp - elements of calls that return ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/SetComparison.h"

#include "dialect/ArgumentName.h"
#include "poly/Domain.h"
#include "shape/Message.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

/// Makes of each part one for each of `others`, which has the rows of both.
static void addEach(std::vector<poly::Rows> &parts,
                    const std::vector<poly::Rows> &others,
                    poly::Import &import) {
  std::vector<poly::Rows> all;
  for (const poly::Rows &other : others) {
    poly::Rows rows = import.take(other);
    for (const poly::Rows &part : parts)
      llvm::append_range(all.emplace_back(rows), part);
  }
  parts = std::move(all);
}

/// The values that sets are about (ffi-5).
void SetComparison::addRange(loom::ScalarReference scalar,
                             const poly::Form &value, poly::Rows &rows) {
  Type type = func.getArgumentTypes()[scalar.argument];
  if (scalar.isExtent()) {
    int64_t extent = cast<MemRefType>(type).getDimSize(scalar.axis);
    rows.push_back(ShapedType::isDynamic(extent)
                       ? poly::isNotNegative(value)
                       : poly::isZero(value - extent));
    return;
  }
  unsigned bits = type.isIndex() ? 64 : unsigned(type.getIntOrFloatBitWidth());
  if (bits == 1) {
    rows.push_back(poly::isNotNegative(value));
    rows.push_back(poly::isAtMost(value, 1));
    return;
  }
  int64_t end = int64_t(1) << std::min(bits - 1, 40u);
  rows.push_back(poly::isAtMost(-end, value));
  rows.push_back(poly::isLess(value, end));
}

/// The points of `set` that a call which returns can have: inside its memory,
/// and where the assertions of the body hold and its accesses are inside.
/// The symbols have the scalars of `others` as well.
poly::Relation SetComparison::getPossible(const EffectSet &set,
                                          const Sets &others) {
  MemRefType type = getMemory(set);
  SmallVector<loom::ScalarReference> scalars;
  for (func::FuncOp body : bodies)
    llvm::append_range(scalars, effects.getAssumptions(body).scalars);
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (type.isDynamicDim(axis))
      scalars.push_back({set.argument, axis});
  llvm::append_range(scalars, set.scalars);
  for (const EffectSet *other : others)
    llvm::append_range(scalars, other->scalars);
  SmallVector<loom::ScalarReference> symbols;
  for (loom::ScalarReference scalar : scalars)
    if (!llvm::is_contained(symbols, scalar))
      symbols.push_back(scalar);
  poly::Relation all = unite(names, type.getRank(), {&set}, symbols);
  auto getSymbol = [&](loom::ScalarReference scalar) {
    return all.getSymbol(llvm::find(symbols, scalar) - symbols.begin());
  };
  poly::Rows rows;
  for (loom::ScalarReference scalar : symbols)
    addRange(scalar, getSymbol(scalar), rows);
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    poly::addInside(all.getOutput(axis),
                    type.isDynamicDim(axis) ? getSymbol({set.argument, axis})
                                            : poly::Form(type.getDimSize(axis)),
                    rows);
  std::vector<poly::Rows> parts = {rows};
  for (func::FuncOp body : bodies) {
    const EffectSet &assumed = effects.getAssumptions(body);
    std::vector<poly::Form> base;
    for (loom::ScalarReference scalar : assumed.scalars)
      base.push_back(getSymbol(scalar));
    poly::Import import(assumed.set, all.getSpace(), std::move(base));
    addEach(parts, assumed.set.getParts(), import);
  }
  poly::Relation possible(all.getSignature());
  possible.getSpace() = all.getSpace();
  for (const poly::Rows &facts : parts)
    for (poly::Rows part : all.getParts()) {
      llvm::append_range(part, facts);
      possible.addPart(std::move(part));
    }
  return possible;
}

/// Whether each point is in one of `sets` or in `more`. A single set has
/// fewer cases than a union has, so that more is decided.
SetComparison::Answer SetComparison::compare(const EffectSet &set,
                                             const Sets &sets,
                                             const Sets &more) {
  Sets all = sets;
  llvm::append_range(all, more);
  poly::Relation possible = getPossible(set, all);
  for (const EffectSet *one : sets) {
    if (numSingleLeft == 0)
      break;
    --numSingleLeft;
    Sets each = more;
    each.push_back(one);
    poly::RelationAnswer is = poly::isSubset(possible, uniteAll(set, each));
    if (is.truth == Truth::Proved)
      return {is, possible};
  }
  return {poly::isSubset(possible, uniteAll(set, all)), possible};
}

/// Whether each point is in one of `sets`, or of a call that fails.
SetComparison::Answer SetComparison::compare(const EffectSet &set,
                                             const Sets &sets) {
  Answer answer = compare(set, sets, {});
  if (answer.is.truth == Truth::Proved)
    return answer;
  Sets failing;
  for (func::FuncOp body : bodies)
    for (const EffectSet &each : effects.getFailing(body).sets)
      failing.push_back(&each);
  if (failing.empty() || (answer.is.point && isInNone(set, failing, answer)))
    return answer;
  return compare(set, sets, failing);
}

/// Whether the sets surely do not have the point of the answer, where scalars
/// that it does not have are 0. The point then has these too.
bool SetComparison::isInNone(const EffectSet &like, const Sets &sets,
                             Answer &answer) {
  poly::Relation all = unite(names, getMemory(like).getRank(), sets,
                             getScalars(answer.possible));
  poly::Point point = *answer.is.point;
  point.insert(point.end() - all.getSignature().outputs.size(),
               all.getSignature().symbols.size() +
                   all.getSignature().outputs.size() - point.size(),
               0);
  if (poly::contains(all, point) != Truth::Refuted)
    return false;
  answer.is.point = std::move(point);
  answer.possible = std::move(all);
  return true;
}

/// Whether a point that shows a difference may be of a call that fails.
bool SetComparison::mayFail(const EffectSet &set) {
  return set.comparesUnknown ||
         (set.comparesExtents && llvm::any_of(bodies, [&](func::FuncOp body) {
            return effects.getFailing(body).areMore ||
                   effects.getAssumptions(body).comparesUnknown;
          }));
}

/// "element [3] of argument 'a', where argument 'n' is 4".
std::string SetComparison::describePoint(const EffectSet &set,
                                         const poly::Relation &of,
                                         const poly::Point &point) {
  size_t numSymbols = of.getSignature().symbols.size();
  std::string element;
  for (size_t i = 0; i < of.getSignature().outputs.size(); ++i)
    element += (i ? ", " : "") + std::to_string(point[numSymbols + i]);
  std::string text = "element [" + element + "] of " +
                     loom::getArgumentText(func.getArgument(set.argument));
  std::vector<std::string> values;
  for (loom::ScalarReference scalar : getAllScalars()) {
    auto it = llvm::find(of.getSignature().symbols, names.get(scalar));
    if (it != of.getSignature().symbols.end())
      values.push_back(
          describeScalar(func, scalar) + " is " +
          std::to_string(point[it - of.getSignature().symbols.begin()]));
  }
  return text + (values.empty() ? "" : ", where " + joinWithAnd(values));
}

/// Those of a relation's symbols.
SmallVector<loom::ScalarReference>
SetComparison::getScalars(const poly::Relation &of) {
  SmallVector<loom::ScalarReference> all = getAllScalars(), scalars;
  for (const std::string &symbol : of.getSignature().symbols)
    scalars.push_back(*llvm::find_if(all, [&](loom::ScalarReference scalar) {
      return names.get(scalar) == symbol;
    }));
  return scalars;
}

SmallVector<loom::ScalarReference> SetComparison::getAllScalars() {
  SmallVector<loom::ScalarReference> scalars;
  for (const auto &[i, type] : llvm::enumerate(func.getArgumentTypes())) {
    if (loom::isScalar(type))
      scalars.push_back({unsigned(i)});
    else if (auto memory = dyn_cast<MemRefType>(type))
      for (int64_t axis = 0; axis < memory.getRank(); ++axis)
        scalars.push_back({unsigned(i), axis});
  }
  return scalars;
}
