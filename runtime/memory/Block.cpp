//===- Block.cpp - two-dimensional blocks of strided operands -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/Block.h"

#include "runtime/memory/Fill.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>

using namespace broadloom;

namespace {

template <typename T> void copyElement(char *to, const char *from) {
  memcpy(to, from, sizeof(T));
}

/// Sixteen bytes, the vector width that every supported processor has.
template <typename T> struct Lanes {
  static constexpr int kCount = 16 / int(sizeof(T));
  typedef T Vector __attribute__((vector_size(16)));

  /// Alternating lanes of the first halves of `a` and `b`, or of their second.
  template <size_t... I>
  static Vector low(Vector a, Vector b, std::index_sequence<I...>) {
    return __builtin_shufflevector(a, b, int(I / 2 + I % 2 * kCount)...);
  }
  template <size_t... I>
  static Vector high(Vector a, Vector b, std::index_sequence<I...>) {
    return __builtin_shufflevector(a, b,
                                   int(I / 2 + I % 2 * kCount + kCount / 2)...);
  }
};

/// A square of as many rows as a vector has lanes; element (row, column) is at
/// column * columnStride + row. Transposes by interleaving vector i with vector
/// i + half, once for every bit of a lane's number.
template <typename T>
void transposeSquare(char *to, int64_t toPitch, const char *from,
                     int64_t columnStride) {
  using Lanes = Lanes<T>;
  using Vector = typename Lanes::Vector;
  constexpr int kCount = Lanes::kCount;
  constexpr auto kAll = std::make_index_sequence<size_t(kCount)>();
  Vector a[kCount], b[kCount];
  for (int i = 0; i < kCount; ++i)
    memcpy(&a[i], from + i * columnStride * int64_t(sizeof(T)), 16);
  for (int step = 1; step < kCount; step *= 2) {
    for (int i = 0; i < kCount / 2; ++i) {
      b[2 * i] = Lanes::low(a[i], a[i + kCount / 2], kAll);
      b[2 * i + 1] = Lanes::high(a[i], a[i + kCount / 2], kAll);
    }
    for (int i = 0; i < kCount; ++i)
      a[i] = b[i];
  }
  for (int i = 0; i < kCount; ++i)
    memcpy(to + i * toPitch * int64_t(sizeof(T)), &a[i], 16);
}

template <typename T>
void copyPlain(char *to, int64_t toPitch, const char *from, int64_t rowStride,
               int64_t columnStride, int64_t rows, int64_t columns) {
  constexpr int64_t kSize = sizeof(T);
  // Where rows are the denser axis of the source, some columns are copied at a
  // time: their cache lines stay in the first cache for all rows.
  constexpr int64_t kFewColumns = 64;
  bool rowsAreDense = std::abs(rowStride) < std::abs(columnStride);
  int64_t some = rowsAreDense ? kFewColumns : std::max<int64_t>(columns, 1);
  for (int64_t first = 0; first < columns; first += some) {
    int64_t end = std::min(first + some, columns);
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t column = first; column < end; ++column)
        copyElement<T>(to + (row * toPitch + column) * kSize,
                       from +
                           (row * rowStride + column * columnStride) * kSize);
  }
}

/// Columns ahead whose cache lines are prefetched: they are too far apart for
/// the processor to predict them. Beyond the block's last column this is
/// the beginning of the next one, or an address that is only prefetched.
constexpr int64_t kAhead = 16;

template <typename T>
void prefetchColumns(const char *from, int64_t column, int64_t columnStride,
                     int64_t rows) {
  constexpr int64_t kLine = 64;
  // Integer arithmetic, because the address may be outside the array.
  uintptr_t at = reinterpret_cast<uintptr_t>(from) +
                 uintptr_t(column) * uintptr_t(columnStride) * sizeof(T);
  for (int i = 0; i < Lanes<T>::kCount; ++i) {
    // A column that begins within a line ends in one more.
    int64_t bytes = rows * int64_t(sizeof(T)) + int64_t(at % kLine);
    for (int64_t down = 0; down < bytes; down += kLine)
      __builtin_prefetch(reinterpret_cast<const void *>(at + uintptr_t(down)),
                         0, 2);
    at += uintptr_t(columnStride) * sizeof(T);
  }
}

