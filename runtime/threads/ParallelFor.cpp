//===- ParallelFor.cpp - items shared among threads -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/threads/ParallelFor.h"

#include "runtime/Rounding.h"
#include "runtime/profile/Profile.h"
#include "runtime/profile/Ticks.h"
#include "runtime/threads/ThreadPool.h"

#include <algorithm>
#include <atomic>
#include <cfenv>

#ifdef __x86_64__
#include <immintrin.h>
#endif

using namespace broadloom;

namespace {

/// A part is a quarter of what is left of a share, but at least a 32nd of the
/// share. The last parts are small, so that all threads end at about the same
/// time although items and cores differ (decision 133).
constexpr int64_t kPartsOfRest = 4, kPartsOfShare = 32;

/// The rounding mode of the calling thread, and whether it flushes denormals.
/// The other threads adopt these, because results must not depend on the thread
/// that computes them.
class FloatingMode {
public:
#ifdef __x86_64__
  void read() { mode = _mm_getcsr(); }
  void set() const { _mm_setcsr(mode); }

private:
  unsigned mode;
#else
  void read() { fegetenv(&mode); }
  void set() const { fesetenv(&mode); }

private:
  fenv_t mode;
#endif
};

/// The items of one thread. Another thread takes some of them when it has
/// finished its own.
struct alignas(64) Share {
  std::atomic<int64_t> next;
  int64_t end, least;

  /// Takes the next part, [begin, partEnd). Returns false where none is left.
  bool takePart(int64_t &begin, int64_t &partEnd) {
    // A read leaves the cache line with the thread that owns the share.
    begin = next.load(std::memory_order_relaxed);
    do {
      int64_t rest = end - begin;
      if (rest <= 0)
        return false;
      partEnd =
          begin + std::min(rest, std::max(least, divideUp(rest, kPartsOfRest)));
    } while (
        !next.compare_exchange_weak(begin, partEnd, std::memory_order_relaxed));
    return true;
  }
};

struct SharedLoop : PoolJob {
  void (*body)(void *, int32_t, int64_t, int64_t);
  void *context;
  int32_t threads;
  FloatingMode mode;
  /// The profile, null if there is none, and the current site.
  Profile *profile;
  int32_t site;
  Share shares[kMostThreads];

  /// Runs as thread number `thread`: first its own share, then the rest of the
  /// others'.
  void take(int32_t thread) {
    for (int32_t i = 0; i < threads; ++i) {
      Share &share = shares[(thread + i) % threads];
      for (int64_t begin, end; share.takePart(begin, end);)
        body(context, thread, begin, end);
    }
  }
};

} // namespace

int32_t broadloom::resolveThreads(int32_t wanted) noexcept {
  return wanted > 0 ? wanted : availableThreads();
}

void broadloom::parallelForRaw(int32_t threads, int64_t items,
                               void (*body)(void *, int32_t, int64_t, int64_t),
                               void *context) noexcept {
  SharedLoop loop;
  loop.body = body;
  loop.context = context;
  loop.threads = threads =
      int32_t(std::min<int64_t>({threads, items, kMostThreads}));
  loop.mode.read();
  loop.profile = Profile::active();
  loop.site = loop.profile ? loop.profile->current() : Profile::kOutside;
  int64_t next = 0;
  for (int32_t i = 0; i < threads; ++i) {
    int64_t count = items / threads + (i < items % threads);
    Share &share = loop.shares[i];
    share.next.store(next, std::memory_order_relaxed);
    share.end = next += count;
    share.least = divideUp(count, kPartsOfShare);
  }
  loop.run = [](PoolJob &job, int32_t thread) {
    auto &mine = static_cast<SharedLoop &>(job);
    mine.mode.set();
    if (!mine.profile)
      return mine.take(thread);
    int64_t begin = TickClock::get().read();
    mine.take(thread);
    mine.profile->addThread(thread, mine.site, begin, TickClock::get().read());
  };
  offerJob(loop, threads - 1);
  loop.take(0);
  withdrawJob(loop);
}
