//===- LentCalls.h - calls of libraries on copies, for tests ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CALLS_LENTCALLS_H
#define BROADLOOM_RUNTIME_CALLS_LENTCALLS_H

#include "runtime/calls/Call.h"
#include "runtime/calls/LentMemory.h"

#include <gtest/gtest.h>

#include <string>

namespace broadloom {

/// The descriptor of a vector of floats.
struct Vector {
  void *allocated;
  char *aligned;
  int64_t offset, size, stride;

  float *data() { return reinterpret_cast<float *>(aligned) + offset; }
};

/// Calls a function with copies; returns the failure's message.
inline std::string callOnCopies(BroadloomLibraryCaller caller, void *block,
                                const BroadloomLentArgument *arguments,
                                int32_t count) {
  static const BroadloomGuardSite site = {"f", "p.mlir:1:1", -1, 0, ""};
  CallContext call;
  int32_t status = broadloomCallLibraryOnCopies(&call, &site, caller, block,
                                                arguments, count);
  if (status == BROADLOOM_OK)
    status = checkLentMemory(&call);
  EXPECT_EQ(status != BROADLOOM_OK, !call.failure().message.empty());
  return call.failure().message;
}

inline const std::string kCopy =
    "; it was given a copy, so that the memory of the call does not have it";

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CALLS_LENTCALLS_H
