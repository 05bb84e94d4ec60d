//===- CheckSummary.cpp - a report in numbers -----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/report/CheckFormats.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"

using namespace broadloom;
using namespace broadloom::report;
using infer::GuardReport;
using infer::GuardStatus;
using llvm::StringRef;

void StatusCounts::add(const GuardReport::Row &row) {
  GuardStatus status = row.status;
  staticOnes += row.isStatic;
  ++(status == GuardStatus::Proved    ? proved
     : status == GuardStatus::RunTime ? runTime
     : status == GuardStatus::Refuted ? refuted
     : status == GuardStatus::Fixed   ? fixed
                                      : unchecked);
}

std::string StatusCounts::toString() const {
  auto number = [](size_t n) { return n ? std::to_string(n) : "none"; };
  return std::to_string(total()) +
         (total() == 1 ? " constraint: " : " constraints: ") + number(proved) +
         " proved, " + number(runTime) + " at run time, " + number(refuted) +
         " refuted" +
         (unchecked ? ", " + number(unchecked) + " unchecked" : "") +
         (fixed ? ", " + number(fixed) + " fixed" : "");
}

std::string StatusCounts::listParts() const {
  std::vector<std::string> parts;
  auto list = [&](size_t number, const std::string &what) {
    if (number)
      parts.push_back(std::to_string(number) + what);
  };
  list(refuted, " refuted");
  list(unchecked, " unchecked");
  list(runTime, " at run time");
  list(fixed, " fixed");
  list(proved,
       " proved" + (staticOnes ? " (" + std::to_string(staticOnes) + " static)"
                               : std::string()));
  return llvm::join(parts, ", ");
}

std::vector<FunctionRows>
broadloom::report::groupByFunction(const GuardReport &report) {
  std::vector<FunctionRows> functions;
  for (size_t i = 0; i < report.rows.size(); ++i) {
    const GuardReport::Row &row = report.rows[i];
    if (functions.empty() || functions.back().name != row.function)
      functions.push_back({row.function, i, i, {}});
    functions.back().end = i + 1;
    functions.back().counts.add(row);
  }
  return functions;
}

StatusCounts broadloom::report::countAll(const GuardReport &report) {
  StatusCounts counts;
  for (const GuardReport::Row &row : report.rows)
    counts.add(row);
  return counts;
}

/// `Gemm` of `Gemm layer/gemm`, as an importer calls a node that has a name;
/// `mine.scale` of `mine.scale: tosa.mul`, a part of an operation.
static StringRef getKind(StringRef operation) {
  return operation.split(' ').first.rtrim(':');
}

std::vector<OperationRows>
broadloom::report::groupByOperation(const GuardReport &report) {
  llvm::MapVector<StringRef, StatusCounts> counts;
  for (const GuardReport::Row &row : report.rows)
    if (StringRef kind = getKind(row.operation); !kind.empty())
      counts[kind].add(row);
  // The most frequent first, and those that are as frequent in the program's
  // order.
  auto order = llvm::to_vector(llvm::seq<size_t>(0, counts.size()));
  llvm::sort(order, [&](size_t a, size_t b) {
    size_t ofA = counts.begin()[a].second.total();
    size_t ofB = counts.begin()[b].second.total();
    return ofA != ofB ? ofA > ofB : a < b;
  });
  std::vector<OperationRows> operations;
  for (size_t i : order)
    operations.push_back({counts.begin()[i].first, counts.begin()[i].second});
  return operations;
}

std::string broadloom::report::describeVerdict(const CheckedProgram &program) {
  StatusCounts counts = countAll(program.report);
  size_t total = counts.total() - counts.fixed;
  bool isRefused = !program.isAccepted || !program.isComplete;
  std::vector<std::string> parts;
  if (!program.isComplete)
    parts.push_back("the program is refused before all of it is looked at");
  else if (isRefused && !counts.refuted)
    parts.push_back("the program is refused");
  // The first number says of how many.
  bool isFirst = true;
  auto list = [&](size_t number, StringRef what) {
    if (!number)
      return;
    std::string text = std::to_string(number);
    if (std::exchange(isFirst, false))
      text = number < total
                 ? text + " of " + std::to_string(total) + " constraints"
             : total == 1 ? "the one constraint"
             : total == 2 ? "both constraints"
                          : "all " + text + " constraints";
    StringRef verb = number == 1 ? " is " : " are ";
    if (what.consume_front("can "))
      verb = " can ";
    parts.push_back(text + verb.str() + what.str());
  };
  list(counts.refuted, "can never hold");
  list(counts.unchecked, "neither proved nor checked");
  list(counts.runTime, "checked when it runs");
  if (isRefused || !isFirst)
    list(counts.proved, "proved");
  else if (total)
    parts.push_back("every shape is proved; nothing is checked when it runs");
  else
    parts.push_back("there is nothing to prove or to check of its shapes");
  if (counts.fixed)
    parts.push_back(counts.fixed == 1
                        ? "1 extent of its arguments is fixed"
                        : std::to_string(counts.fixed) +
                              " extents of its arguments are fixed");
  return llvm::join(parts, "; ");
}
