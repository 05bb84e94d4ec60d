//===- ParallelLoop.h - loops of programs on several threads ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// broadloomRunLoop. A loop that a part of another loop runs stays on the thread
// of that part.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CALLS_PARALLELLOOP_H
#define BROADLOOM_RUNTIME_CALLS_PARALLELLOOP_H

namespace broadloom {

/// Whether this thread runs a part of a loop for a call of another thread. It
/// must not change the state of that call.
bool runsPartOfLoop() noexcept;

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CALLS_PARALLELLOOP_H
