//===- ThreadPool.cpp - threads that share work ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/threads/ThreadPool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#include <signal.h>
#endif
#ifdef __linux__
#include <sched.h>
#endif
#ifdef __x86_64__
#include <immintrin.h>
#endif

using namespace broadloom;

namespace {

/// How long an idle thread waits before it sleeps: longer than the time between
/// the launches of a program, and between its calls in a loop. Waking a thread
/// takes five to fifty times as long as giving work to one that waits.
constexpr auto kAwake = std::chrono::microseconds(200);

/// The least time between two moves of one thread. A thread moves to another
/// core where it runs on the core of the thread that offers it work. Where all
/// cores are busy, moving does not help.
constexpr auto kBetweenMoves = std::chrono::milliseconds(5);

/// How often a waiting thread polls before it yields.
constexpr int kLooks = 64;

inline void pauseCore() {
#ifdef __x86_64__
  _mm_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// The state of a thread: free, or the address of the job that it is offered.
/// With the bit kBegun: the job that it runs, or, without an address, that an
/// offer is being made.
constexpr uintptr_t kFree = 0;
constexpr uintptr_t kBegun = 1;

/// The core that runs this, or -1.
int currentCore() {
#ifdef __linux__
  return sched_getcpu();
#else
  return -1;
#endif
}

/// Moves the calling thread away from `core`, if it may run on another core.
/// Its affinity stays the same.
void leave(int core) {
#ifdef __linux__
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) != 0)
    return;
  cpu_set_t others = allowed;
  CPU_CLR(core, &others);
  if (CPU_COUNT(&others) && !sched_setaffinity(0, sizeof(others), &others))
    sched_setaffinity(0, sizeof(allowed), &allowed);
#else
  (void)core;
#endif
}

uintptr_t addressOf(PoolJob &job) { return reinterpret_cast<uintptr_t>(&job); }

class alignas(64) PoolThread {
public:
  /// A thread that is offered `job` from the beginning. Throws
  /// std::system_error.
  PoolThread(PoolJob &job, int32_t number)
      : state(addressOf(job)), number(number), offeredOn(currentCore()),
        thread([this] { serve(); }) {}

  /// Offers `job` if the thread is free.
  bool offer(PoolJob &job, int32_t as) {
    uintptr_t expected = kFree;
    if (state.load(std::memory_order_relaxed) != kFree ||
        !state.compare_exchange_strong(expected, kBegun))
      return false;
    number = as;
    offeredOn.store(currentCore(), std::memory_order_relaxed);
    // Either this thread sees that the other one is asleep, or the other one
    // sees the offer before it sleeps.
    state.store(addressOf(job));
    if (asleep.load())
      wake();
    return true;
  }

  void withdraw(PoolJob &job) {
    uintptr_t offered = addressOf(job), begun = offered | kBegun;
    uintptr_t found = state.load(std::memory_order_acquire);
    if (found == offered && state.compare_exchange_strong(found, kFree))
      return;
    for (int looks = 1; found == begun; ++looks) {
      pauseCore();
      // The thread that runs the job may be waiting for this core.
      if (looks % kLooks == 0)
        std::this_thread::yield();
      found = state.load(std::memory_order_acquire);
    }
  }

  void stop() {
    stopping.store(true);
    wake();
    thread.join();
  }

private:
  void wake() {
    {
      std::lock_guard<std::mutex> lock(mutex);
      asleep.store(false);
    }
    awakened.notify_one();
  }

  uintptr_t offered() const {
    uintptr_t found = state.load();
    return found & kBegun ? kFree : found;
  }

  /// The next job, or none where the thread is to end.
  uintptr_t await() {
    while (!stopping.load(std::memory_order_relaxed)) {
      auto end = std::chrono::steady_clock::now() + kAwake;
      do {
        for (int looks = 0; looks < kLooks; ++looks) {
          if (uintptr_t job = offered())
            return job;
          pauseCore();
        }
        keepAway();
        std::this_thread::yield();
      } while (std::chrono::steady_clock::now() < end);
      std::unique_lock<std::mutex> lock(mutex);
      asleep.store(true);
      if (!offered() && !stopping.load())
        awakened.wait(lock, [&] { return !asleep.load(); });
      asleep.store(false);
    }
    return kFree;
  }

  /// A thread on the core of the offering thread makes little progress, and the
  /// scheduler may leave both there for long.
  void keepAway() {
    int core = offeredOn.load(std::memory_order_relaxed);
    if (core < 0 || core != currentCore())
      return;
    auto now = std::chrono::steady_clock::now();
    if (now < nextMove)
      return;
    nextMove = now + kBetweenMoves;
    leave(core);
  }

