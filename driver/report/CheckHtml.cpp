//===- CheckHtml.cpp - a report as a page ---------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The page is readable without its script, which only filters the table and
// opens what a link leads to.
//
//===----------------------------------------------------------------------===//

#include "driver/report/CheckFormats.h"
#include "driver/report/HtmlText.h"
#include "driver/report/LineGroups.h"
#include "shape/TakesText.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

using namespace broadloom;
using namespace broadloom::report;
using infer::GuardReport;
using infer::GuardStatus;
using llvm::formatv;
using llvm::StringRef;

/// driver/report/report.css and report.js, from the build.
extern const char *const broadloomReportStyle;
extern const char *const broadloomReportScript;

/// A sign beside the colour, for readers who cannot tell colours apart.
static const char *getSign(GuardStatus status) {
  return status == GuardStatus::Proved    ? "\xE2\x9C\x93" // check mark
         : status == GuardStatus::RunTime ? "\xE2\x96\xB7" // triangle
         : status == GuardStatus::Refuted ? "\xE2\x9C\x95" // cross
         : status == GuardStatus::Fixed   ? "="
                                          : "?";
}

static std::string makeTag(GuardStatus status, const std::string &text) {
  return formatv("<span class=\"tag {0}\">{1} {2}</span>",
                 guardStatusName(status), getSign(status), text);
}

namespace {

class Page {
public:
  Page(const CheckedProgram &program, StringRef title, llvm::raw_ostream &out)
      : program(program), report(program.report), title(escapeHtml(title)),
        out(out), functions(groupByFunction(report)), counts(countAll(report)) {
    for (auto [i, row] : llvm::enumerate(report.rows))
      rowsOf[getLine(row.operationNumber)].push_back(i);
    for (auto [i, value] : llvm::enumerate(report.values))
      valuesOf[getLine(value.operationNumber)].push_back(i);
  }

  void write();

private:
  void writeSummary();
  void writeFunctions();
  void writeListing();
  void writeLine(unsigned number, StringRef text);
  void writeTable();
  void writeRows(llvm::ArrayRef<GuardStatus> statuses);
  void writeFilter();
  void writeRow(size_t index);

  /// 0 where the text has no line for it.
  unsigned getLine(int64_t number) const {
    return number >= 0 && number < int64_t(program.lines.size())
               ? program.lines[number]
               : 0;
  }
  std::string writeTypes(unsigned line) const;

  const CheckedProgram &program;
  const GuardReport &report;
  std::string title;
  llvm::raw_ostream &out;
  std::vector<FunctionRows> functions;
  StatusCounts counts;
  llvm::DenseMap<unsigned, std::vector<size_t>> rowsOf, valuesOf;
};

} // namespace

//===----------------------------------------------------------------------===//
// Summary
//===----------------------------------------------------------------------===//

void Page::writeSummary() {
  struct Part {
    GuardStatus status;
    size_t count;
    const char *meaning;
  };
  std::vector<Part> parts = {
      {GuardStatus::Proved, counts.proved,
       "holds for every call, and costs none"},
      {GuardStatus::RunTime, counts.runTime,
       "checked when the program is called"},
      {GuardStatus::Refuted, counts.refuted, "can never hold: an error"}};
  if (counts.unchecked)
    parts.push_back({GuardStatus::Unchecked, counts.unchecked,
                     "nothing checks it: see the reason"});
  if (counts.fixed)
    parts.push_back({GuardStatus::Fixed, counts.fixed,
                     "an extent that calls cannot choose: see the reason"});
  out << "<header>\n<a class=\"skip\" href=\"#constraints\">to the "
         "constraints</a>\n<h1><small>What must hold of the shapes "
         "of</small>"
      << title << "</h1>\n<p class=\"verdict\">"
      << escapeHtml(describeVerdict(program))
      << "</p>\n<ul class=\"counts\">\n";
  for (const Part &part : parts)
    out << formatv("<li class=\"{0}{1}\"><b>{2}</b><span>{3} {0}</span>"
                   "<small>{4}</small></li>\n",
                   guardStatusName(part.status), part.count ? "" : " none",
                   part.count, getSign(part.status), part.meaning);
  out << "</ul>\n<div class=\"bar\" aria-hidden=\"true\">";
  for (const Part &part : parts)
    if (part.count)
      out << formatv("<i class=\"{0}\" style=\"flex:{1}\"></i>",
                     guardStatusName(part.status), part.count);
  out << "</div>\n<p class=\"soft\">" << counts.toString() << ".</p>\n";
  if (!program.isComplete)
    out << "<p class=\"note\">The program has errors that leave the rest of it "
           "unknown: only what was found before them is listed.</p>\n";
  out << "</header>\n";
}

