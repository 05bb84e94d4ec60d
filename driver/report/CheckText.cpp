//===- CheckText.cpp - a report as text and as JSON -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/report/CheckFormats.h"
#include "driver/report/TerminalText.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/JSON.h"

using namespace broadloom;
using namespace broadloom::report;
using infer::GuardReport;
using infer::GuardStatus;
using llvm::StringRef;

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

static void writeFunction(const FunctionRows &function,
                          llvm::raw_ostream &out) {
  if (function.name.empty())
    out << "outside functions\n\n";
  else
    out << "function " << cleanText(function.name) << "\n\n";
}

/// A line for each kind of operation.
static void writeOperations(const GuardReport &report, llvm::raw_ostream &out) {
  std::vector<OperationRows> operations = groupByOperation(report);
  if (operations.empty())
    return;
  size_t width = 0;
  for (const OperationRows &kind : operations)
    width = std::max(width, kind.operation.size());
  out << "by operation\n\n";
  for (const OperationRows &kind : operations)
    out << "  "
        << llvm::left_justify(cleanText(kind.operation),
                              std::min<size_t>(width, kColumns / 2))
        << "  " << kind.counts.listParts() << '\n';
  out << '\n';
}

/// A heading and a reason for each loop over memory.
static void writeLoops(const GuardReport &report, llvm::raw_ostream &out) {
  if (report.loops.empty())
    return;
  out << "loops\n\n";
  for (const GuardReport::Loop &loop : report.loops) {
    constexpr size_t indent = 12;
    out << "  " << loop.operation;
    if (!loop.location.empty())
      out << "  " << cleanText(loop.location);
    out << "\n    " << (loop.isParallel ? "parallel" : "in order") << '\n';
    out.indent(indent);
    writeWrapped(out, "because " + cleanText(loop.reason), indent);
  }
  out << '\n';
}

static StringRef getName(GuardReport::Edit::Outcome outcome) {
  using Outcome = GuardReport::Edit::Outcome;
  switch (outcome) {
  case Outcome::Made:
    return "made";
  case Outcome::Refused:
    return "refused";
  case Outcome::LeftOut:
    return "left out";
  case Outcome::Unchanged:
    return "unchanged";
  }
  llvm_unreachable("unknown outcome");
}

/// What becomes of vectors is known when code is made.
static StringRef describeMade(const GuardReport::Edit &edit) {
  return edit.operation == "transform.loom.vectorize"
             ? "made, unless LLVM makes no vectors of the loop"
             : "made";
}

/// The operations of a schedule, each with the loops behind it.
static void writeSchedule(const GuardReport &report, llvm::raw_ostream &out) {
  using Outcome = GuardReport::Edit::Outcome;
  if (report.edits.empty())
    return;
  auto writeTree = [&](StringRef tree) {
    llvm::SmallVector<StringRef> lines;
    tree.split(lines, '\n', -1, /*KeepEmpty=*/false);
    for (StringRef line : lines)
      out << "      " << cleanText(line) << '\n';
  };
  out << "schedule\n\n";
  writeTree(report.tree);
  for (const GuardReport::Edit &edit : report.edits) {
    constexpr size_t indent = 12;
    out << "  " << edit.operation << "  " << cleanText(edit.location)
        << "\n    "
        << (edit.outcome == Outcome::Made ? describeMade(edit)
                                          : getName(edit.outcome))
        << '\n';
    if (edit.outcome == Outcome::Made) {
      writeTree(edit.tree);
      continue;
    }
    out.indent(indent);
    writeWrapped(out, "because " + cleanText(edit.reason), indent);
  }
  out << '\n';
}

void broadloom::report::writeText(const CheckedProgram &program,
                                  IsListed isListed, llvm::raw_ostream &out) {
  const std::vector<GuardReport::Row> &rows = program.report.rows;
  llvm::SmallVector<StringRef> lines;
  StringRef(program.text).split(lines, '\n');
  std::vector<FunctionRows> functions = groupByFunction(program.report);
  out << describeVerdict(program) << "\n\n";
  for (const FunctionRows &function : functions) {
    const GuardReport::Row *last = nullptr;
    for (size_t i = function.begin; i < function.end; ++i) {
      const GuardReport::Row &row = rows[i];
      if (!isListed(row.status))
        continue;
      if (!last)
        writeFunction(function, out);
      // One heading for all constraints of one operation.
      if (!last || last->operationNumber != row.operationNumber ||
          last->operation != row.operation || last->location != row.location)
        writeHeading(program, lines, row, out);
      writeRow(row, out);
      last = &row;
    }
    if (last && functions.size() > 1)
      out << '\n' << function.counts.toString() << '\n';
    if (last)
      out << '\n';
  }
  writeLoops(program.report, out);
  writeSchedule(program.report, out);
  writeOperations(program.report, out);
  out << (functions.size() == 1 ? "" : "in all, ")
      << countAll(program.report).toString() << '\n';
  if (!program.isComplete)
    out << "the rest of the program was not looked at\n";
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// `schedule`: the loops in front, and the operations with the loops behind.
static void writeSchedule(const GuardReport &report, llvm::json::OStream &json,
                          llvm::function_ref<std::string(StringRef)> text) {
  json.attributeObject("schedule", [&] {
    json.attribute("tree", text(report.tree));
    json.attributeArray("edits", [&] {
      for (const GuardReport::Edit &edit : report.edits)
        json.object([&] {
          json.attribute("operation", text(edit.operation));
          json.attribute("location", text(edit.location));
          json.attribute("outcome", getName(edit.outcome));
          if (!edit.reason.empty())
            json.attribute("reason", text(edit.reason));
          if (!edit.tree.empty())
            json.attribute("tree", text(edit.tree));
        });
    });
  });
}

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
    if (!program.report.edits.empty())
      json.object([&] { writeSchedule(program.report, json, text); });
  });
  out << '\n';
}
