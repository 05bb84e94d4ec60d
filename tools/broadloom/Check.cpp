//===- Check.cpp - broadloom check ----------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/report/CheckFormats.h"
#include "tools/broadloom/BugReport.h"
#include "tools/broadloom/Options.h"
#include "tools/broadloom/Terminal.h"
#include "tools/io/OutputFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace broadloom;
using namespace broadloom::report;
using namespace broadloom::tool;

int broadloom::tool::checkProgram(const Options &options) {
  bool isHtml = options.format == "html", isJson = options.format == "json";
  if (!isHtml && !isJson && options.format != "text")
    return fail(kUsage, "--format=" + options.format +
                            ": there are text, json and html");
  auto isListed = [&](infer::GuardStatus status) {
    if (options.statuses.empty())
      return isJson || options.all || isOpen(status);
    return llvm::is_contained(options.statuses, infer::guardStatusName(status));
  };
  for (const std::string &status : options.statuses)
    if (!llvm::is_contained(
            {"proved", "run-time", "refuted", "unchecked", "fixed"}, status))
      return fail(kUsage, "--status=" + status +
                              ": there are proved, run-time, refuted, "
                              "unchecked and fixed");
  if (options.all && !options.statuses.empty())
    return fail(kUsage, "--all and --status contradict each other: one lists "
                        "every row, the other some");
  if (isHtml && !options.statuses.empty())
    return fail(kUsage, "--status is for text and json; a page has a filter");
  if (options.outputs.size() > 1)
    return fail(kUsage, "there is one report, and so one --output");
  std::optional<io::OutputFile> file;
  if (!options.outputs.empty() && options.outputs.front() != "-") {
    auto opened = io::OutputFile::open(options.outputs.front());
    if (!opened)
      return fail(kRejected, opened.error());
    file.emplace(std::move(*opened));
  }

  Compiler compiler(options.compile);
  CheckedProgram program;
  bool isProgram = [&] {
    Progress progress("checking " + nameFile(options.file),
                      options.compile.verbose);
    return compiler.check(Source::file(options.file), program,
                          options.function);
  }();
  printDiagnostics(compiler.diagnostics());
  if ((!isProgram && program.report.rows.empty()) ||
      compiler.status() == BROADLOOM_INTERNAL_ERROR)
    return rejected(compiler);
  if (isProgram && !program.hasFunction(options.function))
    return fail(kUsage, program.describeNoFunction(options.function));

  std::string output;
  llvm::raw_string_ostream stream(output);
  if (isHtml)
    writeHtml(program, llvm::sys::path::filename(options.file), stream);
  else if (isJson)
    writeJson(program, isListed, stream);
  else
    writeText(program, isListed, stream);
  if (!file) {
    llvm::outs() << output;
    llvm::outs().flush();
  } else {
    if (io::Error error = file->write(output.data(), output.size());
        !error.empty())
      return fail(kRejected, error);
    if (io::Error error = file->commit(); !error.empty())
      return fail(kRejected, error);
  }
  bool isRefuted = countAll(program.report).refuted != 0;
  return program.isAccepted && !isRefuted ? kDone : kRejected;
}
