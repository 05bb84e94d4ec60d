//===- Fill.cpp - operands brought into consecutive order -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/Fill.h"

#include "runtime/memory/Block.h"
#include "runtime/memory/Rows.h"
#include "runtime/memory/Space.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

using namespace broadloom;

namespace {

template <typename T> T load(const char *from) {
  T value;
  memcpy(&value, from, sizeof(T));
  return value;
}

template <typename T> void store(char *to, T value) {
  memcpy(to, &value, sizeof(T));
}

/// Calls `body` with a value of the unsigned type of `bytes` bytes.
template <typename Body> void withElement(int32_t bytes, Body &&body) {
  switch (bytes) {
  case 1:
    return body(uint8_t());
  case 2:
    return body(uint16_t());
  case 4:
    return body(uint32_t());
  default:
    return body(uint64_t());
  }
}

template <typename T>
void strided(char *to, const char *from, int64_t stride, int64_t count) {
  int64_t step = stride * int64_t(sizeof(T));
  for (int64_t i = 0; i < count; ++i)
    store<T>(to + i * sizeof(T), load<T>(from + i * step));
}

template <typename T>
void run(char *to, const char *from, int64_t stride, int64_t count) {
  if (stride == 0)
    splatRows(to, from, 1, count, 0, int32_t(sizeof(T)));
  else if (stride == 1)
    memcpy(to, from, size_t(count) * sizeof(T));
  else
    strided<T>(to, from, stride, count);
}

/// Copies whole rows of strided elements, of a length known to the compiler.
template <typename T, int Length>
void shortRows(char *to, const char *from, int64_t rows, int64_t outer,
               int64_t inner) {
  outer *= int64_t(sizeof(T));
  inner *= int64_t(sizeof(T));
  for (int64_t row = 0; row < rows; ++row, to += Length * sizeof(T))
    for (int i = 0; i < Length; ++i)
      store<T>(to + i * sizeof(T), load<T>(from + row * outer + i * inner));
}

template <typename T>
void wholeRows(char *to, const char *from, int64_t rows, int64_t length,
               int64_t outer, int64_t inner) {
  if (inner == 0)
    return splatRows(to, from, rows, length, outer, int32_t(sizeof(T)));
  if (inner == 1)
    return copyRows(to, length, from, outer, rows, length, int32_t(sizeof(T)));
  if (length == 2)
    return shortRows<T, 2>(to, from, rows, outer, inner);
  if (length == 3)
    return shortRows<T, 3>(to, from, rows, outer, inner);
  if (outer != 0 && std::abs(outer) < std::abs(inner))
    return gatherBlock(to, length, from, outer, inner, rows, length,
                       int32_t(sizeof(T)));
  for (int64_t row = 0; row < rows; ++row)
    strided<T>(to + row * length * int64_t(sizeof(T)),
               from + row * outer * int64_t(sizeof(T)), inner, length);
}

/// An index in the space, and the operand's element there.
struct Cursor {
  int64_t index[kMaxAxes];
  int64_t offset = 0;

  Cursor(const Walk &walk, int64_t start) {
    if (start == 0) {
      std::fill(index, index + walk.rank, 0);
      return;
    }
    for (int32_t axis = walk.rank - 1; axis >= 0; --axis) {
      int64_t rest = start / walk.extents[axis];
      index[axis] = start - rest * walk.extents[axis];
      offset += index[axis] * walk.strides[axis];
      start = rest;
    }
  }

  /// Moves `steps` forward along `axis`, at most to its end.
  void advance(const Walk &walk, int32_t axis, int64_t steps) {
    index[axis] += steps;
    offset += steps * walk.strides[axis];
    while (index[axis] == walk.extents[axis]) {
      offset -= index[axis] * walk.strides[axis];
      index[axis] = 0;
      if (--axis < 0)
        return;
      ++index[axis];
      offset += walk.strides[axis];
    }
  }
};

template <typename T>
void walkOnce(char *to, const Walk &walk, int64_t start, int64_t count) {
  Cursor at(walk, start);
  int32_t inner = walk.rank - 1, outer = walk.rank - 2, third = walk.rank - 3;
  int64_t length = walk.extents[inner];
  int64_t plane = third >= 0 ? walk.extents[outer] * length : 0;
  while (count > 0) {
    const char *from = walk.base + at.offset * int64_t(sizeof(T));
    int64_t done;
    if (third >= 0 && at.index[inner] == 0 && at.index[outer] == 0 &&
        count >= plane) {
      int64_t planes =
          std::min(walk.extents[third] - at.index[third], count / plane);
      for (int64_t i = 0; i < planes; ++i)
        wholeRows<T>(to + i * plane * int64_t(sizeof(T)),
                     from + i * walk.strides[third] * int64_t(sizeof(T)),
                     walk.extents[outer], length, walk.strides[outer],
                     walk.strides[inner]);
      at.advance(walk, third, planes);
      done = planes * plane;
    } else if (outer >= 0 && at.index[inner] == 0 && count >= length) {
      int64_t rows =
          std::min(walk.extents[outer] - at.index[outer], count / length);
      wholeRows<T>(to, from, rows, length, walk.strides[outer],
                   walk.strides[inner]);
      at.advance(walk, outer, rows);
      done = rows * length;
    } else {
      done = std::min(length - at.index[inner], count);
      run<T>(to, from, walk.strides[inner], done);
      at.advance(walk, inner, done);
    }
    to += done * int64_t(sizeof(T));
    count -= done;
  }
}

} // namespace

void broadloom::fillSplat(char *to, const char *from, int64_t count,
                          int32_t bytes) {
  splatRows(to, from, 1, count, 0, bytes);
}

void broadloom::fillStrided(char *to, const char *from, int64_t stride,
                            int64_t count, int32_t bytes) {
  withElement(bytes,
              [&](auto zero) { run<decltype(zero)>(to, from, stride, count); });
}

void broadloom::fillWalk(char *to, const Walk &walk, int64_t start,
                         int64_t count) {
  if (walk.period == 1 || walk.rank == 0)
    return fillSplat(to, walk.base, count, walk.bytes);
  int64_t once = std::min(count, walk.period);
  withElement(walk.bytes, [&](auto zero) {
    walkOnce<decltype(zero)>(to, walk, start, once);
  });
  // The rest repeats the existing elements, doubling each time.
  for (int64_t done = once; done < count;) {
    int64_t more = std::min(done, count - done);
    memcpy(to + done * walk.bytes, to, size_t(more) * size_t(walk.bytes));
    done += more;
  }
}
