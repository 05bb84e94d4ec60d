//===- ProfileHtml.cpp - a profile as a page ------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The page has no script. A row has the same number in the picture, beside the
// program and in the table.
//
//===----------------------------------------------------------------------===//

#include "driver/report/HtmlText.h"
#include "driver/report/Roofline.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <map>

using namespace broadloom;
using namespace broadloom::report;
using llvm::formatv;
using llvm::StringRef;

/// driver/report/report.css and profile.css, from the build.
extern const char *const broadloomReportStyle;
extern const char *const broadloomProfileStyle;

namespace {

class Page {
public:
  Page(const ProfileReport &report, StringRef file, llvm::raw_ostream &out)
      : report(report), file(file),
        title(escapeHtml(llvm::sys::path::filename(file))), out(out) {
    for (auto [i, row] : llvm::enumerate(report.rows))
      if (row.site)
        for (const ProfiledProgram::Operation &operation : row.site->operations)
          if (std::vector<size_t> &rows = rowsOf[operation.line];
              rows.empty() || rows.back() != i)
            rows.push_back(i);
  }

  void write();

private:
  void writeSummary();
  void writeCard(const std::string &number, const std::string &what,
                 const std::string &more);
  void writePicture();
  void writeListing();
  void writeLine(unsigned number, StringRef text);
  void writeTable();
  void writeRow(size_t index);
  std::string linkOperations(const ProfileRow &row) const;

  /// The name of a kind beside the number of a row, in the kind's colour.
  static std::string makeTag(const ProfileRow &row, size_t index) {
    return formatv("<span class=\"tag {0}\">{1} {0}</span>", row.kind(),
                   index + 1);
  }
  static std::string percent(double part) {
    return formatv("{0:F1} %", 100 * part);
  }

  const ProfileReport &report;
  StringRef file;
  std::string title;
  llvm::raw_ostream &out;
  /// The rows that have an operation on a line; line 0 has the rows without
  /// one.
  std::map<unsigned, std::vector<size_t>> rowsOf;
};

} // namespace

//===----------------------------------------------------------------------===//
// Summary and picture
//===----------------------------------------------------------------------===//

void Page::writeCard(const std::string &number, const std::string &what,
                     const std::string &more) {
  out << formatv("<li><b>{0}</b><span>{1}</span><small>{2}</small></li>\n",
                 number, what, more);
}

void Page::writeSummary() {
  out << "<header>\n<a class=\"skip\" href=\"#rows\">to the table</a>\n"
         "<h1><small>Where the time of <code>"
      << escapeHtml(report.function) << "</code> goes in</small>" << title
      << "</h1>\n<ul class=\"counts\">\n";
  double outside = 0;
  for (const ProfileRow &row : report.rows)
    outside += row.site ? 0 : row.share;
  writeCard(formatTime(report.call.nanoseconds),
            formatv("the fastest of {0} calls", report.profiled.calls),
            formatv("threads: {0}; median {1}", report.threads,
                    formatTime(report.profiled.median)));
  writeCard(percent(1 - outside), "in kernels, loops and copies",
            "the rest: guards, memory, control flow");
  writeCard(percent(report.overhead()), "added by the profile",
            "without it " + formatTime(report.plain.min));
  out << "</ul>\n<div class=\"bar\" aria-hidden=\"true\">";
  for (const ProfileRow &row : report.rows)
    out << formatv("<i class=\"{0}\" style=\"flex:{1:F5}\"></i>", row.kind(),
                   row.share);
  out << "</div>\n</header>\n";
}