/// Transposes at least as many rows as a square has. The last squares overlap
/// those before them.
template <typename T>
void transposeSquares(char *to, int64_t toPitch, const char *from,
                      int64_t columnStride, int64_t rows, int64_t columns) {
  constexpr int64_t kSize = sizeof(T);
  constexpr int64_t kSide = Lanes<T>::kCount;
  if (columns < kSide)
    return copyPlain<T>(to, toPitch, from, 1, columnStride, rows, columns);
  // Iterates over rows first: each cache line of the source is used completely
  // before it is evicted, even if many lines map to the same set.
  for (int64_t next = 0; next < columns; next += kSide) {
    int64_t column = std::min(next, columns - kSide);
    prefetchColumns<T>(from, column + kAhead, columnStride, rows);
    for (int64_t below = 0; below < rows; below += kSide) {
      int64_t row = std::min(below, rows - kSide);
      transposeSquare<T>(to + (row * toPitch + column) * kSize, toPitch,
                         from + (column * columnStride + row) * kSize,
                         columnStride);
    }
  }
}

#ifdef __x86_64__

#define BROADLOOM_AVX2 __attribute__((target("avx2")))

/// Two squares in the halves of 32 bytes. No lane changes its half, which takes
/// longer.
template <typename T> struct Halves {
  static constexpr int kCount = Lanes<T>::kCount;
  typedef T Vector __attribute__((vector_size(32)));

  /// In each half, what Lanes<T>::low does, and what Lanes<T>::high does.
  template <size_t... I>
  BROADLOOM_AVX2 static Vector low(Vector a, Vector b,
                                   std::index_sequence<I...>) {
    return __builtin_shufflevector(
        a, b,
        int(I / kCount * kCount + I % kCount / 2 + I % 2 * 2 * kCount)...);
  }
  template <size_t... I>
  BROADLOOM_AVX2 static Vector high(Vector a, Vector b,
                                    std::index_sequence<I...>) {
    return __builtin_shufflevector(a, b,
                                   int(I / kCount * kCount + kCount / 2 +
                                       I % kCount / 2 + I % 2 * 2 * kCount)...);
  }
};

/// Transposes the columns of two squares, beside each other, of at least as
/// many rows as a square has.
template <typename T>
BROADLOOM_AVX2 void transposePair(char *to, int64_t toPitch, const char *from,
                                  int64_t columnStride, int64_t rows) {
  using Halves = Halves<T>;
  using Vector = typename Halves::Vector;
  constexpr int kCount = Halves::kCount;
  constexpr int64_t kSize = sizeof(T);
  constexpr auto kAll = std::make_index_sequence<size_t(2 * kCount)>();
  for (int64_t below = 0; below < rows; below += kCount) {
    int64_t row = std::min<int64_t>(below, rows - kCount);
    Vector a[kCount], b[kCount];
    for (int i = 0; i < kCount; ++i) {
      const char *column = from + (i * columnStride + row) * kSize;
      memcpy(&a[i], column, 16);
      memcpy(reinterpret_cast<char *>(&a[i]) + 16, column + 16 * columnStride,
             16);
    }
    for (int step = 1; step < kCount; step *= 2) {
      for (int i = 0; i < kCount / 2; ++i) {
        b[2 * i] = Halves::low(a[i], a[i + kCount / 2], kAll);
        b[2 * i + 1] = Halves::high(a[i], a[i + kCount / 2], kAll);
      }
      for (int i = 0; i < kCount; ++i)
        a[i] = b[i];
    }
    for (int i = 0; i < kCount; ++i)
      memcpy(to + (row + i) * toPitch * kSize, &a[i], 32);
  }
}

bool hasWideVectors() {
  static const bool found = [] {
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") != 0;
  }();
  return found;
}

