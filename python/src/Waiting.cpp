//===- Waiting.cpp - long work that Ctrl-C ends ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "python/src/Waiting.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <pthread.h>
#include <set>
#include <thread>

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