void Page::writePicture() {
  size_t left = llvm::count_if(report.rows, [](const ProfileRow &row) {
    return row.site && !isInRoofline(row);
  });
  out << "<section id=\"picture\"><h2>How far from the machine's "
         "limits</h2>\n<figure>\n";
  writeRoofline(report, out);
  out << "<figcaption>A point is a row of the table; the larger it is, the "
         "more time it takes. The lines are what this machine was measured to "
         "do with as many threads. A multiply-add counts as two operations.";
  if (left)
    out << formatv(" Not shown: {0} without bytes or operations that are "
                   "counted.",
                   left == 1 ? "one row" : std::to_string(left) + " rows");
  out << "</figcaption>\n</figure>\n</section>\n";
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

void Page::writeLine(unsigned number, StringRef text) {
  auto it = rowsOf.find(number);
  out << "<li id=\"L" << number << '"';
  if (it != rowsOf.end())
    out << " class=\"" << report.rows[it->second.front()].kind() << '"';
  out << formatv("><a class=\"number\" href=\"#L{0}\">{0}</a><pre>", number)
      << highlightLine(text) << "</pre>";
  if (it != rowsOf.end()) {
    out << "<div class=\"spent\">";
    for (size_t index : it->second) {
      const ProfileRow &row = report.rows[index];
      bool isPart = row.site->operations.size() > 1;
      out << formatv(
          "<a href=\"#r{0}\" class=\"{1}{2}\">{3}<span "
          "class=\"length\"><b style=\"width:{4:F2}%\"></b></span>"
          "<span>{5}{6}</span></a>",
          index + 1, row.kind(), isPart ? " part" : "", makeTag(row, index),
          100 * row.share, percent(row.share),
          isPart
              ? formatv(" with {0} more", row.site->operations.size() - 1).str()
              : "");
    }
    out << "</div>";
  }
  out << "</li>\n";
}

void Page::writeListing() {
  out << "<section id=\"program\"><h2>The program</h2>\n";
  if (!report.program->isSource)
    out << "<p class=\"soft\">As this compiler prints it, since its file is no "
           "text.</p>\n";
  out << "<ol class=\"listing\">\n";
  unsigned number = 0;
  for (StringRef rest = report.program->text; !rest.empty();) {
    auto [line, after] = rest.split('\n');
    writeLine(++number, line.rtrim('\r'));
    rest = after;
  }
  out << "</ol></section>\n";
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

std::string Page::linkOperations(const ProfileRow &row) const {
  if (!row.site || row.site->operations.empty())
    return escapeHtml(describeOperations(row, file, 1));
  std::string text;
  for (const ProfiledProgram::Operation &operation : row.site->operations) {
    text += text.empty() ? "" : ", ";
    text += "<code>" + escapeHtml(operation.name) + "</code>";
    if (operation.line)
      text += formatv(" <a href=\"#L{0}\">{0}</a>", operation.line);
    if (!operation.names.empty())
      text += " " + escapeHtml(operation.names);
  }
  return text;
}

void Page::writeRow(size_t index) {
  const ProfileRow &row = report.rows[index];
  const Work &work = row.spent.work;
  double time = row.spent.nanoseconds;
  auto cell = [&](const char *name, const std::string &text) {
    out << formatv("<td data-name=\"{0}\">{1}</td>", name, text);
  };
  out << formatv("<tr id=\"r{0}\" class=\"{1}\"><td>{2}</td><td>{3}</td>",
                 index + 1, row.kind(), makeTag(row, index),
                 linkOperations(row));
  cell("share", percent(row.share) +
                    formatv("<span class=\"length\"><b style=\"width:{0:F2}%\">"
                            "</b></span>",
                            100 * row.share)
                        .str());
  cell("time", formatTime(time));
  if (!row.site) {
    out << "<td></td><td></td><td></td><td></td><td></td><td></td></tr>\n";
    return;
  }
  cell("launches", std::to_string(row.spent.visits));
  cell("mean", formatTime(row.mean()));
  cell("threads", formatv("{0:F1}", row.threads()));
  cell("bytes", work.bytes
                    ? formatBytes(double(work.bytes)) + "<br>" +
                          formatBytes(1e9 * double(work.bytes) / time) + "/s"
                    : "");
  double operations = countOperations(row);
  cell("operations", operations
                         ? formatCount(operations) + "<br>" +
                               formatCount(1e9 * operations / time) + "/s"
                         : "");
  cell("of the limit",
       row.bound == Bound::Unknown
           ? ""
           : formatv("{0:F0} %<br>{1}", 100 * row.ofLimit, getName(row.bound))
                 .str());
  out << "</tr>\n";
}

void Page::writeTable() {
  out << "<section id=\"rows\"><h2>All rows</h2>\n<div class=\"rows\">\n"
         "<table><thead><tr>";
  for (const char *name :
       {"Row", "What it computes", "Share", "Time", "Launches", "Mean",
        "Threads", "Bytes", "Operations", "Of the limit"})
    out << "<th scope=\"col\">" << name << "</th>";
  out << "</tr></thead><tbody>\n";
  for (size_t i = 0; i < report.rows.size(); ++i)
    writeRow(i);
  out << "</tbody></table></div></section>\n";
}

void Page::write() {
  beginPage("Time of " + title, {broadloomReportStyle, broadloomProfileStyle},
            out);
  writeSummary();
  out << "<main>\n";
  writePicture();
  writeListing();
  writeTable();
  out << "</main>\n<footer>Written by <code>broadloom "
         "profile</code>.</footer>\n"
         "</body>\n</html>\n";
}

void report::writeHtml(const ProfileReport &report, StringRef file,
                       llvm::raw_ostream &out) {
  Page(report, file, out).write();
}