void Page::writeFunctions() {
  llvm::StringMap<StatusCounts> countsOf;
  llvm::StringMap<std::vector<const GuardReport::Value *>> argumentsOf;
  llvm::StringMap<std::vector<const GuardReport::Symbol *>> symbolsOf;
  for (const FunctionRows &function : functions)
    countsOf[function.name] = function.counts;
  for (const GuardReport::Value &value : report.values)
    if (value.operationNumber < 0)
      argumentsOf[value.function].push_back(&value);
  for (const GuardReport::Symbol &symbol : report.symbols)
    symbolsOf[symbol.function].push_back(&symbol);

  out << "<section id=\"functions\"><h2>Functions and symbols</h2>\n"
         "<div class=\"functions\">\n";
  for (const CheckedProgram::Function &function : program.functions) {
    out << "<article class=\"function\"><h3><code>" << escapeHtml(function.name)
        << "</code></h3>\n";
    if (program.functions.size() > 1)
      out << "<p class=\"soft\">" << countsOf[function.name].toString()
          << "</p>\n";
    out << "<ul>\n";
    for (const GuardReport::Value *value : argumentsOf[function.name])
      out << formatv("<li>{0}: <code>{1}</code></li>\n",
                     value->variable.empty()
                         ? escapeHtml(argumentText(value->index, value->name))
                         : "variable '" + escapeHtml(value->variable) + "'",
                     highlightType(value->type));
    out << "</ul>\n";
    const auto &symbols = symbolsOf[function.name];
    if (!symbols.empty()) {
      out << "<details" << (symbols.size() <= 12 ? " open" : "")
          << "><summary>what the symbols stand for</summary><dl>\n";
      for (const GuardReport::Symbol *symbol : symbols)
        out << "<dt class=\"sym\">" << escapeHtml(symbol->name) << "</dt><dd>"
            << escapeHtml(symbol->meaning) << "</dd>\n";
      out << "</dl></details>\n";
    }
    out << "</article>\n";
  }
  out << "</div></section>\n";
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

std::string Page::writeTypes(unsigned line) const {
  std::string text;
  auto it = valuesOf.find(line);
  if (line && it != valuesOf.end())
    for (size_t value : it->second) {
      text += text.empty() ? "" : ", ";
      text += highlightType(report.values[value].type);
    }
  return text;
}

void Page::writeLine(unsigned number, StringRef text) {
  auto it = rowsOf.find(number);
  StatusCounts own;
  if (it != rowsOf.end())
    for (size_t row : it->second)
      own.add(report.rows[row]);
  out << "<li id=\"L" << number << '"';
  if (own.total())
    out << " class=\""
        << guardStatusName(own.refuted     ? GuardStatus::Refuted
                           : own.unchecked ? GuardStatus::Unchecked
                           : own.runTime   ? GuardStatus::RunTime
                           : own.fixed     ? GuardStatus::Fixed
                                           : GuardStatus::Proved)
        << '"';
  out << formatv("><a class=\"number\" href=\"#L{0}\">{0}</a><pre>", number)
      << highlightLine(text) << "</pre>";
  std::string types = writeTypes(number);
  if (!own.total()) {
    if (!types.empty())
      out << "<div class=\"types\">" << types << "</div>";
    out << "</li>\n";
    return;
  }
  out << "<details" << (own.refuted ? " open" : "") << "><summary>" << types;
  auto count = [&](GuardStatus status, size_t number) {
    if (number)
      out << makeTag(status,
                     std::to_string(number) + " " + guardStatusName(status));
  };
  count(GuardStatus::Refuted, own.refuted);
  count(GuardStatus::Unchecked, own.unchecked);
  count(GuardStatus::RunTime, own.runTime);
  count(GuardStatus::Fixed, own.fixed);
  count(GuardStatus::Proved, own.proved);
  out << "</summary><ul class=\"constraints\">\n";
  for (size_t index : it->second) {
    const GuardReport::Row &row = report.rows[index];
    const char *status = guardStatusName(row.status);
    out << formatv("<li class=\"{0}\">{1} <code>{2}</code>", status,
                   makeTag(row.status, status), escapeHtml(row.operation));
    if (row.axis >= 0)
      out << " axis " << row.axis;
    out << formatv(
        "<p>{0} <a href=\"#o{2}\" aria-label=\"row {2} of the "
        "table\">#{2}</a></p><p class=\"soft\">because {1}</p></li>\n",
        escapeHtml(row.constraint), escapeHtml(row.reason), index + 1);
  }
  out << "</ul></details></li>\n";
}

void Page::writeListing() {
  out << "<section id=\"program\"><h2>The program <button id=\"open-all\" "
         "class=\"needs-script\" hidden>open all</button></h2>\n"
      << (program.isSource
              ? ""
              : "<p class=\"soft\">As this compiler prints it, since its file "
                "is no text.</p>\n")
      << "<ol class=\"listing\">\n";
  llvm::SmallVector<StringRef> lines;
  StringRef(program.text).split(lines, '\n');
  if (!lines.empty() && lines.back().empty())
    lines.pop_back();
  auto hasRows = [&](size_t line) { return rowsOf.contains(line + 1); };
  for (const LineGroup &group : groupLines(lines, hasRows)) {
    size_t number = group.end - group.begin;
    if (!group.what.empty())
      out << formatv("<li class=\"folded\"><details><summary>{0}: {1} line{2}"
                     "</summary><ol>\n",
                     group.what, number, number == 1 ? "" : "s");
    for (size_t i = group.begin; i < group.end; ++i)
      writeLine(i + 1, lines[i].rtrim('\r'));
    if (!group.what.empty())
      out << "</ol></details></li>\n";
  }
  out << "</ol></section>\n";
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

void Page::writeFilter() {
  out << "<form class=\"filter needs-script\" role=\"search\" "
         "onsubmit=\"return false\" hidden>\n"
         "<input type=\"search\" id=\"search\" placeholder=\"filter ( / )\" "
         "aria-label=\"show rows with these words\">\n";
  if (functions.size() > 1) {
    out << "<select id=\"function\" aria-label=\"function\"><option "
           "value=\"\">all functions</option>";
    for (const FunctionRows &function : functions) {
      std::string name = escapeHtml(function.name);
      out << formatv("<option value=\"{0}\">{0}</option>", name);
    }
    out << "</select>\n";
  }
  std::vector<GuardStatus> statuses = {
      GuardStatus::Proved, GuardStatus::RunTime, GuardStatus::Refuted};
  if (counts.unchecked)
    statuses.push_back(GuardStatus::Unchecked);
  if (counts.fixed)
    statuses.push_back(GuardStatus::Fixed);
  for (GuardStatus status : statuses)
    out << formatv("<label><input type=\"checkbox\" value=\"{0}\" checked>{1}"
                   "</label>\n",
                   guardStatusName(status),
                   makeTag(status, guardStatusName(status)));
  out << "<output id=\"shown\" class=\"soft\" aria-live=\"polite\"></output>\n"
         "</form>\n";
}

void Page::writeRow(size_t index) {
  const GuardReport::Row &row = report.rows[index];
  const char *status = guardStatusName(row.status);
  unsigned line = getLine(row.operationNumber);
  std::string location = escapeHtml(row.location);
  if (line && row.status != GuardStatus::Fixed) {
    // The page has the file's name at its head.
    StringRef column = StringRef(row.location).rsplit(':').second;
    bool hasColumn = program.isSource && !column.empty();
    location = formatv("<a href=\"#L{0}\">line {0}{1}</a>", line,
                       hasColumn ? ":" + escapeHtml(column) : "");
  }
  if (!row.names.empty())
    location += (location.empty() ? "" : "<br>") + escapeHtml(row.names);
  out << formatv("<tr id=\"o{0}\" class=\"{1}\" data-function=\"{2}\"><td>{3}"
                 "</td>",
                 index + 1, status, escapeHtml(row.function),
                 makeTag(row.status, status));
  out << "<td data-name=\"in\">" << escapeHtml(row.function)
      << "</td><td><code>" << escapeHtml(row.operation) << "</code><br>"
      << location << "</td><td data-name=\"axis\">";
  if (row.axis >= 0)
    out << row.axis;
  out << "</td><td>" << escapeHtml(row.constraint)
      << "</td><td data-name=\"because\">" << escapeHtml(row.reason)
      << "</td></tr>\n";
}

void Page::writeRows(llvm::ArrayRef<GuardStatus> statuses) {
  out << "<table><thead><tr><th scope=\"col\">Status</th><th "
         "scope=\"col\">Function</th><th scope=\"col\">Operation</th><th "
         "scope=\"col\">Axis</th><th scope=\"col\">What must hold</th><th "
         "scope=\"col\">Because</th></tr></thead><tbody>\n";
  for (GuardStatus status : statuses)
    for (auto [i, row] : llvm::enumerate(report.rows))
      if (row.status == status)
        writeRow(i);
  out << "</tbody></table>\n";
}

void Page::writeTable() {
  out << "<section id=\"constraints\"><h2>Constraints</h2>\n";
  writeFilter();
  if (counts.total() != counts.proved)
    writeRows({GuardStatus::Refuted, GuardStatus::Unchecked,
               GuardStatus::RunTime, GuardStatus::Fixed});
  if (counts.proved) {
    out << "<details id=\"proved\"><summary>"
        << makeTag(GuardStatus::Proved,
                   std::to_string(counts.proved) + " proved")
        << "</summary>\n";
    writeRows(GuardStatus::Proved);
    out << "</details>\n";
  }
  out << "</section>\n";
  std::vector<OperationRows> operations = groupByOperation(report);
  if (operations.empty())
    return;
  out << "<section id=\"operations\"><h2>By operation</h2>\n<dl>\n";
  for (const OperationRows &kind : operations)
    out << "<dt>" << escapeHtml(kind.operation) << "</dt><dd>"
        << kind.counts.listParts() << "</dd>\n";
  out << "</dl></section>\n";
}

void Page::write() {
  beginPage("Shapes of " + title, {broadloomReportStyle}, out);
  writeSummary();
  out << "<main>\n";
  writeTable();
  writeFunctions();
  writeListing();
  out << "</main>\n<footer>Written by <code>broadloom check</code>. "
         "s0, s1, \xE2\x80\xA6 are extents that are known when the program is "
         "called.</footer>\n<script>\n"
      << broadloomReportScript << "</script>\n</body>\n</html>\n";
}

void broadloom::report::writeHtml(const CheckedProgram &program,
                                  StringRef title, llvm::raw_ostream &out) {
  Page(program, title, out).write();
}
