//===- ProfileJson.cpp - a profile as JSON and as a trace -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/report/ProfileReport.h"

#include "llvm/Support/JSON.h"

#include <set>

using namespace broadloom;
using namespace broadloom::report;
using llvm::StringRef;
using llvm::json::fixUTF8;
using llvm::json::OStream;

static void writeTimes(OStream &json, StringRef name, const CallTimes &times) {
  json.attributeObject(name, [&] {
    json.attribute("calls", times.calls);
    json.attribute("min_ns", times.min);
    json.attribute("median_ns", times.median);
  });
}

static void writeLimits(OStream &json, const MachineLimits &limits) {
  json.attributeObject("limits", [&] {
    json.attributeArray("copy", [&] {
      for (const MachineLimits::Copy &copy : limits.copies)
        json.object([&] {
          json.attribute("bytes", copy.bytes);
          json.attribute("bytes_per_ns", copy.bytesPerNs);
        });
    });
    json.attribute("multiply_adds_per_ns", limits.multiplyAdds);
    json.attribute("additions_per_ns", limits.additions);
  });
}

static void writeSource(OStream &json, const ProfiledProgram::Site &site) {
  json.attributeArray("source", [&] {
    for (const ProfiledProgram::Operation &operation : site.operations)
      json.object([&] {
        json.attribute("operation", fixUTF8(operation.name));
        json.attribute("location", fixUTF8(operation.location));
        if (!operation.names.empty())
          json.attribute("names", fixUTF8(operation.names));
      });
  });
}

/// Writes all fields of a row but its share into an open object.
static void writeRow(OStream &json, const ProfileRow &row) {
  json.attribute("function", fixUTF8(row.site->function));
  json.attribute("kind", row.kind());
  writeSource(json, *row.site);
  json.attribute("launches", row.spent.visits);
  json.attribute("shortest_ns", row.spent.shortest);
  json.attribute("mean_ns", row.mean());
  json.attribute("longest_ns", row.spent.longest);
  json.attribute("threads", row.threads());
  json.attribute("bytes", row.spent.work.bytes);
  auto writeCount = [&](StringRef name, int64_t count) {
    if (countsOperations(row.site->kind))
      json.attribute(name, count);
    else
      json.attribute(name, nullptr);
  };
  writeCount("operations", row.spent.work.operations);
  writeCount("multiply_adds", row.spent.work.multiplyAdds);
  writeCount("reduced_elements", row.spent.work.reducedElements);
  if (row.bound == Bound::Unknown) {
    json.attribute("bound", nullptr);
    json.attribute("of_limit", nullptr);
    return;
  }
  json.attribute("bound", getName(row.bound));
  json.attribute("of_limit", row.ofLimit);
}

void report::writeJson(const ProfileReport &report, llvm::raw_ostream &out) {
  OStream json(out, 2);
  json.object([&] {
    json.attribute("function", fixUTF8(report.function));
    json.attribute("threads", report.threads);
    json.attribute("time_ns", report.call.nanoseconds);
    writeTimes(json, "profiled", report.profiled);
    writeTimes(json, "unprofiled", report.plain);
    json.attribute("overhead", report.overhead());
    writeLimits(json, report.limits);
    json.attributeArray("rows", [&] {
      for (const ProfileRow &row : report.rows)
        json.object([&] {
          json.attribute("time_ns", row.spent.nanoseconds);
          json.attribute("share", row.share);
          if (row.site)
            writeRow(json, row);
          else
            json.attribute("kind", row.kind());
        });
    });
  });
  out << '\n';
}

//===----------------------------------------------------------------------===//
// Trace
//===----------------------------------------------------------------------===//

namespace {

/// Chrome's trace event format: times are in microseconds.
class TraceWriter {
public:
  TraceWriter(const ProfileReport &report, llvm::raw_ostream &out)
      : report(report), json(out) {}

  void write() {
    json.object([&] {
      json.attribute("displayTimeUnit", "ns");
      json.attributeObject("otherData", [&] {
        json.attribute("function", fixUTF8(report.function));
        json.attribute("lost_events", report.call.lostSpans);
      });
      json.attributeArray("traceEvents", [&] { writeEvents(); });
    });
  }

private:
  void writeEvents() {
    writeName("process_name", 0, "broadloom");
    // Sites without a row took no time of their own.
    std::set<int32_t> threads = {0}, sites;
    for (const ProfileRow &row : report.rows)
      sites.insert(row.number);
    sites.erase(Profile::kOutside);
    for (const Profile::Span &span : report.call.spans)
      threads.insert(span.thread);
    for (int32_t thread : threads)
      writeName("thread_name", thread,
                thread ? "thread " + std::to_string(thread)
                       : std::string("calling thread"));
    writeEvent(report.function, "call", {0, 0, 0, report.call.nanoseconds},
               nullptr);
    for (const Profile::Span &span : report.call.spans)
      if (sites.count(span.site)) {
        const auto &site = report.program->sites[size_t(span.site)];
        writeEvent(getTitle(site), getKindName(site.kind), span, &site);
      }
  }

  void writeName(StringRef what, int32_t thread, const std::string &name) {
    json.object([&] {
      json.attribute("name", what);
      json.attribute("ph", "M");
      json.attribute("pid", 1);
      json.attribute("tid", thread);
      json.attributeObject("args", [&] { json.attribute("name", name); });
    });
  }

  static std::string getTitle(const ProfiledProgram::Site &site) {
    std::string title;
    for (const ProfiledProgram::Operation &operation : site.operations)
      title += (title.empty() ? "" : ", ") + operation.name;
    return title.empty() ? getKindName(site.kind) : title;
  }

  void writeEvent(const std::string &title, StringRef kind,
                  const Profile::Span &span,
                  const ProfiledProgram::Site *site) {
    json.object([&] {
      json.attribute("name", fixUTF8(title));
      json.attribute("cat", kind);
      json.attribute("ph", "X");
      json.attribute("pid", 1);
      json.attribute("tid", span.thread);
      json.attribute("ts", span.begin / 1000);
      json.attribute("dur", (span.end - span.begin) / 1000);
      if (site)
        json.attributeObject("args", [&] {
          json.attribute("site", span.site);
          writeSource(json, *site);
        });
    });
  }

  const ProfileReport &report;
  OStream json;
};

} // namespace

void report::writeTrace(const ProfileReport &report, llvm::raw_ostream &out) {
  TraceWriter(report, out).write();
  out << '\n';
}
