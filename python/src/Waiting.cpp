//===- Waiting.cpp - long work that Ctrl-C ends ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "python/src/Waiting.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <pthread.h>
#include <set>
#include <thread>
#include <unistd.h>

using namespace broadloom::python;

/// How long it takes at most until a signal is seen.
static constexpr auto kBetweenLooks = std::chrono::milliseconds(20);

namespace {

struct AtWork {
  std::mutex mutex;
  std::condition_variable changed;
  /// Those that can be cancelled.
  std::set<BroadloomCompiler *> compilers;
  /// With those that are being destroyed.
  int64_t count = 0;
  bool isEnding = false;
  /// Who ends the interpreter.
  std::thread::id ender;
};

} // namespace

/// Outlives the threads that are there when the process ends. A process that is
/// forked has none of these threads, and begins anew.
static AtWork &atWork() {
  static AtWork *all = [] {
    pthread_atfork(nullptr, nullptr, [] { all = new AtWork; });
    return new AtWork;
  }();
  return *all;
}

/// Keeps a thread that the interpreter does not wait for until the process is
/// gone, as the interpreter itself does with one that wants Python's lock
/// later. What such a thread raised would be printed while streams are being
/// closed, which CPython 3.12 takes for a fatal error.
[[noreturn]] static void waitForTheEnd() {
  Py_BEGIN_ALLOW_THREADS;
  for (;;)
    std::this_thread::sleep_for(std::chrono::hours(1));
  Py_END_ALLOW_THREADS;
}

bool CompilersAtWork::add(BroadloomCompiler *compiler) {
  AtWork &all = atWork();
  std::unique_lock<std::mutex> lock(all.mutex);
  if (all.isEnding) {
    if (std::this_thread::get_id() != all.ender) {
      lock.unlock();
      waitForTheEnd();
    }
    PyErr_SetString(PyExc_RuntimeError, "nothing is compiled while the "
                                        "interpreter is ending");
    return false;
  }
  all.compilers.insert(compiler);
  ++all.count;
  return true;
}

void CompilersAtWork::leaveAtTheEnd(BroadloomCompiler *compiler) {
  AtWork &all = atWork();
  std::unique_lock<std::mutex> lock(all.mutex);
  if (!all.isEnding || std::this_thread::get_id() == all.ender)
    return;
  // The process takes its memory along.
  if (all.compilers.erase(compiler)) {
    --all.count;
    all.changed.notify_all();
  }
  lock.unlock();
  waitForTheEnd();
}

void CompilersAtWork::destroy(BroadloomCompiler *compiler) {
  AtWork &all = atWork();
  {
    std::lock_guard<std::mutex> lock(all.mutex);
    all.compilers.erase(compiler);
  }
  broadloomCompilerDestroy(compiler);
  std::lock_guard<std::mutex> lock(all.mutex);
  --all.count;
  all.changed.notify_all();
}

