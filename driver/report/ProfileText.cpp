//===- ProfileText.cpp - a profile as text --------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/report/ProfileReport.h"
#include "driver/report/TerminalText.h"

#include "llvm/Support/FormatVariadic.h"

using namespace broadloom;
using namespace broadloom::report;
using llvm::formatv;
using llvm::StringRef;

static void writeHead(const ProfileReport &report, llvm::raw_ostream &out) {
  const MachineLimits &limits = report.limits;
  out << formatv("{0}: {1}, the fastest of {2} calls; threads: {3}\n",
                 cleanText(report.function),
                 formatTime(report.call.nanoseconds), report.profiled.calls,
                 report.threads);
  out << formatv("  without a profile {0}; the profile adds {1:F1} %\n",
                 formatTime(report.plain.min), 100 * report.overhead());
  out << formatv("  the machine copies {0}/s in memory and {1}/s in its first "
                 "cache,\n  multiplies and adds {2}/s and adds {3}/s numbers "
                 "of f32\n\n",
                 formatBytes(limits.copies.back().bytesPerNs * 1e9),
                 formatBytes(limits.copies.front().bytesPerNs * 1e9),
                 formatCount(limits.multiplyAdds * 1e9),
                 formatCount(limits.additions * 1e9));
}

/// Describes the work by its multiply-adds if it has any.
static std::string describeWork(const Work &work) {
  if (work.multiplyAdds)
    return formatCount(double(work.multiplyAdds)) + " mul-add";
  return work.operations ? formatCount(double(work.operations)) : "";
}

static std::string describeLimit(const ProfileRow &row) {
  return row.bound == Bound::Unknown
             ? ""
             : formatv("{0:F0} % {1}", 100 * row.ofLimit, getName(row.bound))
                   .str();
}

void report::writeText(const ProfileReport &report, StringRef file,
                       llvm::raw_ostream &out) {
  constexpr size_t mostOperations = 4;
  constexpr const char *form =
      "{0,8}{1,10}{2,9}{3,10}{4,10}{5,10}{6,15}  {7}\n";
  writeHead(report, out);
  out << formatv(form, "share", "time", "launches", "shortest", "mean", "bytes",
                 "operations", "of the limit");
  for (const ProfileRow &row : report.rows) {
    std::string share = formatv("{0:F1} %", 100 * row.share).str();
    std::string time = formatTime(row.spent.nanoseconds);
    std::string line =
        row.site
            ? formatv(form, share, time, row.spent.visits,
                      formatTime(row.spent.shortest), formatTime(row.mean()),
                      row.spent.work.bytes
                          ? formatBytes(double(row.spent.work.bytes))
                          : "",
                      describeWork(row.spent.work), describeLimit(row))
                  .str()
            : formatv("{0,8}{1,10}\n", share, time).str();
    out << StringRef(line).rtrim() << '\n';
    out << formatv("          {0}: {1}\n", row.kind(),
                   cleanText(describeOperations(row, file, mostOperations)));
  }
}
