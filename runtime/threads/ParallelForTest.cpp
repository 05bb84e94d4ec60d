//===- ParallelForTest.cpp ------------------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/threads/ParallelFor.h"
#include "runtime/threads/ThreadPool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cfenv>
#include <chrono>
#include <cstring>
#include <map>
#include <mutex>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace broadloom;

namespace {

using Clock = std::chrono::steady_clock;

/// Waits until `condition`, but no longer than anything here may take.
template <typename Condition> bool await(Condition &&condition) {
  auto end = Clock::now() + std::chrono::seconds(60);
  while (!condition()) {
    if (Clock::now() > end)
      return false;
    std::this_thread::yield();
  }
  return true;
}

/// How often each item was run; -1 everywhere where a range was none, or two
/// threads had the same number at a time.
std::vector<int> countRuns(int32_t threads, int64_t items) {
  std::vector<std::atomic<int>> runs(static_cast<size_t>(items));
  std::vector<std::atomic<bool>> busy(static_cast<size_t>(threads));
  std::atomic<bool> wrong{false};
  parallelFor(threads, items, [&](int32_t thread, int64_t begin, int64_t end) {
    if (thread < 0 || thread >= threads || begin < 0 || begin >= end ||
        end > items || busy[size_t(thread)].exchange(true)) {
      wrong = true;
      return;
    }
    for (int64_t i = begin; i < end; ++i)
      ++runs[size_t(i)];
    busy[size_t(thread)] = false;
  });
  std::vector<int> result(runs.begin(), runs.end());
  if (wrong)
    result.assign(result.size(), -1);
  return result;
}

TEST(ParallelFor, eachItemOnce) {
  for (int32_t threads : {1, 2, 3, 8, 200})
    for (int64_t items : {0, 1, 2, 3, 7, 8, 9, 64, 1000, 4099})
      EXPECT_EQ(countRuns(threads, items), std::vector<int>(size_t(items), 1))
          << threads << " threads, " << items << " items";
}

TEST(ParallelFor, eachItemOnceForEachOfSeveralCallers) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&, caller] {
      for (int i = 0; i < 300; ++i)
        wrong += countRuns(caller + 1, 100 + i) !=
                 std::vector<int>(size_t(100 + i), 1);
    });
  for (std::thread &caller : callers)
    caller.join();
  EXPECT_EQ(wrong, 0);
}

/// Each share is cut into parts that become smaller: few, and so that no thread
/// waits long for another one's last part.
TEST(ParallelFor, partsBecomeSmaller) {
  constexpr int64_t kShare = 3200;
  std::mutex mutex;
  std::map<int64_t, int64_t> sizes;
  parallelFor(2, 2 * kShare, [&](int32_t, int64_t begin, int64_t end) {
    std::lock_guard<std::mutex> lock(mutex);
    sizes[begin] = end - begin;
  });
  for (int64_t begin : {int64_t(0), kShare}) {
    int64_t end = begin + kShare, parts = 0, last = kShare / 4;
    EXPECT_EQ(sizes[begin], last);
    for (int64_t at = begin; at < end; at += last, ++parts) {
      ASSERT_LE(sizes[at], last);
      last = sizes[at];
      ASSERT_GT(last, 0);
    }
    EXPECT_LE(last, kShare / 32);
    EXPECT_LE(parts, 16);
  }
}

/// What a thread is late with is done by the others: one that has begun and
/// does not go on keeps nothing from being done but the part that it has.
TEST(ParallelFor, othersDoWhatAThreadIsLateWith) {
  constexpr int64_t kItems = 64;
  std::atomic<int64_t> done{0};
  std::atomic<bool> hasHelped{false};
  bool all = true;
  // Until another thread took part.
  ASSERT_TRUE(await([&] {
    done = 0;
    parallelFor(2, kItems, [&](int32_t thread, int64_t begin, int64_t end) {
      if (thread == 1 && !hasHelped.exchange(true))
        all = await([&] { return done == kItems - (end - begin); });
      done += end - begin;
    });
    return hasHelped.load();
  }));
  EXPECT_TRUE(all);
  EXPECT_EQ(done, kItems);
}

