//===- ProfileReport.cpp - where the time of a call went ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/report/ProfileReport.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <cassert>
#include <cmath>

using namespace broadloom;
using namespace broadloom::report;
using llvm::formatv;
using llvm::StringRef;

double MachineLimits::copyRate(double bytes) const {
  if (copies.empty())
    return 0;
  if (bytes <= copies.front().bytes)
    return copies.front().bytesPerNs;
  for (size_t i = 1; i < copies.size(); ++i) {
    const Copy &below = copies[i - 1], &above = copies[i];
    if (bytes > above.bytes)
      continue;
    double part =
        std::log(bytes / below.bytes) / std::log(above.bytes / below.bytes);
    return below.bytesPerNs + part * (above.bytesPerNs - below.bytesPerNs);
  }
  return copies.back().bytesPerNs;
}

ProfiledCall ProfiledCall::take(const Profile &profile) {
  ProfiledCall call;
  call.nanoseconds = profile.nanoseconds();
  for (int32_t i = 0; i < profile.numSites(); ++i)
    call.sites.push_back(profile.site(i));
  call.outside = profile.site(Profile::kOutside);
  for (int64_t i = 0; i < profile.numSpans(); ++i)
    call.spans.push_back(profile.span(i));
  call.lostSpans = profile.numLostSpans();
  return call;
}

const char *report::getName(Bound bound) {
  return bound == Bound::Memory         ? "memory"
         : bound == Bound::MultiplyAdds ? "multiply-adds"
         : bound == Bound::Operations   ? "operations"
                                        : "unknown";
}

double ProfileRow::threads() const {
  return spent.nanoseconds > 0 ? 1 + spent.otherThreads / spent.nanoseconds : 1;
}

/// Compares the row with the limits of the machine.
static void compareWithLimits(ProfileRow &row, const MachineLimits &limits) {
  const Work &work = row.spent.work;
  double least = 0;
  auto consider = [&](Bound bound, double amount, double rate) {
    if (amount <= 0 || rate <= 0 || amount / rate <= least)
      return;
    least = amount / rate;
    row.bound = bound;
  };
  consider(Bound::Memory, double(work.bytes),
           limits.copyRate(double(work.bytes) / double(row.spent.visits)));
  consider(Bound::MultiplyAdds, double(work.multiplyAdds), limits.multiplyAdds);
  consider(Bound::Operations, double(work.operations), limits.additions);
  row.ofLimit = row.spent.nanoseconds > 0 ? least / row.spent.nanoseconds : 0;
}

/// Whether the shares add up to 1, unless all are 0.
[[maybe_unused]] static bool addUpToOne(llvm::ArrayRef<ProfileRow> rows) {
  double sum = 0;
  for (const ProfileRow &row : rows)
    sum += row.share;
  return sum == 0 || std::abs(sum - 1) < 1e-6;
}

void ProfileReport::finish() {
  rows.clear();
  auto add = [&](const ProfiledProgram::Site *site, int32_t number,
                 const Profile::Site &spent) {
    ProfileRow &row = rows.emplace_back();
    row.site = site;
    row.number = number;
    row.spent = spent;
    row.share = call.nanoseconds > 0 ? spent.nanoseconds / call.nanoseconds : 0;
    if (site)
      compareWithLimits(row, limits);
  };
  Profile::Site outside = call.outside;
  for (auto [i, spent] : llvm::enumerate(call.sites)) {
    const ProfiledProgram::Site &site = program->sites[i];
    // An argument that is already row-major is not copied.
    if (site.kind == SiteKind::Copy && spent.work.bytes == 0)
      outside.nanoseconds += spent.nanoseconds;
    else if (spent.visits > 0)
      add(&site, int32_t(i), spent);
  }
  add(nullptr, Profile::kOutside, outside);
  llvm::sort(rows, [](const ProfileRow &a, const ProfileRow &b) {
    return a.spent.nanoseconds != b.spent.nanoseconds
               ? a.spent.nanoseconds > b.spent.nanoseconds
               : a.number < b.number;
  });
  assert(addUpToOne(rows));
}

double ProfileReport::overhead() const {
  return plain.min > 0 ? std::max(profiled.min / plain.min - 1, 0.0) : 0;
}

//===----------------------------------------------------------------------===//
// Words and numbers
//===----------------------------------------------------------------------===//

/// Three digits, and the unit that leaves one to three of them before the
/// point.
static std::string scale(double value, llvm::ArrayRef<const char *> units,
                         double step) {
  size_t unit = 0;
  while (value >= step * 0.9995 && unit + 1 < units.size()) {
    value /= step;
    ++unit;
  }
  const char *form = value >= 99.95   ? "{0:F0}{1}"
                     : value >= 9.995 ? "{0:F1}{1}"
                                      : "{0:F2}{1}";
  if (unit == 0 && value == std::floor(value))
    form = "{0:F0}{1}";
  return formatv(form, value, units[unit]).str();
}

std::string report::formatTime(double nanoseconds) {
  return scale(nanoseconds, {" ns", " us", " ms", " s"}, 1000);
}

std::string report::formatBytes(double bytes) {
  return scale(bytes, {" B", " kB", " MB", " GB", " TB"}, 1000);
}

std::string report::formatCount(double count) {
  return scale(count, {"", " k", " M", " G", " T"}, 1000);
}

std::string report::describeOperations(const ProfileRow &row, StringRef file,
                                       size_t most) {
  if (!row.site)
    return "guards, memory, loops and calls of the program";
  std::string text;
  const auto &operations = row.site->operations;
  for (size_t i = 0; i < operations.size(); ++i) {
    if (i == most && operations.size() > most + 1)
      return text + formatv(" and {0} more", operations.size() - most).str();
    StringRef location = operations[i].location;
    if (location.consume_front(file))
      location.consume_front(":");
    text += (i ? ", " : "") + operations[i].name;
    if (!location.empty() || !operations[i].names.empty())
      text +=
          formatv(" ({0}{1}{2})", location,
                  location.empty() || operations[i].names.empty() ? "" : " ",
                  operations[i].names)
              .str();
  }
  return operations.empty() ? "arguments or results of @" + row.site->function
                            : text;
}
