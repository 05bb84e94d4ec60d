//===- ConstraintRows.cpp - constraints in a report -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/ConstraintRows.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/NumberText.h"

#include "infer/functions/Origin.h"
#include "infer/functions/Statement.h"
#include "infer/report/ReportRow.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// Whether a constraint has only static numbers.
static bool isStatic(const Constraint &constraint) {
  return llvm::all_of(constraint.values, [](const Datum &datum) {
    auto *number = std::get_if<Number>(&datum);
    return !number || number->isConstant();
  });
}

/// The fact that decides a constraint; empty if none is needed.
static std::string getFact(const Outcome &outcome, const Answer &answer) {
  const Symbols &symbols = outcome.numbers->getSymbols();
  return symbols.origin(answer.fact()).empty()
             ? std::string()
             : outcome.numbers->getProver().explain(answer);
}

static std::string getReason(const Outcome &outcome,
                             const Constraint &constraint) {
  if (constraint.truth == Truth::Unknown)
    return isStatic(constraint)
               ? "it depends on data"
               : "it is not known for all values of these extents";
  Answer answer = decide(*outcome.numbers, constraint.condition);
  bool isProved = constraint.truth == Truth::Proved;
  if (isProved && !answer.isProved())
    return "it follows from what the operation requires before";
  if (std::string fact = getFact(outcome, answer); !fact.empty())
    return fact;
  if (isStatic(constraint))
    return isProved ? "it is known statically"
                    : "it is known statically not to hold";
  if (outcome.numbers->hasFacts())
    return isProved ? "it follows from what is known of these extents"
                    : "it contradicts what is known of these extents";
  return isProved ? "it holds whatever these extents are"
                  : "it does not hold, whatever these extents are";
}

std::vector<size_t> infer::addRows(GuardReport &report, Operation *op,
                                   const Outcome &outcome) {
  std::vector<size_t> indices;
  for (const Constraint &constraint : outcome.constraints) {
    GuardReport::Row row = makeRow(op, getOrigin(op));
    // Known numbers are folded in the condition, but the function's text has
    // them.
    std::string holds = describe(*outcome.numbers, constraint.condition);
    if (holds.empty())
      holds = constraint.statement;
    row.constraint = makeConstraint(holds, describe(outcome, constraint));
    row.whereProved =
        makeConstraint(holds, describeImpossible(outcome, constraint));
    row.isStatic = isStatic(constraint);
    row.status = constraint.truth == Truth::Proved    ? GuardStatus::Proved
                 : constraint.truth == Truth::Refuted ? GuardStatus::Refuted
                                                      : GuardStatus::RunTime;
    row.reason = getReason(outcome, constraint);
    indices.push_back(report.rows.size());
    report.rows.push_back(std::move(row));
  }
  if (outcome.error) {
    GuardReport::Row row = makeRow(op, getOrigin(op));
    row.constraint = "its shape function has an answer";
    row.status = GuardStatus::Refuted;
    row.reason = outcome.error->message;
    report.rows.push_back(std::move(row));
  }
  return indices;
}
