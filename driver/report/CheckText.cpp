//===- CheckText.cpp - a report as text and as JSON -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/report/CheckFormats.h"
#include "driver/report/TerminalText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace broadloom;
using namespace broadloom::report;
using infer::GuardReport;
using infer::GuardStatus;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

void StatusCounts::add(GuardStatus status) {
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

std::vector<FunctionRows>
broadloom::report::groupByFunction(const GuardReport &report) {
  std::vector<FunctionRows> functions;
  for (size_t i = 0; i < report.rows.size(); ++i) {
    const GuardReport::Row &row = report.rows[i];
    if (functions.empty() || functions.back().name != row.function)
      functions.push_back({row.function, i, i, {}});
    functions.back().end = i + 1;
    functions.back().counts.add(row.status);
  }
  return functions;
}

StatusCounts broadloom::report::countAll(const GuardReport &report) {
  StatusCounts counts;
  for (const GuardReport::Row &row : report.rows)
    counts.add(row.status);
  return counts;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static constexpr size_t kColumns = 100;

/// Writes `text` from column `indent` on, broken at blanks.
static void writeWrapped(llvm::raw_ostream &out, StringRef text,
                         size_t indent) {
  size_t column = indent;
  bool isFirst = true;
  llvm::SmallVector<StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    if (!isFirst && column + 1 + word.size() > kColumns) {
      out << '\n';
      out.indent(indent);
      column = indent;
      isFirst = true;
    }
    if (!isFirst) {
      out << ' ';
      ++column;
    }
    out << word;
    column += word.size();
    isFirst = false;
  }
  out << '\n';
}

static void writeRow(const GuardReport::Row &row, llvm::raw_ostream &out) {
  constexpr size_t indent = 12;
  out << "  " << llvm::left_justify(guardStatusName(row.status), indent - 2);
  // The text of a fixed extent already names its axis.
  std::string axis = row.axis < 0 || row.status == GuardStatus::Fixed
                         ? ""
                         : "axis " + std::to_string(row.axis) + ": ";
  writeWrapped(out, axis + cleanText(row.constraint), indent);
  out.indent(indent);
  writeWrapped(out, "because " + cleanText(row.reason), indent);
}

/// The operation's name and location; without one, its line as it is printed.
static void writeHeading(const CheckedProgram &program,
                         llvm::ArrayRef<StringRef> lines,
                         const GuardReport::Row &row, llvm::raw_ostream &out) {
  auto writeNames = [&] {
    if (!row.names.empty())
      out << "  " << cleanText(row.names);
    out << '\n';
  };
  unsigned line =
      row.location.empty() && row.status != GuardStatus::Fixed &&
              row.operationNumber >= 0 &&
              static_cast<size_t>(row.operationNumber) < program.lines.size()
          ? program.lines[row.operationNumber]
          : 0;
  if (line == 0 || line > lines.size()) {
    out << cleanText(row.operation);
    if (!row.location.empty())
      out << (row.operation.empty() ? "" : "  ") << cleanText(row.location);
    writeNames();
    return;
  }
  StringRef text = lines[line - 1].trim();
  if (text.size() <= kColumns) {
    out << cleanText(text);
    writeNames();
    return;
  }
  // Not in the middle of a character.
  size_t end = kColumns - 3;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
    --end;
  out << cleanText(text.take_front(end)) << "...";
  writeNames();
}

void broadloom::report::writeText(const CheckedProgram &program,
                                  IsListed isListed, llvm::raw_ostream &out) {
  const std::vector<GuardReport::Row> &rows = program.report.rows;
  llvm::SmallVector<StringRef> lines;
  StringRef(program.text).split(lines, '\n');
  std::vector<FunctionRows> functions = groupByFunction(program.report);
  for (const FunctionRows &function : functions) {
    if (function.name.empty())
      out << "outside functions\n\n";
    else
      out << "function " << cleanText(function.name) << "\n\n";
    const GuardReport::Row *last = nullptr;
    for (size_t i = function.begin; i < function.end; ++i) {
      const GuardReport::Row &row = rows[i];
      if (!isListed(row.status))
        continue;
      // One heading for all constraints of one operation.
      if (!last || last->operationNumber != row.operationNumber ||
          last->operation != row.operation || last->location != row.location)
        writeHeading(program, lines, row, out);
      writeRow(row, out);
      last = &row;
    }
    out << '\n' << function.counts.toString() << "\n\n";
  }
  if (functions.size() != 1)
    out << "in all, " << countAll(program.report).toString() << '\n';
  if (!program.isComplete)
    out << "the rest of the program was not looked at\n";
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

void broadloom::report::writeJson(const CheckedProgram &program,
                                  IsListed isListed, llvm::raw_ostream &out) {
  llvm::json::OStream json(out, /*IndentSize=*/2);
  auto text = [](StringRef value) { return llvm::json::fixUTF8(value); };
  json.array([&] {
    for (const GuardReport::Row &row : program.report.rows) {
      if (!isListed(row.status))
        continue;
      json.object([&] {
        json.attribute("function", text(row.function));
        json.attribute("operation", text(row.operation));
        json.attribute("location", text(row.location));
        if (!row.names.empty())
          json.attribute("names", text(row.names));
        json.attribute("axis", row.axis < 0 ? llvm::json::Value(nullptr)
                                            : llvm::json::Value(row.axis));
        json.attribute("constraint", text(row.constraint));
        json.attribute("status", guardStatusName(row.status));
        json.attribute("reason", text(row.reason));
      });
    }
  });
  out << '\n';
}
