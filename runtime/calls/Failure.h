//===- Failure.h - what went wrong in a call --------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A failed call as data (rt-2): what failed, where, with which values, and the
// one line that tells a user.
//
// Invariant: `message` is lower case without a full stop, and empty if and
// only if `status` is BROADLOOM_OK.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CALLS_FAILURE_H
#define BROADLOOM_RUNTIME_CALLS_FAILURE_H

#include "runtime/abi/Abi.h"

#include <string>
#include <vector>

namespace broadloom {

struct Failure {
  int32_t status = BROADLOOM_OK;
  /// Name of the operation as the user wrote it; empty if the failure belongs
  /// to none.
  std::string operation;
  /// "file:line:column", or empty.
  std::string location;
  /// Result axis, or -1.
  int32_t axis = -1;
  /// The values that the guard checked.
  std::vector<int64_t> values;
  /// `location: 'operation': text`, without the parts that are not known.
  std::string message;
};

/// `4x3`, and `scalar` for rank 0.
std::string formatExtents(const int64_t *extents, int64_t rank);

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CALLS_FAILURE_H
