//===- Iterations.h - iterations of a loop with known bounds ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The iterations of a counted loop whose bounds and step are known words, with
// a sign or without (rt-13).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_NUMBERS_ITERATIONS_H
#define BROADLOOM_INFER_NUMBERS_ITERATIONS_H

#include "infer/numbers/Number.h"

#include "llvm/Support/MathExtras.h"

#include <cstdint>

namespace broadloom::infer {

class Iterations {
public:
  /// The bounds and the step are words of `width` bits with their signs. There
  /// is no iteration if the step leads nowhere: it is 0, or signed and
  /// negative.
  Iterations(int64_t from, int64_t to, int64_t step, unsigned width,
             bool isUnsigned)
      : isUnsigned(isUnsigned), width(width), first(from),
        last(int64_t(uint64_t(to) - 1)),
        step(isUnsigned ? cut(step) : uint64_t(step)) {
    bool isRun = isUnsigned ? cut(from) < cut(to) : from < to;
    if (!isRun || (isUnsigned ? this->step == 0 : step <= 0))
      return;
    uint64_t span =
        isUnsigned ? cut(to) - cut(from) : uint64_t(to) - uint64_t(from);
    beforeLast = (span - 1) / this->step;
    isAny = true;
  }

  bool isMoreThan(uint64_t most) const { return isAny && beforeLast >= most; }
  uint64_t count() const { return isAny ? beforeLast + 1 : 0; }
  int64_t getIndex(uint64_t iteration) const {
    return llvm::SignExtend64(uint64_t(first) + iteration * step, width);
  }
  /// The bounds of all indices.
  Bounds getBounds() const {
    return isUnsigned && (first < 0 || last < 0) ? Bounds()
                                                 : Bounds{first, last};
  }

private:
  /// The word as an unsigned number.
  uint64_t cut(int64_t word) const {
    return uint64_t(word) & llvm::maskTrailingOnes<uint64_t>(width);
  }

  bool isUnsigned;
  unsigned width;
  int64_t first, last;
  uint64_t step, beforeLast = 0;
  bool isAny = false;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_NUMBERS_ITERATIONS_H
