//===- RelationQuestions.cpp - questions about relations ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "poly/RelationQuestions.h"

#include "poly/Domain.h"
#include "poly/IntegerPoint.h"
#include "poly/RelationAlgebra.h"

#include <algorithm>

using namespace broadloom;
using namespace broadloom::poly;

Truth poly::contains(const Relation &relation, const Point &point,
                     Limits limits) {
  if (point.size() != relation.getNumVariables())
    return Truth::Unknown;
  Truth all = Truth::Refuted;
  for (const Rows &part : relation.getParts()) {
    Truth truth = Truth::Proved;
    if (relation.hasUnknown(part)) {
      Rows rows = part;
      for (Variable i = 0; i < point.size(); ++i)
        rows.push_back(isZero(Form::variable(i) - Form(point[i])));
      truth = findPoint(relation.getSpace(), rows, limits.work).exists;
    } else {
      for (const Row &row : part) {
        std::optional<__int128> value =
            relation.getSpace().evaluate(row.form, point);
        if (!value)
          truth = Truth::Unknown;
        else if (row.isZero ? *value != 0 : *value < 0) {
          truth = Truth::Refuted;
          break;
        }
      }
    }
    if (truth == Truth::Proved)
      return truth;
    if (truth == Truth::Unknown)
      all = truth;
  }
  return all;
}

//===----------------------------------------------------------------------===//
// Emptiness
//===----------------------------------------------------------------------===//

/// Whether `rows` have no point, by elimination of all variables.
static RelationAnswer isEmptyPart(const Relation &relation, const Rows &rows,
                                  Limits &limits) {
  Space space;
  std::vector<Form> base;
  for (size_t i = 0; i < relation.getNumVariables(); ++i)
    base.push_back(space.addUnknown("x"));
  Rows all = Import(relation, space, std::move(base)).take(rows);
  addDefinitions(space, /*ofUnknown=*/true, all);
  Projection projection = eliminate(space, std::move(all), {}, limits);
  if (projection.limit != Limit::None)
    return {Truth::Unknown, projection.limit};
  return {projection.parts.empty() ? Truth::Proved : Truth::Refuted};
}

