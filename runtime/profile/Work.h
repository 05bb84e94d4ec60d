//===- Work.h - what a part of a program computes ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_PROFILE_WORK_H
#define BROADLOOM_RUNTIME_PROFILE_WORK_H

#include <cstdint>

namespace broadloom {

/// The amounts of data and computation, with the extents of the call.
struct Work {
  /// The bytes of the tensors that are read and written, each once, independent
  /// of caches. An axis of stride 0 counts as one element.
  int64_t bytes = 0;
  /// Scalar operations of element-wise code and of reductions.
  int64_t operations = 0;
  /// The multiply-adds of matrix products and convolutions.
  int64_t multiplyAdds = 0;
  /// Elements that reductions and pools go over.
  int64_t reducedElements = 0;

  Work &operator+=(const Work &other) noexcept {
    bytes += other.bytes;
    operations += other.operations;
    multiplyAdds += other.multiplyAdds;
    reducedElements += other.reducedElements;
    return *this;
  }
  Work operator-(const Work &other) const noexcept {
    return {bytes - other.bytes, operations - other.operations,
            multiplyAdds - other.multiplyAdds,
            reducedElements - other.reducedElements};
  }
};

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_PROFILE_WORK_H
