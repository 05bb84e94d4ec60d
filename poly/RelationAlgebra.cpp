//===- RelationAlgebra.cpp - relations computed from relations ------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/RelationAlgebra.h"

#include "poly/IntegerPoint.h"

#include <algorithm>

using namespace broadloom;
using namespace broadloom::poly;

using Names = std::vector<std::string>;

static bool contains(const Names &names, const std::string &name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

static Names mergeNames(Names names, const Names &others) {
  for (const std::string &name : others)
    if (!contains(names, name))
      names.push_back(name);
  return names;
}

/// Inputs and outputs get other names where theirs are in use.
static Relation makeRelation(Names inputs, Names symbols, Names outputs) {
  Names used = symbols;
  for (Names *names : {&inputs, &outputs})
    for (std::string &name : *names) {
      std::string base = name;
      for (unsigned i = 0; contains(used, name); ++i)
        name = base + "_" + std::to_string(i);
      used.push_back(name);
    }
  return Relation({std::move(inputs), std::move(symbols), std::move(outputs)});
}

/// What stands for the variables of `relation` in `to`, which has its symbols.
static std::vector<Form> makeBase(const Relation &relation, const Relation &to,
                                  const std::vector<Form> &inputs,
                                  const std::vector<Form> &outputs) {
  std::vector<Form> base = inputs;
  const Names &symbols = to.getSignature().symbols;
  for (const std::string &name : relation.getSignature().symbols)
    base.push_back(to.getSymbol(
        std::find(symbols.begin(), symbols.end(), name) - symbols.begin()));
  base.insert(base.end(), outputs.begin(), outputs.end());
  return base;
}

static std::vector<Form> addUnknowns(Relation &relation, const Names &names) {
  std::vector<Form> unknowns;
  for (const std::string &name : names)
    unknowns.push_back(relation.getSpace().addUnknown(name));
  return unknowns;
}

static RelationResult finish(Relation result, Limit limit) {
  if (limit != Limit::None)
    return {std::nullopt, limit};
  return {std::move(result), limit};
}

/// Adds the parts of `from`.
static Limit addParts(Relation &result, const Relation &from, Import import,
                      Limits &limits) {
  Limit limit = Limit::None;
  for (const Rows &part : from.getParts())
    if (limit == Limit::None)
      limit = addExisting(result, import.take(part), limits);
  return limit;
}

/// Adds what a part of `a` and one of `b` have in common, for each two parts.
static Limit addCommon(Relation &result, const Relation &a, Import ofA,
                       const Relation &b, Import ofB, Limits &limits) {
  Limit limit = Limit::None;
  for (const Rows &p : a.getParts())
    for (const Rows &q : b.getParts()) {
      Rows rows = ofA.take(p), more = ofB.take(q);
      rows.insert(rows.end(), more.begin(), more.end());
      if (limit == Limit::None)
        limit = addExisting(result, std::move(rows), limits);
    }
  return limit;
}

/// Without parts, with the symbols of both and the names of `a`.
static std::optional<Relation> makeCommon(const Relation &a,
                                          const Relation &b) {
  const Signature &p = a.getSignature(), &q = b.getSignature();
  if (p.inputs.size() != q.inputs.size() ||
      p.outputs.size() != q.outputs.size())
    return std::nullopt;
  return makeRelation(p.inputs, mergeNames(p.symbols, q.symbols), p.outputs);
}

/// For a relation whose tuples are those of `to`.
static Import importInto(Relation &to, const Relation &relation) {
  return Import(relation, to.getSpace(),
                makeBase(relation, to, to.getInputs(), to.getOutputs()));
}

//===----------------------------------------------------------------------===//
// Variables that go
//===----------------------------------------------------------------------===//

RelationResult poly::compose(const Relation &first, const Relation &second,
                             Limits limits) {
  const Signature &p = first.getSignature(), &q = second.getSignature();
  if (p.outputs.size() != q.inputs.size())
    return {std::nullopt, Limit::Arity};
  Relation result =
      makeRelation(p.inputs, mergeNames(p.symbols, q.symbols), q.outputs);
  std::vector<Form> between = addUnknowns(result, p.outputs);
  Import ofFirst(first, result.getSpace(),
                 makeBase(first, result, result.getInputs(), between));
  Import ofSecond(second, result.getSpace(),
                  makeBase(second, result, between, result.getOutputs()));
  Limit limit = addCommon(result, first, ofFirst, second, ofSecond, limits);
  return finish(std::move(result), limit);
}

RelationResult poly::apply(const Relation &set, const Relation &relation,
                           Limits limits) {
  if (!set.getSignature().inputs.empty())
    return {std::nullopt, Limit::Arity};
  return compose(set, relation, limits);
}

RelationResult poly::inverse(const Relation &relation) {
  const Signature &names = relation.getSignature();
  Relation result(Signature{names.outputs, names.symbols, names.inputs});
  Import import(
      relation, result.getSpace(),
      makeBase(relation, result, result.getOutputs(), result.getInputs()));
  for (const Rows &part : relation.getParts())
    result.addPart(import.take(part));
  return {std::move(result)};
}

RelationResult poly::domain(const Relation &relation, Limits limits) {
  const Signature &names = relation.getSignature();
  Relation result(Signature{{}, names.symbols, names.inputs});
  std::vector<Form> outputs = addUnknowns(result, names.outputs);
  Import import(relation, result.getSpace(),
                makeBase(relation, result, result.getOutputs(), outputs));
  Limit limit = addParts(result, relation, import, limits);
  return finish(std::move(result), limit);
}

RelationResult poly::range(const Relation &relation, Limits limits) {
  const Signature &names = relation.getSignature();
  Relation result(Signature{{}, names.symbols, names.outputs});
  std::vector<Form> inputs = addUnknowns(result, names.inputs);
  Import import(relation, result.getSpace(),
                makeBase(relation, result, inputs, result.getOutputs()));
  Limit limit = addParts(result, relation, import, limits);
  return finish(std::move(result), limit);
}

RelationResult poly::projectOut(const Relation &relation, const Names &names,
                                Limits limits) {
  Signature rest = relation.getSignature();
  for (Names *group : {&rest.inputs, &rest.symbols, &rest.outputs})
    group->erase(std::remove_if(group->begin(), group->end(),
                                [&](const std::string &name) {
                                  return contains(names, name);
                                }),
                 group->end());
  Relation result(rest);
  std::vector<Form> base;
  Variable next = 0;
  for (Variable i = 0; i < relation.getNumVariables(); ++i) {
    std::string name = relation.getSpace().getName(i);
    base.push_back(contains(names, name) ? result.getSpace().addUnknown(name)
                                         : Form::variable(next++));
  }
  Import import(relation, result.getSpace(), std::move(base));
  Limit limit = addParts(result, relation, import, limits);
  return finish(std::move(result), limit);
}

//===----------------------------------------------------------------------===//
// Sets of pairs
//===----------------------------------------------------------------------===//

RelationResult poly::unite(const Relation &a, const Relation &b,
                           Limits limits) {
  std::optional<Relation> result = makeCommon(a, b);
  if (!result)
    return {std::nullopt, Limit::Arity};
  Limit limit = addParts(*result, a, importInto(*result, a), limits);
  if (limit == Limit::None)
    limit = addParts(*result, b, importInto(*result, b), limits);
  return finish(std::move(*result), limit);
}

RelationResult poly::intersect(const Relation &a, const Relation &b,
                               Limits limits) {
  std::optional<Relation> result = makeCommon(a, b);
  if (!result)
    return {std::nullopt, Limit::Arity};
  Limit limit = addCommon(*result, a, importInto(*result, a), b,
                          importInto(*result, b), limits);
  return finish(std::move(*result), limit);
}

/// Adds to `left` the parts of `piece` outside `rows`, which have no unknowns:
/// one for each row, where that row is the first that does not hold.
static bool addOutside(const Space &space, Rows piece, const Rows &rows,
                       std::vector<Rows> &left, Limits &limits) {
  Rows all = piece;
  all.insert(all.end(), rows.begin(), rows.end());
  if (hasNoPoint(space, all, limits.work)) {
    left.push_back(std::move(piece));
    return left.size() <= limits.parts;
  }
  for (const Row &row : rows) {
    Rows opposites = {isNotNegative(-row.form - 1)};
    if (row.isZero)
      opposites.push_back(isNotNegative(row.form - 1));
    for (Row &opposite : opposites) {
      Rows part = piece;
      part.push_back(std::move(opposite));
      if (!hasNoPoint(space, part, limits.work))
        left.push_back(std::move(part));
      if (left.size() > limits.parts)
        return false;
    }
    piece.push_back(row);
  }
  return true;
}

RelationResult poly::subtract(const Relation &a, const Relation &b,
                              Limits limits) {
  std::optional<Relation> result = makeCommon(a, b);
  if (!result)
    return {std::nullopt, Limit::Arity};
  Relation taken = *makeCommon(a, b);
  Limit limit = addParts(taken, b, importInto(taken, b), limits);
  if (limit != Limit::None)
    return {std::nullopt, limit};
  Import ofA = importInto(*result, a), ofTaken = importInto(*result, taken);
  std::vector<Rows> pieces;
  for (const Rows &part : a.getParts())
    pieces.push_back(ofA.take(part));
  for (const Rows &part : taken.getParts()) {
    // The complement of what exists is known where it is without unknowns.
    if (taken.hasUnknown(part))
      return {std::nullopt, Limit::Unknowns};
    Rows rows = ofTaken.take(part);
    std::vector<Rows> left;
    for (Rows &piece : pieces)
      if (!addOutside(result->getSpace(), std::move(piece), rows, left, limits))
        return {std::nullopt, Limit::Parts};
    pieces = std::move(left);
  }
  for (Rows &piece : pieces)
    if (limit == Limit::None)
      limit = addExisting(*result, std::move(piece), limits);
  return finish(std::move(*result), limit);
}

//===----------------------------------------------------------------------===//
// Lexicographic order
//===----------------------------------------------------------------------===//

/// The pairs of which some output is better than another one are left out.
static RelationResult findBest(const Relation &relation, bool isLeast,
                               Limits limits) {
  Relation beaten(relation.getSignature());
  std::vector<Form> outputs = beaten.getOutputs(),
                    better = addUnknowns(beaten, beaten.getSignature().outputs);
  // The pair itself is in the relation, which makes what is beaten small.
  Import own = importInto(beaten, relation);
  Import other(relation, beaten.getSpace(),
               makeBase(relation, beaten, beaten.getInputs(), better));
  for (const Rows &mine : relation.getParts())
    for (const Rows &part : relation.getParts()) {
      Rows rows = own.take(mine), more = other.take(part);
      rows.insert(rows.end(), more.begin(), more.end());
      for (size_t i = 0; i < outputs.size(); ++i) {
        Rows first = rows;
        first.push_back(isLeast ? isLess(better[i], outputs[i])
                                : isLess(outputs[i], better[i]));
        Limit limit = addExisting(beaten, std::move(first), limits);
        if (limit != Limit::None)
          return {std::nullopt, limit};
        rows.push_back(isZero(outputs[i] - better[i]));
      }
    }
  return subtract(relation, beaten, limits);
}

RelationResult poly::lexicographicMinimum(const Relation &relation,
                                          Limits limits) {
  return findBest(relation, /*isLeast=*/true, limits);
}

RelationResult poly::lexicographicMaximum(const Relation &relation,
                                          Limits limits) {
  return findBest(relation, /*isLeast=*/false, limits);
}