RelationAnswer poly::isEmpty(const Relation &relation, Limits limits) {
  std::vector<const Rows *> open;
  for (const Rows &part : relation.getParts()) {
    // What elimination needs is kept for it.
    size_t work = limits.work / 2;
    PointSearch search = findPoint(relation.getSpace(), part, work);
    limits.work -= limits.work / 2 - work;
    if (search.exists == Truth::Proved) {
      search.point.resize(relation.getNumVariables());
      return {Truth::Refuted, Limit::None, std::move(search.point)};
    }
    if (search.exists == Truth::Unknown)
      open.push_back(&part);
  }
  RelationAnswer all = {Truth::Proved};
  for (const Rows *part : open) {
    RelationAnswer answer = isEmptyPart(relation, *part, limits);
    if (answer.truth == Truth::Refuted)
      return answer;
    if (answer.truth == Truth::Unknown)
      all = answer;
  }
  return all;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// The values of `point`, of relation `a`, for the variables of `b`. Symbols
/// that only `b` has are 0.
static Point translate(const Point &point, const Signature &a,
                       const Signature &b) {
  Point result(point.begin(), point.begin() + a.inputs.size());
  for (const std::string &name : b.symbols) {
    size_t number =
        std::find(a.symbols.begin(), a.symbols.end(), name) - a.symbols.begin();
    result.push_back(number < a.symbols.size() ? point[a.inputs.size() + number]
                                               : 0);
  }
  result.insert(result.end(), point.end() - a.outputs.size(), point.end());
  return result;
}

/// A point of a part of `a`, or one beside it, that `b` surely does not have.
static std::optional<Point> findSample(const Relation &a, const Relation &b,
                                       size_t &work) {
  auto isSample = [&](const Point &point) {
    return contains(a, point) == Truth::Proved &&
           contains(b, translate(point, a.getSignature(), b.getSignature())) ==
               Truth::Refuted;
  };
  for (const Rows &part : a.getParts()) {
    PointSearch search = findPoint(a.getSpace(), part, work);
    if (search.exists != Truth::Proved)
      continue;
    Point point = std::move(search.point);
    point.resize(a.getNumVariables());
    if (isSample(point))
      return point;
    for (size_t i = 0; i < point.size(); ++i)
      for (int64_t step : {-1, 1}) {
        Point beside = point;
        if (!__builtin_add_overflow(beside[i], step, &beside[i]) &&
            isSample(beside))
          return beside;
      }
  }
  return std::nullopt;
}

/// Whether all rows of `b` surely hold wherever `a` do.
static bool areImplied(const Space &space, const Rows &a, const Rows &b,
                       size_t &work) {
  return std::all_of(b.begin(), b.end(), [&](const Row &row) {
    auto isNever = [&](Row opposite) {
      Rows rows = a;
      rows.push_back(std::move(opposite));
      return hasNoPoint(space, rows, work);
    };
    return work > 0 && isNever(poly::negate(row)) &&
           (!row.isZero || isNever(isNotNegative(row.form - 1)));
  });
}

/// Whether each part of `a` is surely in one part of `b`, which has no symbols
/// but those of `a`.
static bool areInOneEach(const Relation &a, const Relation &b, size_t &work) {
  const Signature &p = a.getSignature(), &q = b.getSignature();
  Space space = a.getSpace();
  std::vector<Form> base = a.getInputs();
  for (const std::string &name : q.symbols) {
    auto found = std::find(p.symbols.begin(), p.symbols.end(), name);
    if (found == p.symbols.end())
      return false;
    base.push_back(a.getSymbol(found - p.symbols.begin()));
  }
  for (const Form &output : a.getOutputs())
    base.push_back(output);
  Import import(b, space, std::move(base));
  std::vector<Rows> parts;
  for (const Rows &part : b.getParts())
    if (!b.hasUnknown(part))
      parts.push_back(import.take(part));
  return std::all_of(
      a.getParts().begin(), a.getParts().end(), [&](const Rows &part) {
        return std::any_of(parts.begin(), parts.end(), [&](const Rows &other) {
          return work > 0 && areImplied(space, part, other, work);
        });
      });
}

RelationAnswer poly::isSubset(const Relation &a, const Relation &b,
                              Limits limits) {
  const Signature &p = a.getSignature(), &q = b.getSignature();
  if (p.inputs.size() != q.inputs.size() ||
      p.outputs.size() != q.outputs.size())
    return {Truth::Unknown, Limit::Arity};
  if (std::optional<Point> point = findSample(a, b, limits.work)) {
    for (const std::string &name : q.symbols)
      if (std::find(p.symbols.begin(), p.symbols.end(), name) ==
          p.symbols.end())
        point->insert(point->end() - p.outputs.size(), 0);
    return {Truth::Refuted, Limit::None, std::move(point)};
  }
  // A union needs the difference.
  size_t work = limits.work / 4;
  limits.work -= work;
  if (areInOneEach(a, b, work))
    return {Truth::Proved};
  limits.work += work;
  RelationResult rest = subtract(a, b, limits);
  if (!rest.relation)
    return {Truth::Unknown, rest.limit};
  return isEmpty(*rest.relation, limits);
}

RelationAnswer poly::isEqual(const Relation &a, const Relation &b,
                             Limits limits) {
  RelationAnswer first = isSubset(a, b, limits);
  if (first.truth == Truth::Refuted || first.limit == Limit::Arity)
    return first;
  RelationAnswer second = isSubset(b, a, limits);
  if (second.truth == Truth::Proved)
    return first;
  if (second.point) {
    // In the order of the variables of `a`.
    Signature common = a.getSignature(), own = b.getSignature();
    for (const std::string &name : a.getSignature().symbols)
      if (std::find(own.symbols.begin(), own.symbols.end(), name) ==
          own.symbols.end())
        own.symbols.push_back(name);
    for (const std::string &name : b.getSignature().symbols)
      if (std::find(common.symbols.begin(), common.symbols.end(), name) ==
          common.symbols.end())
        common.symbols.push_back(name);
    second.point = translate(*second.point, own, common);
  }
  return second;
}
