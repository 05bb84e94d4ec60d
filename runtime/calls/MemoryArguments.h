//===- MemoryArguments.h - the caller's memory, as its type says -*- C++
//-*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function over memory works on the caller's memory itself. Its types may
// promise a layout, and compiled code relies on that: what the caller gives is
// checked here, and described as the type says (mem-1).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CALLS_MEMORYARGUMENTS_H
#define BROADLOOM_RUNTIME_CALLS_MEMORYARGUMENTS_H

#include "runtime/calls/Call.h"
#include "runtime/calls/Tables.h"

namespace broadloom {

/// Points `args` to views whose memory has the layouts of `signature`; `tables`
/// holds them. Ranks and extents have been checked. Fails where the caller's
/// memory has another layout.
int32_t describeMemory(BroadloomCall &call, const BroadloomSignature &signature,
                       const BroadloomView *&args, Tables &tables);

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CALLS_MEMORYARGUMENTS_H
