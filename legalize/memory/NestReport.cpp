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

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;
using infer::GuardStatus;

std::string legalize::describe(const NestSymbol &symbol) {
  if (symbol.isExtent())
    return "axis " + std::to_string(symbol.axis) + " of " +
           infer::describeMemory(symbol.value);
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

/// Adds what must hold where the loops reach the access.
static void listClauses(const CheckedAccess &access,
                        std::vector<std::string> &texts) {
  poly::Space space = access.condition.space;
  for (const auto &[variable, symbol] : access.reader->getSymbols())
    space.setName(variable, describe(symbol));
  for (const poly::Clause &clause : access.condition.clauses) {
    SmallVector<std::string> forms;
    for (const poly::Form &form : clause)
      if (!poly::saysEmpty(access.reader->getDomain(), access.condition.space,
                           form))
        forms.push_back(space.printComparison(form));
    if (forms.empty())
      for (const poly::Form &form : clause)
        forms.push_back(space.printComparison(form));
    std::string text = llvm::join(forms, " or ");
    text = forms.size() > 1 ? "(" + text + ")" : text;
    if (!llvm::is_contained(texts, text))
      texts.push_back(std::move(text));
  }
}

static bool isRefuted(const CheckedAccess &access) {
  return llvm::any_of(access.condition.clauses, [](const poly::Clause &clause) {
    return clause.empty();
  });
}

static void addRow(Operation *nest, size_t number, const std::string &condition,
                   GuardStatus status, std::string reason,
                   infer::GuardReport &report) {
  if (number == 0)
    return;
  infer::GuardReport::Row row =
      infer::makeRow(nest, infer::getOriginalName(nest));
  row.constraint =
      (number == 1 ? "1 access is" : std::to_string(number) + " accesses are") +
      " inside" + condition;
  row.status = status;
  row.reason = std::move(reason);
  row.isOfLoops = true;
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

void legalize::reportNest(Operation *nest,
                          const std::optional<NestPlaces::Place> &place,
                          ArrayRef<CheckedAccess> accesses,
                          infer::GuardReport &report) {
  size_t proved = 0, limited = 0, checked = 0;
  bool readsMore = false;
  std::vector<std::string> texts;
  for (const CheckedAccess &access : accesses) {
    int64_t number = infer::getOperationNumber(access.op->getLoc());
    if (number == infer::kNoOperationNumber || isRefuted(access))
      continue;
    report.checkedInFront.insert(number);
    if (!access.condition.isTrue()) {
      ++checked;
      readsMore |= access.reader->readsMore();
      listClauses(access, texts);
    } else if (access.hasLimit()) {
      ++limited;
    } else {
      ++proved;
    }
  }
  std::string where = describePlace(nest, place);
  addRow(nest, proved, "", GuardStatus::Proved,
         "the bounds of loops and the extents prove it", report);
  addRow(nest, limited, "", GuardStatus::RunTime,
         "the bounds of loops and the extents prove it unless numbers are too "
         "large, which is " +
             where,
         report);
  addRow(
      nest, checked, ", where the loops run: " + llvm::join(texts, " and "),
      GuardStatus::RunTime,
      "it is " + where +
          (readsMore ? ", and access by access where that does not hold" : ""),
      report);
}

void legalize::reportAlone(Operation *op, const std::string &because,
                           infer::GuardReport &report) {
  if (int64_t number = infer::getOperationNumber(op->getLoc());
      number != infer::kNoOperationNumber)
    report.notInFront[number] = because;
}
