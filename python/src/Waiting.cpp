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
#include <thread>

using namespace broadloom::python;

/// How long it takes at most until a signal is seen.
static constexpr auto kBetweenLooks = std::chrono::milliseconds(20);

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
  return !isInterrupted;
}
