//===- CompileThreads.h - the threads of a compilation ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this library.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DRIVER_STEPS_COMPILETHREADS_H
#define BROADLOOM_DRIVER_STEPS_COMPILETHREADS_H

#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/ThreadPool.h"

#include <optional>

namespace broadloom {

/// Gives threads to an MLIR context while it lives: passes over functions, and
/// machine code, are shared among them. A context without any works on the
/// thread that calls it, and so does one with a single thread.
class CompileThreads {
public:
  /// More are of no use.
  static constexpr unsigned kMost = 128;

  /// `wanted` threads; for 0, one for each core that the process may use.
  CompileThreads(mlir::MLIRContext &context, unsigned wanted)
      : context(context) {
    llvm::ThreadPoolStrategy strategy = llvm::hardware_concurrency(wanted);
    strategy.ThreadsRequested =
        std::min(strategy.compute_thread_count(), kMost);
    if (strategy.compute_thread_count() == 1)
      return;
    // Threads start when there is work for them.
    pool.emplace(strategy);
    context.setThreadPool(*pool);
  }
  ~CompileThreads() {
    if (pool)
      context.disableMultithreading();
  }
  CompileThreads(const CompileThreads &) = delete;
  CompileThreads &operator=(const CompileThreads &) = delete;

private:
  mlir::MLIRContext &context;
  std::optional<llvm::DefaultThreadPool> pool;
};

} // namespace broadloom

#endif // BROADLOOM_DRIVER_STEPS_COMPILETHREADS_H
