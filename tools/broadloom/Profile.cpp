//===- Profile.cpp - broadloom profile ------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/threads/ParallelFor.h"
#include "runtime/threads/ThreadPool.h"
#include "tools/broadloom/Measure.h"
#include "tools/broadloom/Options.h"
#include "tools/io/OutputFile.h"

#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace broadloom;
using namespace broadloom::report;
using namespace broadloom::tool;

namespace {

/// The most spans of one call in a trace.
constexpr int64_t kMostSpans = int64_t(1) << 18;

/// Calls of a function, with a profile or without.
class Caller {
public:
  Caller(const Options &options, const LoadedCall &loaded)
      : inputs(loaded.inputPointers()), call(*loaded.module, *loaded.function),
        outputs(loaded.function->results.size()) {
    call.setThreads(options.threads);
  }

  /// Calls for the first time. Its results are the outputs of the others, as in
  /// a caller that reuses memory.
  int begin() {
    if (int failed = reportCall(call.run(inputs), call))
      return failed;
    for (size_t i = 0; i < outputs.size(); ++i)
      if (int failed = reportCall(call.takeResult(i, &*outputs[i]), call))
        return failed;
    for (size_t i = 0; i < outputs.size(); ++i)
      if (int failed = reportCall(call.setOutput(i, &*outputs[i]), call))
        return failed;
    return kDone;
  }
  void setProfile(Profile &profile) { call.setProfile(&profile); }
  int callOnce() {
    auto before = Clock::now();
    int32_t status = call.run(inputs);
    times.push_back(nanoseconds(Clock::now() - before));
    return reportCall(status, call);
  }
  CallTimes getTimes() const { return summarise(times, 1); }

private:
  std::vector<const BroadloomTensor *> inputs;
  Invocation call;
  std::vector<io::OwnedTensor> outputs;
  std::vector<double> times;
};

/// A form of the profile that is written to a file.
struct Page {
  const char *option;
  std::string path;
  void (*write)(const ProfileReport &, llvm::StringRef, llvm::raw_ostream &);
  std::optional<io::OutputFile> file;

  int open() {
    if (path == "-")
      return fail(kUsage, std::string("--") + option +
                              "=-: standard output has the table; name a file");
    auto opened = io::OutputFile::open(path);
    if (!opened)
      return fail(kRejected, opened.error());
    file.emplace(std::move(*opened));
    return kDone;
  }
};

} // namespace

/// Calls with and without a profile in turns, for the requested time.
/// The fastest call with one is the report's.
static int measureCalls(const Options &options, const LoadedCall &loaded,
                        ProfileReport &report) {
  Profile profile(int32_t(report.program->sites.size()),
                  options.trace.empty() ? 0 : kMostSpans);
  Caller plain(options, loaded), profiled(options, loaded);
  for (Caller *caller : {&plain, &profiled})
    if (int failed = caller->begin())
      return failed;
  profiled.setProfile(profile);
  auto end = Clock::now() + std::chrono::duration<double>(options.seconds);
  int calls = 0;
  do {
    if (int failed = plain.callOnce())
      return failed;
    if (int failed = profiled.callOnce())
      return failed;
    if (calls == 0 || profile.nanoseconds() < report.call.nanoseconds)
      report.call = ProfiledCall::take(profile);
  } while (++calls < 3 || Clock::now() < end);
  report.plain = plain.getTimes();
  report.profiled = profiled.getTimes();
  return kDone;
}

int broadloom::tool::profileProgram(const Options &options) {
  std::vector<Page> pages;
  if (!options.trace.empty())
    pages.push_back({"trace", options.trace,
                     [](const ProfileReport &report, llvm::StringRef,
                        llvm::raw_ostream &out) { writeTrace(report, out); },
                     std::nullopt});
  if (!options.html.empty())
    pages.push_back({"html", options.html, writeHtml, std::nullopt});
  for (Page &page : pages)
    if (int failed = page.open())
      return failed;

  int status = kDone;
  Options profiled = options;
  profiled.compile.profile = true;
  std::optional<LoadedCall> loaded = load(profiled, status);
  if (!loaded)
    return status;
  ProfileReport report;
  report.function = loaded->function->name;
  report.threads = std::min(resolveThreads(options.threads), kMostThreads);
  report.program = loaded->module->profiled();
  // Measured before and after, because other programs may interfere.
  measureLimits(report.threads, report.limits);
  if (int failed = measureCalls(options, *loaded, report))
    return failed;
  measureLimits(report.threads, report.limits);
  report.finish();

  for (Page &page : pages) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    page.write(report, options.file, stream);
    if (io::Error error = page.file->write(text.data(), text.size());
        !error.empty())
      return fail(kRejected, error);
  }
  // Files are committed only after all are written.
  for (Page &page : pages)
    if (io::Error error = page.file->commit(); !error.empty())
      return fail(kRejected, error);
  if (options.json)
    writeJson(report, llvm::outs());
  else
    writeText(report, options.file, llvm::outs());
  llvm::outs().flush();
  if (report.call.lostSpans)
    llvm::errs() << "broadloom: warning: the trace has the first " << kMostSpans
                 << " times of the call; " << report.call.lostSpans
                 << " later ones are left out\n";
  return kDone;
}
