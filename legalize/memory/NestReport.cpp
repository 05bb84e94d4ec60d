//===- NestReport.cpp - what becomes of accesses in loops -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/NestReport.h"

#include "dialect/ArgumentName.h"
#include "dialect/LocationText.h"
#include "infer/constraints/UpstreamConstraints.h"
#include "infer/functions/Origin.h"
#include "infer/report/OperationNumber.h"
#include "infer/report/ReportRow.h"
#include "poly/Elimination.h"
#include "poly/Implication.h"
#include "poly/Relation.h"
#include "shape/Message.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/MapVector.h"

#include <map>

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;
using infer::GuardStatus;

std::string legalize::describe(const NestSymbol &symbol) {
  if (symbol.isExtent())
    return "axis " + std::to_string(symbol.axis) + " of " +
           infer::describeMemory(symbol.value);
  std::string name = loom::getValueName(symbol.value);
  if (!name.empty())
    return name;
  // Steps of vectors, whose last element comes first where they are negative.
  if (auto absolute = symbol.value.getDefiningOp<math::AbsIOp>()) {
    Value of = absolute.getOperand();
    if (auto cast = of.getDefiningOp<arith::IndexCastOp>())
      of = cast.getIn();
    return "|" + describe({of}) + "|";
  }
  if (Operation *op = symbol.value.getDefiningOp())
    return infer::describeResult(op);
  auto argument = cast<BlockArgument>(symbol.value);
  Operation *owner = argument.getOwner()->getParentOp();
  if (argument.getOwner()->isEntryBlock() && isa<func::FuncOp>(owner))
    return loom::getArgumentText(argument);
  std::string place = getFileLocationText(owner->getLoc());
  if (NestReader::isLoop(owner) && argument.getArgNumber() == 0)
    return "the variable of the loop" + (place.empty() ? "" : " at " + place);
  return "the argument of a block" + (place.empty() ? "" : " at " + place);
}

namespace {
/// What must hold where loops run, of several accesses: without what follows
/// from the rest.
class Conditions {
public:
  void add(const CheckedAccess &access);
  /// With `isNever`, only those that need a loop without iterations, if any.
  std::string print(bool isNever);
  /// Whether no call in which the loops run satisfies them.
  bool areNever() const;

private:
  poly::Form getSymbol(const NestSymbol &symbol);
  bool areCompared() const;
  void dropImplied();

  poly::Space space;
  std::vector<std::pair<NestSymbol, poly::Form>> symbols;
  poly::Rows facts;
  std::vector<poly::Clause> clauses;
  /// Those that only say that a loop has no iterations.
  std::vector<poly::Clause> ofEmpty;
};
} // namespace

poly::Form Conditions::getSymbol(const NestSymbol &symbol) {
  for (auto &[known, form] : symbols)
    if (known == symbol)
      return form;
  symbols.push_back({symbol, space.addSymbol(describe(symbol))});
  return symbols.back().second;
}

void Conditions::add(const CheckedAccess &access) {
  const poly::Domain loops = access.reader->getDomain().ofLoops();
  const poly::Space &from = access.condition.space;
  poly::Import import(from, space, {});
  for (const auto &[variable, symbol] : access.reader->getSymbols())
    import.set(variable, getSymbol(symbol));
  poly::Rows known = import.take(loops.getFacts());
  facts.insert(facts.end(), known.begin(), known.end());
  for (const poly::Clause &clause : access.condition.clauses) {
    poly::Clause taken, all;
    for (const poly::Form &form : clause) {
      all.push_back(import.take(form));
      if (!poly::saysEmpty(loops, from, form))
        taken.push_back(all.back());
    }
    if (taken.empty() && !llvm::is_contained(ofEmpty, all))
      ofEmpty.push_back(all);
    poly::Clause &added = taken.empty() ? all : taken;
    if (!llvm::is_contained(clauses, added))
      clauses.push_back(std::move(added));
  }
}

/// Many clauses are not compared, so that the time stays linear.
bool Conditions::areCompared() const {
  constexpr size_t kMostCompared = 24;
  return clauses.size() <= kMostCompared &&
         llvm::all_of(clauses, [](const poly::Clause &clause) {
           return llvm::all_of(
               clause, [](const poly::Form &form) { return form.isExact(); });
         });
}

/// A clause follows from a row where one of its forms does.
void Conditions::dropImplied() {
  if (!areCompared())
    return;
  for (size_t i = clauses.size(); i-- > 0;) {
    poly::Rows others = facts;
    for (size_t j = 0; j < clauses.size(); ++j)
      if (j != i && clauses[j].size() == 1)
        others.push_back(poly::isNotNegative(clauses[j].front()));
    if (llvm::any_of(clauses[i], [&](const poly::Form &form) {
          return poly::proves(space, others, poly::isNotNegative(form));
        }))
      clauses.erase(clauses.begin() + i);
  }
}

bool Conditions::areNever() const {
  if (!ofEmpty.empty() || !areCompared())
    return !ofEmpty.empty();
  poly::Rows rows = facts;
  for (const poly::Clause &clause : clauses)
    if (clause.size() == 1)
      rows.push_back(poly::isNotNegative(clause.front()));
  auto cannotHold = [&](const poly::Form &form) {
    poly::Rows with = rows;
    with.push_back(poly::isNotNegative(form));
    return poly::provesEmpty(space, std::move(with));
  };
  return llvm::any_of(clauses, [&](const poly::Clause &clause) {
    return llvm::all_of(clause, cannotHold);
  });
}

