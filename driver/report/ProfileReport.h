//===- ProfileReport.h - where the time of a call went ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The measurements of `broadloom profile`, and the forms in which it prints
// them. The program's text is untrusted: whatever it holds, the output is well
// formed in its language.
//
// Invariant: the shares of all rows add up to 1.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_REPORT_PROFILEREPORT_H
#define BROADLOOM_DRIVER_REPORT_PROFILEREPORT_H

#include "driver/ProfiledProgram.h"
#include "runtime/profile/Profile.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace broadloom::report {

/// The machine's limits per nanosecond, with as many threads as the call has.
struct MachineLimits {
  struct Copy {
    /// Read and written together, over and over.
    double bytes;
    double bytesPerNs;
  };
  /// From the first cache to memory beyond the caches.
  std::vector<Copy> copies;
  /// Of f32.
  double multiplyAdds = 0, additions = 0;

  /// The rate at which data of `bytes` bytes is copied.
  double copyRate(double bytes) const;
};

/// One call as it was measured.
struct ProfiledCall {
  double nanoseconds = 0;
  /// The time at each site, by number, and outside all sites.
  std::vector<Profile::Site> sites;
  Profile::Site outside;
  std::vector<Profile::Span> spans;
  int64_t lostSpans = 0;

  /// The last call of `profile`.
  static ProfiledCall take(const Profile &profile);
};

/// The limit that bounds the speed of a row.
enum class Bound { Unknown, Memory, MultiplyAdds, Operations };

/// "memory", "multiply-adds" or "operations".
const char *getName(Bound bound);

struct ProfileRow {
  /// Null for the time outside of all sites.
  const ProfiledProgram::Site *site = nullptr;
  int32_t number = Profile::kOutside;
  Profile::Site spent;
  /// Of the call's time.
  double share = 0;
  /// The time that the limits leave for the work, as a part of the time that
  /// was spent.
  Bound bound = Bound::Unknown;
  double ofLimit = 0;

  double mean() const { return spent.nanoseconds / double(spent.visits); }
  /// How many threads were at work on average.
  double threads() const;
  /// The name of the site's kind, or "outside".
  const char *kind() const {
    return site ? getKindName(site->kind) : "outside";
  }
};

/// Of the calls with a profile, or without one.
struct CallTimes {
  size_t calls = 0;
  double min = 0, median = 0;
};

struct ProfileReport {
  std::string function;
  int threads = 0;
  MachineLimits limits;
  CallTimes profiled, plain;
  const ProfiledProgram *program = nullptr;
  /// The fastest one.
  ProfiledCall call;
  /// Sorted by time, longest first. Sites that the call did not reach have no
  /// row.
  std::vector<ProfileRow> rows;

  /// The additional time of the fastest call with a profile, as a part of the
  /// time of the fastest call without one; 0 if the profiled call was faster.
  double overhead() const;
  /// Computes `rows` from `call`.
  void finish();
};

/// `tosa.add` at line 3 and so on, in one line: `tosa.add (3:8), tosa.exp
/// (4:8)`, with the file's name where it is not `file`. At most `most` of them.
std::string describeOperations(const ProfileRow &row, llvm::StringRef file,
                               size_t most);

/// 12.3 us, 4.56 ms; 33.6 MB.
std::string formatTime(double nanoseconds);
std::string formatBytes(double bytes);
/// 1.23 G and the like.
std::string formatCount(double count);

/// For a terminal of 100 columns. `file` is the program's name.
void writeText(const ProfileReport &report, llvm::StringRef file,
               llvm::raw_ostream &out);
void writeJson(const ProfileReport &report, llvm::raw_ostream &out);
/// The fastest call in Chrome's trace event format.
void writeTrace(const ProfileReport &report, llvm::raw_ostream &out);
/// One self-contained page.
void writeHtml(const ProfileReport &report, llvm::StringRef file,
               llvm::raw_ostream &out);

} // namespace broadloom::report

#endif // BROADLOOM_DRIVER_REPORT_PROFILEREPORT_H