/// A job that keeps its thread until it is told.
struct Blocker : PoolJob {
  std::atomic<int> begun{0};
  std::atomic<bool> released{false};
  Blocker() {
    run = [](PoolJob &job, int32_t) {
      auto &mine = static_cast<Blocker &>(job);
      ++mine.begun;
      EXPECT_TRUE(await([&] { return mine.released.load(); }));
    };
  }
};

/// Nobody waits for threads that do not come.
TEST(ParallelFor, allAreBusyWithSomethingElse) {
  Blocker blocker;
  int32_t threads = offerJob(blocker, kMostThreads - 1);
  EXPECT_GE(threads, 1);
  EXPECT_TRUE(await([&] { return blocker.begun == threads; }));
  EXPECT_EQ(countRuns(2, 1000), std::vector<int>(1000, 1));
  blocker.released = true;
  withdrawJob(blocker);
}

/// What is withdrawn is not touched any more, whether somebody has begun or
/// not.
TEST(ThreadPool, whatIsWithdrawnIsLeftAlone) {
  struct Job : PoolJob {
    std::atomic<int> entered{0}, left{0};
  };
  alignas(Job) char memory[sizeof(Job)];
  int begun = 0;
  for (int i = 0; i < 20000; ++i) {
    Job &job = *new (memory) Job;
    job.run = [](PoolJob &it, int32_t number) {
      auto &mine = static_cast<Job &>(it);
      mine.entered += number;
      ++mine.left;
    };
    offerJob(job, 1);
    for (int pause = i % 400; pause > 0; --pause)
      std::atomic_signal_fence(std::memory_order_seq_cst);
    withdrawJob(job);
    ASSERT_EQ(job.entered, job.left);
    ASSERT_LE(job.left, 1);
    begun += job.left;
    job.~Job();
    memset(memory, 0x5A, sizeof(memory));
  }
  RecordProperty("begun", begun);
}

/// A thread that sleeps is woken.
TEST(ThreadPool, sleepersAreWoken) {
  for (int i = 0; i < 5; ++i) {
    Blocker blocker;
    blocker.released = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    offerJob(blocker, 1);
    EXPECT_TRUE(await([&] { return blocker.begun == 1; }));
    withdrawJob(blocker);
  }
}

/// One and a little, rounded: more than one where that is upwards.
float roundedSum() {
  volatile float one = 1, little = 1e-9f;
  return one + little;
}

/// Results do not depend on who computes them: threads of the pool round as the
/// caller does.
TEST(ParallelFor, roundsAsTheCallerDoes) {
  int before = fegetround();
  for (int mode : {FE_UPWARD, FE_TONEAREST}) {
    fesetround(mode);
    std::atomic<int> wrong{0};
    std::atomic<bool> hasHelped{false};
    EXPECT_TRUE(await([&] {
      parallelFor(2, 64, [&](int32_t thread, int64_t, int64_t) {
        wrong += (roundedSum() > 1) != (mode == FE_UPWARD);
        hasHelped = hasHelped || thread == 1;
      });
      return hasHelped.load();
    }));
    EXPECT_EQ(wrong, 0);
  }
  fesetround(before);
}

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define BROADLOOM_NO_FORK 1
#endif
#endif
#ifndef BROADLOOM_NO_FORK
/// A process that was forked has threads of its own.
TEST(ThreadPool, afterFork) {
  EXPECT_EQ(countRuns(2, 100), std::vector<int>(100, 1));
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    std::atomic<bool> hasHelped{false};
    bool helped = await([&] {
      parallelFor(2, 64, [&](int32_t thread, int64_t, int64_t) {
        hasHelped = hasHelped || thread == 1;
      });
      return hasHelped.load();
    });
    _exit(helped && countRuns(2, 100) == std::vector<int>(100, 1) ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}
#endif

} // namespace