std::string Conditions::print(bool isNever) {
  if (isNever && !ofEmpty.empty())
    clauses = ofEmpty;
  dropImplied();
  std::string text;
  for (const poly::Clause &clause : clauses) {
    std::string one;
    for (const poly::Form &form : clause)
      one += (one.empty() ? "" : " or ") + space.printComparison(form);
    text += text.empty() ? "" : " and ";
    text += clause.size() > 1 ? "(" + one + ")" : one;
  }
  return text;
}

static void addRow(Operation *nest, std::string what, GuardStatus status,
                   std::string reason, infer::GuardReport &report) {
  infer::GuardReport::Row row =
      infer::makeRow(nest, infer::getOriginalName(nest));
  row.constraint = std::move(what);
  row.status = status;
  row.reason = std::move(reason);
  row.isOfLoops = true;
  // A well-known function's loops have one place, and several go over a vector
  // that is read and written.
  auto isSame = [&](const infer::GuardReport::Row &other) {
    return other.location == row.location &&
           other.constraint == row.constraint && other.reason == row.reason &&
           other.operation == row.operation;
  };
  if (report.rows.empty() || !isSame(report.rows.back()))
    report.rows.push_back(std::move(row));
}

/// Where a call checks the accesses of a nest.
static std::string
describePlace(Operation *nest, const std::optional<NestPlaces::Place> &place) {
  if (place && place->isAtEntry)
    return "checked once at entry, before anything is written";
  std::string at = getFileLocationText(nest->getLoc());
  return (place ? "checked once where memory is made for the loop"
                : "checked once in front of the loop") +
         (at.empty() ? "" : " at " + at);
}

/// " along axis 0"; nothing if it is about all axes.
static std::string describeAxes(ArrayRef<unsigned> axes) {
  if (axes.empty())
    return "";
  std::vector<std::string> numbers;
  for (unsigned axis : axes)
    numbers.push_back(std::to_string(axis));
  return (axes.size() == 1 ? " along axis " : " along axes ") +
         joinWithAnd(numbers);
}

/// Accesses along the same axes. `where` is " in the loop at k.mlir:3:5".
using Group = SmallVector<const CheckedAccess *>;
static std::string areInside(const Group &group, const std::string &where,
                             bool isNever = false) {
  bool isOne = group.size() == 1;
  return (isOne ? "1 access" : std::to_string(group.size()) + " accesses") +
         where + (isOne ? " is" : " are") +
         (!isNever ? " inside"
          : isOne  ? " never inside"
                   : " never all inside") +
         describeAxes(group.front()->axes);
}

/// The row of accesses that have a condition.
static void addCondition(Operation *nest, const Group &group,
                         const std::string &at, const std::string &where,
                         infer::GuardReport &report) {
  Conditions conditions;
  bool readsMore = false, hasLimit = false;
  for (const CheckedAccess *access : group) {
    conditions.add(*access);
    readsMore |= access->reader->readsMore();
    hasLimit |= access->hasLimit();
  }
  bool isNever = !readsMore && conditions.areNever();
  std::string text = conditions.print(isNever), because = "it is " + where;
  if (isNever)
    because = "that needs " + text + ", which no call has whose loops run" +
              (hasLimit ? " and whose numbers do not wrap around" : "") + "; " +
              because;
  else if (readsMore)
    because += ", and access by access where that does not hold";
  std::string what = areInside(group, at, isNever);
  if (isNever)
    what += " where the loops run";
  else if (!text.empty())
    what += ", where the loops run: " + text;
  addRow(nest, what, GuardStatus::RunTime, because, report);
}

void legalize::reportNest(Operation *nest,
                          const std::optional<NestPlaces::Place> &place,
                          ArrayRef<CheckedAccess> accesses,
                          infer::GuardReport &report) {
  using Axes = SmallVector<unsigned>;
  std::map<Axes, Group> proved, limited;
  llvm::MapVector<Operation *, std::map<Axes, Group>> checked;
  for (const CheckedAccess &access : accesses) {
    int64_t number = infer::getOperationNumber(access.op->getLoc());
    if (number == infer::kNoOperationNumber || access.isRefuted())
      continue;
    if (access.axes.empty())
      report.checkedInFront.insert(number);
    Operation *loop = NestReader::getLoopsAround(access.op).front();
    std::map<Axes, Group> &groups = !access.condition.isTrue() ? checked[loop]
                                    : access.hasLimit()        ? limited
                                                               : proved;
    groups[access.axes].push_back(&access);
  }
  std::string where = describePlace(nest, place);
  for (auto &[axes, group] : proved)
    addRow(nest, areInside(group, ""), GuardStatus::Proved,
           "the bounds of loops and the extents prove it", report);
  for (auto &[axes, group] : limited)
    addRow(nest, areInside(group, ""), GuardStatus::RunTime,
           "the bounds of loops and the extents prove it unless numbers are "
           "too large, which is " +
               where,
           report);
  for (auto &[loop, groups] : checked) {
    std::string at;
    if (checked.size() > 1)
      at = " in the loop at " + getFileLocationText(loop->getLoc());
    for (auto &[axes, group] : groups)
      addCondition(nest, group, at, where, report);
  }
}

void legalize::reportAlone(Operation *op, const std::string &because,
                           infer::GuardReport &report) {
  if (int64_t number = infer::getOperationNumber(op->getLoc());
      number != infer::kNoOperationNumber)
    report.notInFront[number] = because;
}
