//===- ReductionPrograms.h - a program over rows for tests ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One program of all that there is: over rows of x it computes
//
//   m = max(x); e = (m - x) * 3 + 1; s = sum(e); h = 2 s + m; o = e w + h
//
// on unsigned integers that wrap, with h and o, and at times e, as results. w
// is broadcast against the rest, and may be longer than x is.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_TEST_LIB_RUNTIME_REDUCTIONPROGRAMS_H
#define BROADLOOM_TEST_LIB_RUNTIME_REDUCTIONPROGRAMS_H

#include "test/lib/runtime/TestPrograms.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

namespace broadloom::test {

/// What kernels were given that they must not be, and calls of special ones.
inline std::atomic<int64_t> misuse, shortCalls, narrowCalls;

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Calls `compute(element pointers)` for each element, in the order in which a
/// compiled kernel would.
template <typename T, int Count, typename Compute>
void forElements(void *const *pointers, const int64_t *steps, int moving,
                 int64_t lanes, int64_t count, Compute compute) {
  misuse += lanes <= 0 || lanes % BROADLOOM_STRIP_MULTIPLE != 0 || count <= 0;
  for (int64_t step = 0; step < count; ++step)
    for (int64_t lane = 0; lane < lanes; ++lane) {
      T *at[Count];
      for (int i = 0; i < Count; ++i)
        at[i] = static_cast<T *>(pointers[i]) +
                (i < moving ? step * steps[i] : 0) + lane;
      compute(at);
    }
}

template <typename T>
void maxOf(void *const *pointers, const int64_t *steps, int64_t lanes,
           int64_t count) { // x; max
  forElements<T, 2>(pointers, steps, 1, lanes, count,
                    [](T **at) { *at[1] = std::max(*at[0], *at[1]); });
}

template <typename T>
void distance(void *const *pointers, const int64_t *steps, int64_t lanes,
              int64_t count) { // x, m; e; sum
  forElements<T, 4>(pointers, steps, 3, lanes, count, [](T **at) {
    *at[2] = T((*at[1] - *at[0]) * 3 + 1);
    *at[3] = T(*at[3] + *at[2]);
  });
}

template <typename T>
void perRow(void *const *pointers, const int64_t *steps, int64_t lanes,
            int64_t count) { // s, m; h
  misuse += count != 1;
  forElements<T, 3>(pointers, steps, 3, lanes, count,
                    [](T **at) { *at[2] = T(2 * *at[0] + *at[1]); });
}

/// (Of 16-bit numbers the product would be one of 'int', and too large for it.)
template <typename T> T combine(T e, T w, T h) {
  using Wide = decltype(1u * e);
  return T(Wide(e) * w + h);
}

template <typename T>
void combined(void *const *pointers, const int64_t *steps, int64_t lanes,
              int64_t count) { // e, w, h; o
  forElements<T, 4>(pointers, steps, 4, lanes, count,
                    [](T **at) { *at[3] = combine(*at[0], *at[1], *at[2]); });
}

/// The same of the program for a w with one element for each row.
template <typename T>
void combinedNarrow(void *const *pointers, const int64_t *steps, int64_t lanes,
                    int64_t count) {
  misuse += steps[1] != 0;
  ++narrowCalls;
  combined<T>(pointers, steps, lanes, count);
}

/// The element of value `id` in row `row`; of what is neither operand nor
/// result there are some rows only.
template <typename T>
T *rowOf(void *const *bases, const int64_t *strides, int id, int64_t row,
         bool isOwn = false) {
  return static_cast<T *>(bases[id]) +
         (isOwn ? row % BROADLOOM_SHORT_ROWS : row) * strides[id];
}

enum Number { X, W, M, E, S, H, O, kNumValues };

/// All stages on short rows.
template <typename T, bool keepsE>
void shortRows(void *const *bases, const int64_t *strides, int64_t length,
               int64_t rows) {
  misuse += length <= 0 || rows <= 0;
  for (int64_t row = 0; row < rows; ++row) {
    const T *x = rowOf<T>(bases, strides, X, row);
    const T *w = rowOf<T>(bases, strides, W, row);
    T *e = rowOf<T>(bases, strides, E, row, !keepsE);
    T *o = rowOf<T>(bases, strides, O, row);
    T largest = *std::max_element(x, x + length), sum = 0;
    for (int64_t i = 0; i < length; ++i) {
      e[i] = T((largest - x[i]) * 3 + 1);
      sum = T(sum + e[i]);
    }
    T h = *rowOf<T>(bases, strides, H, row) = T(2 * sum + largest);
    for (int64_t i = 0; i < length; ++i)
      o[i] = combine(e[i], w[i], h);
  }
  ++shortCalls;
}

template <typename T> void finishMax(const void *lanes, void *result) {
  const T *all = static_cast<const T *>(lanes);
  T value = *std::max_element(all, all + BROADLOOM_REDUCTION_LANES);
  std::fill_n(static_cast<T *>(result), BROADLOOM_REDUCTION_LANES, value);
}

template <typename T> void finishSum(const void *lanes, void *result) {
  const T *all = static_cast<const T *>(lanes);
  T value = 0;
  for (int i = 0; i < BROADLOOM_REDUCTION_LANES; ++i)
    value = T(value + all[i]);
  std::fill_n(static_cast<T *>(result), BROADLOOM_REDUCTION_LANES, value);
}

template <typename T>
void foldSum(void *const *pointers, const int64_t *steps, int64_t lanes,
             int64_t count) { // e; sum
  forElements<T, 2>(pointers, steps, 1, lanes, count,
                    [](T **at) { *at[1] = T(*at[1] + *at[0]); });
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

/// What a program is compiled into.
enum class Compiled { Stages, ShortRows, Narrow };

struct ReductionProgram {
  /// `isOrdered`: whether the sum is said to depend on the order of elements.
  ReductionProgram(int32_t rank, uint64_t reduced, int32_t bytes, bool keepsE,
                   Compiled compiled, bool isOrdered = false)
      : bytes(bytes), keepsE(keepsE), isOrdered(isOrdered),
        hasShortRows(compiled == Compiled::ShortRows) {
    switch (bytes) {
    case 1:
      set<uint8_t>();
      break;
    case 2:
      set<uint16_t>();
      break;
    case 4:
      set<uint32_t>();
      break;
    default:
      set<uint64_t>();
      break;
    }
    values[X] = {bytes, 0, 1, 1};
    values[W] = {bytes, 0, 2, 2};
    values[M] = {bytes, 1, 1, 0};
    values[E] = {bytes, 0, 1, 1};
    values[S] = {bytes, 1, 1, 0};
    values[H] = {bytes, 1, 1, 0};
    values[O] = {bytes, 0, 3, 3};
    rows = BroadloomReduction{rank,        reduced, values, stages,
                              shortKernel, 0,       nullptr};
    results = {H, O};
    if (keepsE)
      results.push_back(E);
    program = BroadloomProgram{};
    program.numOperands = 2;
    program.numStages = 4;
    program.numResults = int32_t(results.size());
    program.numValues = kNumValues;
    program.results = results.data();
    program.rows = &rows;
    if (compiled != Compiled::Narrow)
      return;
    std::copy_n(values, int(kNumValues), narrowValues);
    narrowValues[W].perRow = 1;
    narrowRows = rows;
    narrowRows.values = narrowValues;
    narrowRows.stages = narrowStages;
    narrowProgram = program;
    narrowProgram.rows = &narrowRows;
    rows.narrowOperands = 1 << W;
    rows.narrow = &narrowProgram;
  }

  template <typename T> void set() {
    if (hasShortRows)
      shortKernel = keepsE ? shortRows<T, true> : shortRows<T, false>;
    reduces[0] = {finishMax<T>, &zero, 1, nullptr};
    reduces[1] = {finishSum<T>, &zero, 1, isOrdered ? foldSum<T> : nullptr};
    stages[0] = {maxOf<T>, inputs[0], &reduces[0], 1, 0, 1, 0, 1};
    stages[1] = {distance<T>, inputs[1], &reduces[1], 2, 1, 1, 0, 3};
    stages[2] = {perRow<T>, inputs[2], nullptr, 2, 1, 0, 1, 2};
    stages[3] = {combined<T>, inputs[3], nullptr, 3, 1, 0, 0, 2};
    std::copy_n(stages, 4, narrowStages);
    narrowStages[3].kernel = combinedNarrow<T>;
  }

  int32_t bytes;
  bool keepsE, isOrdered, hasShortRows;
  BroadloomShortRowsKernel shortKernel = nullptr;
  uint64_t zero = 0;
  int32_t inputs[4][3] = {{X}, {X, M}, {S, M}, {E, W, H}};
  BroadloomReduce reduces[2];
  BroadloomReductionStage stages[4], narrowStages[4];
  BroadloomReductionValue values[kNumValues], narrowValues[kNumValues];
  BroadloomReduction rows, narrowRows;
  std::vector<int32_t> results;
  BroadloomProgram program, narrowProgram;
};

//===----------------------------------------------------------------------===//
// The reference
//===----------------------------------------------------------------------===//

inline uint64_t wrap(uint64_t value, int32_t bytes) {
  return bytes == 8 ? value : value & ((uint64_t(1) << (8 * bytes)) - 1);
}

struct Reference {
  Reference(const Buffer &x, const Buffer &w, size_t rank, uint64_t reduced)
      : x(x), w(w), bytes(x.bytes) {
    full.assign(rank - x.extents.size(), 1);
    full.insert(full.end(), x.extents.begin(), x.extents.end());
    row = full;
    for (size_t axis = 0; axis < rank; ++axis)
      if (reduced >> axis & 1)
        row[axis] = 1;
    good = broadcastReference({full, w.extents}, out);
    int64_t rows = 1;
    for (int64_t extent : row)
      rows *= extent;
    max.assign(size_t(rows), 0);
    sum.assign(size_t(rows), 0);
    for (bool isSum : {false, true}) {
      Extents at(rank);
      if (!isEmpty(full))
        do {
          size_t number = rowOf(at);
          if (isSum)
            sum[number] = wrap(sum[number] + value(E, at), bytes);
          else
            max[number] = std::max(max[number], x.get(at));
        } while (next(at, full));
    }
  }

  /// The number of the row that an index of a shape lies in that the row is
  /// broadcast to.
  size_t rowOf(const Extents &at) const {
    int64_t number = 0;
    for (size_t axis = 0; axis < row.size(); ++axis)
      number = number * row[axis] + (row[axis] == 1 ? 0 : at[axis]);
    return size_t(number);
  }

  /// The value at `at`, an index of a shape that its own is broadcast to.
  uint64_t value(Number number, const Extents &at) const {
    size_t own = rowOf(at);
    if (number == E)
      return wrap((max[own] - x.get(at)) * 3 + 1, bytes);
    uint64_t h = wrap(2 * sum[own] + max[own], bytes);
    return number == H ? h : wrap(value(E, at) * w.get(at) + h, bytes);
  }

  const Buffer &x, &w;
  int32_t bytes;
  Extents full, row, out;
  std::vector<uint64_t> max, sum;
  bool good;
};

inline std::string compare(CallContext &call, int32_t index, Number number,
                           const Reference &reference) {
  BroadloomTensor result;
  if (call.takeResult(index, &result) != BROADLOOM_OK)
    return "no result";
  Extents extents(result.dims, result.dims + result.rank);
  const Extents &expected = number == H   ? reference.row
                            : number == E ? reference.full
                                          : reference.out;
  std::string difference;
  if (extents != expected)
    difference = "shape " + formatExtents(extents.data(), result.rank);
  else if (Extents at(extents.size()); !isEmpty(extents))
    do {
      uint64_t got = element(result, at), wanted = reference.value(number, at);
      if (got != wanted)
        difference = "at " + formatExtents(at.data(), result.rank) + ": " +
                     std::to_string(got) + " and not " + std::to_string(wanted);
    } while (difference.empty() && next(at, extents));
  broadloomTensorRelease(&result);
  return difference;
}

} // namespace broadloom::test

#endif // BROADLOOM_TEST_LIB_RUNTIME_REDUCTIONPROGRAMS_H