/// Transposes some of the first columns, two squares of them at a time; returns
/// how many. A vector that is not aligned may be in two cache lines, which
/// takes longer than what wide vectors save.
template <typename T>
int64_t transposePairs(char *to, int64_t toPitch, const char *from,
                       int64_t columnStride, int64_t rows, int64_t columns) {
  constexpr int64_t kBytes = sizeof(T), kAlignment = 32;
  constexpr int64_t kRows = Lanes<T>::kCount, kSide = 2 * kRows;
  int64_t beyond = int64_t(reinterpret_cast<uintptr_t>(to) % kAlignment);
  int64_t first = beyond == 0 ? 0 : (kAlignment - beyond) / kBytes;
  if (!hasWideVectors() || beyond % kBytes != 0 || toPitch % kSide != 0 ||
      columns < first + kSide)
    return 0;
  if (first != 0)
    transposeSquares<T>(to, toPitch, from, columnStride, rows,
                        std::max(first, kRows));
  int64_t end = first + (columns - first) / kSide * kSide;
  // Prefetching columns takes longer than it saves here.
  for (int64_t column = first; column < end; column += kSide)
    transposePair<T>(to + column * kBytes, toPitch,
                     from + column * columnStride * kBytes, columnStride, rows);
  return end;
}

/// The vectors of a few arrays that are interleaved: permutations of larger
/// elements may cross halves of 32 bytes, those of smaller ones cost more.
template <typename T, int kArrays> struct Interleaved {
  static constexpr int kBytes = sizeof(T) < 4 ? 16 : 32;
  static constexpr int kCount = kBytes / int(sizeof(T));
  typedef T Vector __attribute__((vector_size(kBytes)));

  /// Lane i of the vector `out` of the interleaved elements is of array
  /// `arrayOf`, and lane `laneOf` there.
  static constexpr int arrayOf(int out, int i) {
    return (out * kCount + i) % kArrays;
  }
  static constexpr int laneOf(int out, int i) {
    return (out * kCount + i) / kArrays;
  }
  /// Adds the lanes of array `next` to vector `kOut`, which has those of the
  /// arrays before.
  template <int kOut, int kNext, size_t... I>
  BROADLOOM_AVX2 static Vector weave(Vector before, Vector next,
                                     std::index_sequence<I...>) {
    return __builtin_shufflevector(before, next,
                                   (arrayOf(kOut, int(I)) == kNext
                                        ? kCount + laneOf(kOut, int(I))
                                    : kNext == 1 ? laneOf(kOut, int(I))
                                                 : int(I))...);
  }
  /// The same from interleaved vectors to array `kOut`: lane i is element
  /// i * kArrays + kOut of all.
  template <int kOut, int kNext, size_t... I>
  BROADLOOM_AVX2 static Vector part(Vector before, Vector next,
                                    std::index_sequence<I...>) {
    return __builtin_shufflevector(
        before, next,
        ((int(I) * kArrays + kOut) / kCount == kNext
             ? kCount + (int(I) * kArrays + kOut) % kCount
         : kNext == 1 ? (int(I) * kArrays + kOut) % kCount
                      : int(I))...);
  }

  template <bool kWeaves, int kOut, int kNext = 1>
  BROADLOOM_AVX2 static Vector combine(const Vector *in, Vector before) {
    constexpr auto kAll = std::make_index_sequence<size_t(kCount)>();
    Vector made;
    if constexpr (kWeaves)
      made = weave<kOut, kNext>(before, in[kNext], kAll);
    else
      made = part<kOut, kNext>(before, in[kNext], kAll);
    if constexpr (kNext + 1 < kArrays)
      return combine<kWeaves, kOut, kNext + 1>(in, made);
    else
      return made;
  }

  /// Vectors `kOut` and those behind it.
  template <bool kWeaves, int kOut = 0>
  BROADLOOM_AVX2 static void combineAll(const Vector *in, Vector *out) {
    out[kOut] = combine<kWeaves, kOut>(in, in[0]);
    if constexpr (kOut + 1 < kArrays)
      combineAll<kWeaves, kOut + 1>(in, out);
  }
};