  void serve() {
    while (uintptr_t job = await()) {
      // The offer may have been withdrawn, and even repeated.
      if (!state.compare_exchange_strong(job, job | kBegun))
        continue;
      keepAway();
      PoolJob &mine = *reinterpret_cast<PoolJob *>(job);
      mine.run(mine, number);
      state.store(kFree, std::memory_order_release);
    }
  }

  std::atomic<uintptr_t> state;
  /// The number of this thread among the threads that take part in the job.
  int32_t number;
  /// The core from which the last job was offered.
  std::atomic<int> offeredOn;
  std::chrono::steady_clock::time_point nextMove;
  std::atomic<bool> asleep{false};
  std::atomic<bool> stopping{false};
  std::mutex mutex;
  std::condition_variable awakened;
  std::thread thread;
};

/// Threads are added and never removed. A reader of the first `size` threads
/// needs no lock.
struct Pool {
  std::mutex growing;
  bool stopped = false;
  std::atomic<int32_t> size{0};
  std::atomic<PoolThread *> threads[kMostThreads - 1] = {};
};

/// Never destroyed: other threads may call while the process ends.
Pool &pool() {
  alignas(Pool) static char memory[sizeof(Pool)];
  static Pool &it = *new (memory) Pool;
  return it;
}

/// Resets the pool in a forked process. The threads of the first process do not
/// exist there, and a lock that one of them held is never released.
void forgetThreads() {
  pool().size.store(0);
  new (&pool().growing) std::mutex;
}

/// Stops the threads before their code is unloaded or the process ends. The
/// objects of the threads stay in the pool: a thread that has offered a job may
/// still look for it there.
struct Stopper {
  ~Stopper() {
    std::lock_guard<std::mutex> lock(pool().growing);
    pool().stopped = true;
    for (int32_t i = 0, size = pool().size.load(); i < size; ++i)
      pool().threads[i].load()->stop();
  }
};
Stopper stopper;

/// Runs `start` with signals blocked, so that the started thread gets only
/// signals for its own faults: handlers of the program must run on its own
/// threads.
template <typename Start> void withoutSignals(Start &&start) {
#if defined(__unix__) || defined(__APPLE__)
  sigset_t all, before;
  sigfillset(&all);
  for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP})
    sigdelset(&all, fault);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  start();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
#else
  start();
#endif
}

/// Starts a thread for `job` if there are fewer than `most`.
bool addThread(PoolJob &job, int32_t number, int32_t most) {
  std::lock_guard<std::mutex> lock(pool().growing);
  int32_t size = pool().size.load();
  if (pool().stopped || size >= std::min(most, kMostThreads - 1))
    return false;
#if defined(__unix__) || defined(__APPLE__)
  static int registered = pthread_atfork(nullptr, nullptr, forgetThreads);
  (void)registered;
#endif
  PoolThread *added = nullptr;
  withoutSignals([&] {
    try {
      added = new PoolThread(job, number);
    } catch (const std::exception &) {
      // No thread can be started: the job runs without it.
    }
  });
  if (!added)
    return false;
  pool().threads[size].store(added);
  pool().size.store(size + 1);
  return true;
}

int32_t countCores() {
  if (const char *wanted = getenv("OMP_NUM_THREADS"))
    if (long threads = strtol(wanted, nullptr, 10); threads > 0)
      return int32_t(std::min<long>(threads, kMostThreads));
  int32_t cores = int32_t(std::thread::hardware_concurrency());
#ifdef __linux__
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0)
    cores = CPU_COUNT(&allowed);
#endif
  return std::clamp(cores, 1, kMostThreads);
}

} // namespace

int32_t broadloom::availableThreads() noexcept {
  static const int32_t threads = countCores();
  return threads;
}

int32_t broadloom::offerJob(PoolJob &job, int32_t most) noexcept {
  int32_t given = 0, size = pool().size.load(std::memory_order_acquire);
  for (int32_t i = 0; i < size && given < most; ++i)
    given += pool()
                 .threads[i]
                 .load(std::memory_order_relaxed)
                 ->offer(job, given + 1);
  // A single job may get as many threads as it wants; the jobs of several
  // callers together get as many as there are cores.
  while (given < most &&
         addThread(job, given + 1, std::max(most, availableThreads() - 1)))
    ++given;
  return given;
}

void broadloom::withdrawJob(PoolJob &job) noexcept {
  int32_t size = pool().size.load(std::memory_order_acquire);
  for (int32_t i = 0; i < size; ++i)
    pool().threads[i].load(std::memory_order_relaxed)->withdraw(job);
}
