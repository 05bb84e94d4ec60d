//===- Stopwatch.h - how long the stages of a compilation take --*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_STEPS_STOPWATCH_H
#define BROADLOOM_DRIVER_STEPS_STOPWATCH_H

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>

namespace broadloom {

/// Prints how long each stage takes to standard error, if enabled.
class Stopwatch {
public:
  explicit Stopwatch(bool enabled) : enabled(enabled) {}
  /// Begins the first stage.
  void start() { last = Clock::now(); }
  /// Ends the stage `name`, and begins the next one.
  void stage(llvm::StringRef name) {
    Clock::time_point now = Clock::now();
    if (enabled)
      llvm::errs() << llvm::formatv(
          "{0,8:F2} ms  {1}\n",
          std::chrono::duration<double, std::milli>(now - last).count(), name);
    last = now;
  }

private:
  using Clock = std::chrono::steady_clock;
  bool enabled;
  Clock::time_point last = Clock::now();
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_STEPS_STOPWATCH_H
