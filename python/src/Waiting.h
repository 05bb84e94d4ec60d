//===- Waiting.h - long work that Ctrl-C ends -------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_PYTHON_SRC_WAITING_H
#define BROADLOOM_PYTHON_SRC_WAITING_H

#include "driver/CApi.h"
#include "python/src/Python.h"

#include <functional>

namespace broadloom::python {

/// Runs `work`, which is at something with `compiler`, in a thread of its own
/// and without Python's lock. This thread waits, and looks for signals
/// meanwhile: an exception of a signal's handler, such as KeyboardInterrupt,
/// cancels the work. False where there is such an exception; the work is over
/// in any case.
bool runInterruptibly(BroadloomCompiler *compiler,
                      const std::function<void()> &work);

/// A call of the main thread, in which alone handlers of signals run: as long
/// as this lives, another thread makes the call pause from time to time, so
/// that Ctrl-C ends it. Costs a few nanoseconds.
class WatchedCall {
public:
  explicit WatchedCall(BroadloomInvocation *invocation);
  ~WatchedCall();
  WatchedCall(const WatchedCall &) = delete;
  WatchedCall &operator=(const WatchedCall &) = delete;

  /// Notes that a call has looked for signals.
  static void paused();
  /// Returns when no invocation is used whose calls have ended.
  static void forget();
  /// Notes which thread is the main one. False with an exception.
  static bool initialise();

private:
  bool isMain;
  /// That of the call in whose pause this one is.
  BroadloomInvocation *outer = nullptr;
};

/// Compilers that threads work with.
class CompilersAtWork {
public:
  /// False, with a RuntimeError set, in the thread that ends the interpreter:
  /// `compiler` is not among them then. Another thread does not come back
  /// while the interpreter is ending.
  static bool add(BroadloomCompiler *compiler);
  /// Does not come back either where another thread ends the interpreter. What
  /// was done with `compiler`, which is one of them, is over.
  static void leaveAtTheEnd(BroadloomCompiler *compiler);
  /// Destroys `compiler`, which is one of them.
  static void destroy(BroadloomCompiler *compiler);
  /// Cancels the work of all, waits until it is over, and lets no other
  /// begin: the interpreter ends threads that want its lock later, and what a
  /// process has static is about to go.
  static void endAll();
};

} // namespace broadloom::python

#endif // BROADLOOM_PYTHON_SRC_WAITING_H