void CompilersAtWork::endAll() {
  AtWork &all = atWork();
  Py_BEGIN_ALLOW_THREADS;
  // Not held while this thread waits for Python's lock.
  {
    std::unique_lock<std::mutex> lock(all.mutex);
    all.isEnding = true;
    all.ender = std::this_thread::get_id();
    // Again and again: what has not begun yet cannot be cancelled.
    while (!all.changed.wait_for(lock, kBetweenLooks,
                                 [&] { return all.count <= 0; }))
      for (BroadloomCompiler *compiler : all.compilers)
        broadloomCompilerCancel(compiler);
  }
  Py_END_ALLOW_THREADS;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// How long a call runs at most until it pauses, and for how many such times
/// the thread that lets calls pause goes on without a call.
static constexpr auto kBetweenPauses = std::chrono::milliseconds(100);
static constexpr int kIdleTimes = 20;
/// For how many such times a call has not paused, in a function of another
/// library, until a second Ctrl-C ends the process.
static constexpr int kStuckTimes = 5;

namespace {

/// The handler of Ctrl-C while a call is in a function of another library that
/// does not return: the first time says so, and does what Python does; the
/// second time ends the process as if there were no handler.
class StuckCall {
public:
  /// `text` is told with the first Ctrl-C. Nothing where Python does not handle
  /// Ctrl-C.
  static void begin(BroadloomInvocation *invocation);
  static void end();
  /// The end of a call looks at it behind its write of `current`, and the
  /// watching thread at `current` behind its write of this: one sees the other.
  static bool isOn() { return on.load(); }

private:
  static void handle(int signal, siginfo_t *info, void *context);

  static std::atomic<bool> on;
  static std::atomic<int> count;
  static struct sigaction before;
  static char text[1024];
  static size_t textLength;
};

std::atomic<bool> StuckCall::on{false};
std::atomic<int> StuckCall::count{0};
struct sigaction StuckCall::before;
char StuckCall::text[1024];
size_t StuckCall::textLength = 0;

/// The thread that lets calls pause. It begins with the first call, and sleeps
/// where there are none.
struct CallWatch {
  std::mutex mutex;
  std::condition_variable wakes;
  bool isStarted = false;
  std::atomic<bool> isAsleep{true};
  /// The invocation that the main thread calls.
  std::atomic<BroadloomInvocation *> current{nullptr};
  /// The calls so far; the main thread alone writes it.
  std::atomic<int64_t> count{0};
  /// How often calls have paused.
  std::atomic<int64_t> pauses{0};

  void wake();
  void run();
};

} // namespace

void StuckCall::begin(BroadloomInvocation *invocation) {
  char place[768];
  struct sigaction now;
  if (!broadloomInvocationLibraryCall(invocation, place, sizeof place) ||
      sigaction(SIGINT, nullptr, &now) != 0 ||
      (!(now.sa_flags & SA_SIGINFO) &&
       (now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN)))
    return;
  int length = std::snprintf(text, sizeof text,
                             "\nbroadloom: %s: the library's function has not "
                             "returned, and nothing can interrupt it; Ctrl-C "
                             "again ends the process\n",
                             place);
  textLength = length < 0 ? 0 : std::min(size_t(length), sizeof text - 1);
  count = 0;
  before = now;
  struct sigaction mine = {};
  mine.sa_sigaction = handle;
  mine.sa_flags =
      SA_SIGINFO | (now.sa_flags & (SA_RESTART | SA_ONSTACK | SA_NODEFER));
  mine.sa_mask = now.sa_mask;
  if (sigaction(SIGINT, &mine, nullptr) == 0)
    on = true;
}

void StuckCall::end() {
  struct sigaction now;
  // Somebody may have set another one meanwhile.
  if (sigaction(SIGINT, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) &&
      now.sa_sigaction == handle)
    sigaction(SIGINT, &before, nullptr);
  on = false;
}

void StuckCall::handle(int signal, siginfo_t *info, void *context) {
  if (count.fetch_add(1) == 0) {
    // What cannot be told is not told. The library may be about to look at its
    // own error.
    int error = errno;
    if (write(STDERR_FILENO, text, textLength) < 0) {
    }
    errno = error;
    struct sigaction first = before;
    if (first.sa_flags & SA_RESETHAND) {
      before = {};
      before.sa_handler = SIG_DFL;
    }
    if (first.sa_flags & SA_SIGINFO)
      first.sa_sigaction(signal, info, context);
    else
      first.sa_handler(signal);
    return;
  }
  struct sigaction none = {};
  none.sa_handler = SIG_DFL;
  sigaction(SIGINT, &none, nullptr);
  // Delivered when this handler returns.
  kill(getpid(), SIGINT);
}

static std::thread::id mainThread;

/// As atWork().
static CallWatch &callWatch() {
  static CallWatch *watch = [] {
    pthread_atfork(nullptr, nullptr, [] {
      mainThread = std::this_thread::get_id();
      watch = new CallWatch;
      // The thread that would take the handler away is the parent's.
      if (StuckCall::isOn())
        StuckCall::end();
    });
    return new CallWatch;
  }();
  return *watch;
}

void CallWatch::wake() {
  std::lock_guard<std::mutex> lock(mutex);
  isAsleep = false;
  if (!isStarted)
    std::thread([this] { run(); }).detach();
  isStarted = true;
  wakes.notify_one();
}

void CallWatch::run() {
  std::unique_lock<std::mutex> lock(mutex);
  int64_t seen = -1, paused = -1;
  int stuck = 0;
  for (int idle = 0;;) {
    wakes.wait_for(lock, kBetweenPauses);
    BroadloomInvocation *invocation = current;
    bool isSame = seen == count.load(std::memory_order_relaxed);
    seen = count.load(std::memory_order_relaxed);
    char place[1];
    bool isStuck =
        isSame && invocation && paused == pauses &&
        broadloomInvocationLibraryCall(invocation, place, sizeof place) != 0;
    paused = pauses;
    stuck = isStuck ? stuck + 1 : 0;
    if (stuck == kStuckTimes)
      StuckCall::begin(invocation);
    // The call may have ended meanwhile, before it could see the handler.
    bool hasEnded =
        current != invocation || seen != count.load(std::memory_order_relaxed);
    if ((!isStuck || hasEnded) && StuckCall::isOn())
      StuckCall::end();
    // The call has gone on since the last look.
    if (isSame && invocation)
      broadloomInvocationPause(invocation);
    idle = isSame && !invocation ? idle + 1 : 0;
    if (idle < kIdleTimes)
      continue;
    // A call that begins either sees this or is seen.
    isAsleep = true;
    if (current == nullptr)
      wakes.wait(lock, [&] { return !isAsleep; });
    isAsleep = false;
    idle = 0;
  }
}

WatchedCall::WatchedCall(BroadloomInvocation *invocation)
    : isMain(std::this_thread::get_id() == mainThread) {
  if (!isMain)
    return;
  CallWatch &watch = callWatch();
  watch.count.store(watch.count.load(std::memory_order_relaxed) + 1,
                    std::memory_order_relaxed);
  outer = watch.current.exchange(invocation);
  if (watch.isAsleep)
    watch.wake();
}

WatchedCall::~WatchedCall() {
  if (!isMain)
    return;
  callWatch().current.store(outer);
  if (!StuckCall::isOn())
    return;
  std::lock_guard<std::mutex> lock(callWatch().mutex);
  if (StuckCall::isOn())
    StuckCall::end();
}

void WatchedCall::paused() {
  callWatch().pauses.fetch_add(1, std::memory_order_relaxed);
}

void WatchedCall::forget() {
  std::lock_guard<std::mutex> lock(callWatch().mutex);
}

bool WatchedCall::initialise() {
  Ref threading(PyImport_ImportModule("threading"));
  Ref main(threading
               ? PyObject_CallMethod(threading.get(), "main_thread", nullptr)
               : nullptr);
  Ref ident(main ? PyObject_GetAttrString(main.get(), "ident") : nullptr);
  if (!ident)
    return false;
  auto number = PyLong_AsUnsignedLong(ident.get());
  // The thread's number is that of the C library.
  mainThread = std::thread::id(pthread_t(number));
  return !PyErr_Occurred();
}

//===----------------------------------------------------------------------===//
// Compilations
//===----------------------------------------------------------------------===//

bool broadloom::python::runInterruptibly(BroadloomCompiler *compiler,
                                         const std::function<void()> &work) {
  std::mutex mutex;
  std::condition_variable ended;
  bool isDone = false;
  std::thread worker([&] {
    work();
    std::lock_guard<std::mutex> lock(mutex);
    isDone = true;
    ended.notify_one();
  });
  bool isInterrupted = false;
  for (bool goOn = true; goOn;) {
    Py_BEGIN_ALLOW_THREADS;
    std::unique_lock<std::mutex> lock(mutex);
    goOn = !ended.wait_for(lock, kBetweenLooks, [&] { return isDone; });
    Py_END_ALLOW_THREADS;
    if (goOn && !isInterrupted)
      isInterrupted = PyErr_CheckSignals() != 0;
    // Again and again: what has not begun yet cannot be cancelled.
    if (goOn && isInterrupted)
      broadloomCompilerCancel(compiler);
  }
  worker.join();
  CompilersAtWork::leaveAtTheEnd(compiler);
  return !isInterrupted;
}
