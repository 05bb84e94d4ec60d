//===- Stack.h - what is left of a thread's stack ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The depth of recursive functions depends on their arguments, so that each
// call checks the stack (rt-12).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CALLS_STACK_H
#define BROADLOOM_RUNTIME_CALLS_STACK_H

namespace broadloom {

/// Whether the calling thread's stack has space for another function and its
/// launches: a megabyte, or a quarter of a small stack. True if the system does
/// not tell, and on stacks that are not the thread's own.
bool hasStackLeft() noexcept;

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CALLS_STACK_H