/// Interleaves `count` elements of each of kArrays arrays, `distance` apart, or
/// takes them apart. The last vectors overlap those before them.
template <typename T, int kArrays, bool kWeaves>
BROADLOOM_AVX2 void interleave(char *to, const char *from, int64_t distance,
                               int64_t count) {
  using Own = Interleaved<T, kArrays>;
  typename Own::Vector in[kArrays], out[kArrays];
  int64_t apart = distance * int64_t(sizeof(T));
  for (int64_t next = 0; next < count; next += Own::kCount) {
    int64_t at = std::min<int64_t>(next, count - Own::kCount);
    at *= int64_t(sizeof(T));
    int64_t whole = at * kArrays;
    for (int i = 0; i < kArrays; ++i)
      memcpy(&in[i],
             kWeaves ? from + i * apart + at : from + whole + i * Own::kBytes,
             Own::kBytes);
    Own::template combineAll<kWeaves>(in, out);
    for (int i = 0; i < kArrays; ++i)
      memcpy(kWeaves ? to + whole + i * Own::kBytes : to + i * apart + at,
             &out[i], Own::kBytes);
  }
}

template <typename T, bool kWeaves>
bool interleave(int64_t arrays, char *to, const char *from, int64_t distance,
                int64_t count) {
  if (count < Interleaved<T, 2>::kCount || !hasWideVectors())
    return false;
  switch (arrays) {
  case 2:
    interleave<T, 2, kWeaves>(to, from, distance, count);
    return true;
  case 3:
    interleave<T, 3, kWeaves>(to, from, distance, count);
    return true;
  case 4:
    interleave<T, 4, kWeaves>(to, from, distance, count);
    return true;
  default:
    return false;
  }
}

#else

template <typename T>
int64_t transposePairs(char *, int64_t, const char *, int64_t, int64_t,
                       int64_t) {
  return 0;
}

template <typename T, bool kWeaves>
bool interleave(int64_t, char *, const char *, int64_t, int64_t) {
  return false;
}

#endif

template <typename T>
void transpose(char *to, int64_t toPitch, const char *from,
               int64_t columnStride, int64_t rows, int64_t columns) {
  int64_t done =
      transposePairs<T>(to, toPitch, from, columnStride, rows, columns);
  if (done == columns)
    return;
  // A whole square, even if it overlaps what is done.
  done = std::max<int64_t>(0, std::min(done, columns - Lanes<T>::kCount));
  transposeSquares<T>(to + done * int64_t(sizeof(T)), toPitch,
                      from + done * columnStride * int64_t(sizeof(T)),
                      columnStride, rows, columns - done);
}

template <typename T>
void gather(char *to, int64_t toPitch, const char *from, int64_t rowStride,
            int64_t columnStride, int64_t rows, int64_t columns) {
  // A few consecutive arrays become one, such as the channels of an image, or
  // the other way round.
  if (rowStride == 1 && toPitch == columns &&
      interleave<T, true>(columns, to, from, columnStride, rows))
    return;
  if (rowStride == 1 && columnStride == rows &&
      interleave<T, false>(rows, to, from, toPitch, columns))
    return;
  if (rowStride == 1 && columnStride != 1 && rows >= Lanes<T>::kCount)
    return transpose<T>(to, toPitch, from, columnStride, rows, columns);
  copyPlain<T>(to, toPitch, from, rowStride, columnStride, rows, columns);
}

} // namespace

void broadloom::gatherBlock(char *to, int64_t toPitch, const char *from,
                            int64_t rowStride, int64_t columnStride,
                            int64_t rows, int64_t columns, int32_t bytes) {
  switch (bytes) {
  case 1:
    return gather<uint8_t>(to, toPitch, from, rowStride, columnStride, rows,
                           columns);
  case 2:
    return gather<uint16_t>(to, toPitch, from, rowStride, columnStride, rows,
                            columns);
  case 4:
    return gather<uint32_t>(to, toPitch, from, rowStride, columnStride, rows,
                            columns);
  default:
    return gather<uint64_t>(to, toPitch, from, rowStride, columnStride, rows,
                            columns);
  }
}
