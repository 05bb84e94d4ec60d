//===- ElementFacts.h - names and sizes of element types --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inline, because each call asks for the size of each argument several times,
// which takes a tenth of a tiny call through exported functions.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CALLS_ELEMENTFACTS_H
#define BROADLOOM_RUNTIME_CALLS_ELEMENTFACTS_H

#include "runtime/calls/Tensor.h"

namespace broadloom {

struct ElementFacts {
  const char *name;
  int64_t bytes;
};

/// In the order of BroadloomElementType.
inline constexpr ElementFacts kElementFacts[] = {
    {"i1", 1},     {"i8", 1},   {"i16", 2},  {"i32", 4},  {"i64", 8},
    {"ui8", 1},    {"ui16", 2}, {"ui32", 4}, {"ui64", 8}, {"f8E4M3FN", 1},
    {"f8E5M2", 1}, {"f16", 2},  {"bf16", 2}, {"f32", 4},  {"f64", 8},
};
static_assert(sizeof(kElementFacts) / sizeof(kElementFacts[0]) ==
                  BROADLOOM_F64 + 1,
              "one entry per element type");

inline bool isElementType(BroadloomElementType type) {
  return unsigned(type) <= unsigned(BROADLOOM_F64);
}

/// The same as broadloomElementBytes.
inline int64_t getTypeBytes(BroadloomElementType type) {
  return isElementType(type) ? kElementFacts[type].bytes : 1;
}

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CALLS_ELEMENTFACTS_H
