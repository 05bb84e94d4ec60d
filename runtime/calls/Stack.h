//===- Stack.h - what is left of a thread's stack ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that call themselves go as deep as their arguments tell them to
// (rt-12).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CALLS_STACK_H
#define BROADLOOM_RUNTIME_CALLS_STACK_H

namespace broadloom {

/// Whether the calling thread's stack has room for another function and all
/// that it launches: a megabyte, of small stacks a quarter. True where the
/// system does not tell, and on stacks that are not the thread's own.
bool hasStackLeft() noexcept;

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CALLS_STACK_H
