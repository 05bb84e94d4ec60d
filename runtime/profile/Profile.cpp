//===- Profile.cpp - where the time of a call goes ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/profile/Profile.h"

#include "runtime/profile/Ticks.h"

#include <algorithm>

using namespace broadloom;

struct Profile::Totals {
  int64_t visits = 0, ticks = 0, shortest = 0, longest = 0;
  std::atomic<int64_t> otherThreads{0};
  Work work;
};

struct Profile::RawSpan {
  int32_t thread, site;
  int64_t begin, end;
};

/// The innermost profiled call of this thread.
static thread_local Profile *activeProfile = nullptr;

Profile::Profile(int32_t numSites, int64_t mostSpans)
    : sites(std::max(numSites, 0)), mostSpans(std::max<int64_t>(mostSpans, 0)),
      totals(new Totals[size_t(sites) + 1]),
      spans(new RawSpan[size_t(this->mostSpans)]) {
  TickClock::get();
}

Profile::~Profile() = default;

Profile *Profile::active() noexcept { return activeProfile; }

void Profile::begin() noexcept {
  for (int64_t i = 0; i <= sites; ++i) {
    Totals &it = totals[size_t(i)];
    it.visits = it.ticks = it.shortest = it.longest = 0;
    it.otherThreads.store(0, std::memory_order_relaxed);
    it.work = Work();
  }
  keptSpans.store(0, std::memory_order_relaxed);
  now = kOutside;
  atEntry = Work();
  outer = activeProfile;
  activeProfile = this;
  beganAt = enteredAt = endedAt = TickClock::get().read();
}

void Profile::end(const Work &done) noexcept {
  endedAt = TickClock::get().read();
  leave(endedAt, done);
  activeProfile = outer;
}

void Profile::leave(int64_t tick, const Work &done) noexcept {
  Totals &it = totals[size_t(now + 1)];
  int64_t ticks = tick - enteredAt;
  it.shortest = it.visits == 0 ? ticks : std::min(it.shortest, ticks);
  it.longest = std::max(it.longest, ticks);
  it.ticks += ticks;
  ++it.visits;
  it.work += done - atEntry;
  if (now != kOutside)
    keep(0, now, enteredAt, tick);
}

void Profile::enter(int32_t site, const Work &done) noexcept {
  int64_t tick = TickClock::get().read();
  leave(tick, done);
  now = site >= 0 && site < sites ? site : kOutside;
  enteredAt = tick;
  atEntry = done;
}

void Profile::addThread(int32_t thread, int32_t site, int64_t begin,
                        int64_t end) noexcept {
  totals[size_t(site + 1)].otherThreads.fetch_add(end - begin,
                                                  std::memory_order_relaxed);
  keep(thread, site, begin, end);
}

void Profile::keep(int32_t thread, int32_t site, int64_t begin,
                   int64_t end) noexcept {
  if (mostSpans == 0)
    return;
  int64_t index = keptSpans.fetch_add(1, std::memory_order_relaxed);
  if (index < mostSpans)
    spans[size_t(index)] = {thread, site, begin, end};
}

Profile::Site Profile::site(int32_t site) const noexcept {
  const TickClock &clock = TickClock::get();
  const Totals &it = totals[size_t(site + 1)];
  return {it.visits,
          clock.toNanoseconds(it.ticks),
          clock.toNanoseconds(it.shortest),
          clock.toNanoseconds(it.longest),
          clock.toNanoseconds(it.otherThreads.load()),
          it.work};
}

double Profile::nanoseconds() const noexcept {
  return TickClock::get().toNanoseconds(endedAt - beganAt);
}

int64_t Profile::numSpans() const noexcept {
  return std::min(keptSpans.load(), mostSpans);
}

int64_t Profile::numLostSpans() const noexcept {
  return mostSpans ? keptSpans.load() - numSpans() : 0;
}

Profile::Span Profile::span(int64_t index) const noexcept {
  const TickClock &clock = TickClock::get();
  const RawSpan &it = spans[size_t(index)];
  return {it.thread, it.site, clock.toNanoseconds(it.begin - beganAt),
          clock.toNanoseconds(it.end - beganAt)};
}
