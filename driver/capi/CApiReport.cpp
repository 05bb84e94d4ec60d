//===- CApiReport.cpp - reports of shapes for C ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/capi/Handles.h"
#include "driver/report/CheckFormats.h"

#include "llvm/Support/raw_ostream.h"

using namespace broadloom;

struct BroadloomReport {
  CheckedProgram program;
  BroadloomReportRow row;
  std::string output;
};

/// A report of `function`, or of all where that is null.
static BroadloomReport *makeReport(BroadloomCompiler *compiler,
                                   const Source &source, const char *function) {
  compiler->refusal.clear();
  compiler->errors.clear();
  auto report = std::make_unique<BroadloomReport>();
  std::string name = given(function);
  bool isProgram = compiler->compiler->check(source, report->program, name);
  if (isProgram && !report->program.hasFunction(name)) {
    compiler->refusal =
        "error: " + report->program.describeNoFunction(name) + "\n";
    return nullptr;
  }
  bool isListed = isProgram || !report->program.report.rows.empty();
  int32_t status = compiler->compiler->status();
  return isListed && status != BROADLOOM_INTERNAL_ERROR &&
                 status != BROADLOOM_CANCELLED
             ? report.release()
             : nullptr;
}

BroadloomReport *broadloomCheckFile(BroadloomCompiler *compiler,
                                    const char *path, const char *function) {
  return makeReport(compiler, Source::file(given(path)), function);
}

BroadloomReport *broadloomCheckText(BroadloomCompiler *compiler,
                                    const char *text, size_t size,
                                    const char *name, const char *function) {
  return makeReport(compiler, Source::text(given(text, size), given(name)),
                    function);
}

void broadloomReportDestroy(BroadloomReport *report) { delete report; }

int32_t broadloomReportNumRows(const BroadloomReport *report) {
  return static_cast<int32_t>(report->program.report.rows.size());
}

const BroadloomReportRow *broadloomReportRow(BroadloomReport *report,
                                             int32_t index) {
  if (index < 0 || index >= broadloomReportNumRows(report))
    return nullptr;
  const infer::GuardReport::Row &row =
      report->program.report.rows[static_cast<size_t>(index)];
  report->row = {row.function.c_str(),
                 row.operation.c_str(),
                 row.location.c_str(),
                 row.names.c_str(),
                 row.axis,
                 row.constraint.c_str(),
                 infer::guardStatusName(row.status),
                 row.reason.c_str()};
  return &report->row;
}

int32_t broadloomReportIsAccepted(const BroadloomReport *report) {
  return report->program.isAccepted &&
         report::countAll(report->program.report).refuted == 0;
}

const char *broadloomReportWrite(BroadloomReport *report, const char *form,
                                 const char *title, size_t *size) {
  report->output.clear();
  llvm::raw_string_ostream stream(report->output);
  auto all = [](infer::GuardStatus) { return true; };
  llvm::StringRef name = form;
  if (name == "text")
    report::writeText(report->program, report::isOpen, stream);
  else if (name == "json")
    report::writeJson(report->program, all, stream);
  else if (name == "html")
    report::writeHtml(report->program, title, stream);
  else
    return nullptr;
  *size = report->output.size();
  return report->output.c_str();
}
