//===- Profile.h - where the time of a call goes ----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program that was compiled for a profile marks the beginning of a site at
// each kernel, loop and copy (BroadloomSiteStep). A call with a profile reads
// the clock there, and adds the time since the last reading to the previous
// site.
//
//   broadloom::Profile profile(numSites);
//   call.setProfile(&profile);
//   call.run(arguments, numArguments);
//   profile.site(0).nanoseconds;
//
// Invariant: the times of the sites and the time outside of them add up to the
// time of the call, because the calling thread is at one site at a time. One
// call at a time uses a profile. Nothing throws but the constructor.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_PROFILE_PROFILE_H
#define BROADLOOM_RUNTIME_PROFILE_PROFILE_H

#include "runtime/profile/Work.h"

#include <atomic>
#include <memory>

namespace broadloom {

class Profile {
public:
  /// The number for time outside all sites.
  static constexpr int32_t kOutside = -1;

  /// The time of a call at one site, or outside all sites.
  struct Site {
    /// How often the call reached it.
    int64_t visits = 0;
    double nanoseconds = 0;
    /// The shortest and longest visit.
    double shortest = 0, longest = 0;
    /// The total time of the other threads that took part.
    double otherThreads = 0;
    Work work;
  };

  /// A span of time in which one thread worked for a site; thread 0 is the
  /// caller. In nanoseconds since the call began.
  struct Span {
    int32_t thread = 0, site = kOutside;
    double begin = 0, end = 0;
  };

  /// For sites 0 to `numSites` - 1. At most `mostSpans` spans are kept, the
  /// first ones.
  explicit Profile(int32_t numSites, int64_t mostSpans = 0);
  ~Profile();
  Profile(const Profile &) = delete;
  Profile &operator=(const Profile &) = delete;

  // Results of the last call.

  int32_t numSites() const noexcept { return int32_t(sites); }
  /// The time at `site`, which may be kOutside.
  Site site(int32_t site) const noexcept;
  double nanoseconds() const noexcept;
  int64_t numSpans() const noexcept;
  Span span(int64_t index) const noexcept;
  /// How many spans were not kept.
  int64_t numLostSpans() const noexcept;

  // For the runtime, during a call.

  void begin() noexcept;
  /// `done` is the work of the call so far.
  void end(const Work &done) noexcept;
  /// The calling thread reaches `site`; an invalid number stands for kOutside.
  void enter(int32_t site, const Work &done) noexcept;
  /// Records that another thread worked for `site` from `begin` to `end`
  /// (TickClock).
  void addThread(int32_t thread, int32_t site, int64_t begin,
                 int64_t end) noexcept;
  int32_t current() const noexcept { return now; }

  /// The profile of the call that the current thread is in; null where there
  /// is none.
  static Profile *active() noexcept;

private:
  struct Totals;
  struct RawSpan;

  void leave(int64_t tick, const Work &done) noexcept;
  void keep(int32_t thread, int32_t site, int64_t begin, int64_t end) noexcept;

  int64_t sites, mostSpans;
  /// The totals of kOutside, followed by those of the sites.
  std::unique_ptr<Totals[]> totals;
  std::unique_ptr<RawSpan[]> spans;
  std::atomic<int64_t> keptSpans{0};
  int32_t now = kOutside;
  /// When the call began and ended, and when the current site was entered.
  int64_t beganAt = 0, endedAt = 0, enteredAt = 0;
  Work atEntry;
  Profile *outer = nullptr;
};

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_PROFILE_PROFILE_H
