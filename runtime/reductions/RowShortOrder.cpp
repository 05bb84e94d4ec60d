//===- RowShortOrder.cpp - the order of short rows without their kernel ---===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Short rows that their own kernel cannot compute (RowShort.cpp), because
// results are not consecutive in memory or there is no such kernel, are
// computed one by one in the same order (RowOrder::Short): element i goes to
// lane i modulo BROADLOOM_SHORT_ROWS. Kernels of stages combine
// BROADLOOM_REDUCTION_LANES elements with as many lanes, so that steps overlap:
// each begins BROADLOOM_SHORT_ROWS elements after the one before, and only its
// first lanes are used. Elements of outputs are computed several times.
//
//===----------------------------------------------------------------------===//

#include "runtime/reductions/RowWorker.h"

#include <cstring>

using namespace broadloom;

static constexpr int64_t kStrip = BROADLOOM_STRIP_MULTIPLE;
static constexpr int64_t kLanes = BROADLOOM_REDUCTION_LANES;
static constexpr int64_t kUsed = BROADLOOM_SHORT_ROWS;

/// Calls the kernel for `count` steps from element `at` of a row on. Values in
/// memory are there if `inStrip` is negative; else they are in strips, from
/// element `inStrip` on.
void RowWorker::callInShortOrder(int32_t number, int64_t count, int64_t at,
                                 int64_t inStrip) {
  const BroadloomRowStage &stage = program.rows->stages[number];
  auto addressOf = [&](int32_t id) {
    const RowValue &value = run.values[id];
    if (value.access == RowAccess::PerRow)
      return bufferOf(value);
    return inStrip >= 0 && value.access == RowAccess::Direct
               ? memory + value.strip + inStrip * value.bytes
               : bases[id] + at * value.bytes;
  };
  callKernel<kLanes / kUsed>(stage, number, kLanes, count, {at, 1, kUsed},
                             addressOf);
}

/// Runs one stage over the elements of a row, which is in a single part, and of
/// which nothing is streamed.
void RowWorker::sweepInShortOrder(int32_t number) {
  const BroadloomRowStage &stage = program.rows->stages[number];
  auto forReductions = [&](auto use) {
    for (int32_t k = 0; k < stage.numReductions; ++k)
      use(stage.reductions[k], reductionOf(number, k));
  };
  auto makeNeutral = [&](const RowValue &value, int64_t from) {
    memcpy(memory + value.lanes + from * value.bytes, memory + value.neutral,
           size_t((kLanes - from) * value.bytes));
  };
  forReductions([&](const BroadloomReduce &, const RowValue &value) {
    makeNeutral(value, 0);
  });
  // The steps that are within the row; others are computed in strips.
  int64_t inRow =
      run.length >= kStrip ? (run.length - kStrip) / kUsed + 1 : int64_t(0);
  if (inRow)
    callInShortOrder(number, inRow, 0, -1);
  int64_t at = inRow * kUsed, rest = run.length - at;
  for (int32_t k = 0; k < stage.numInputs; ++k)
    if (const RowValue &value = run.values[stage.inputs[k]];
        value.access == RowAccess::Direct)
      memcpy(memory + value.strip, bases[stage.inputs[k]] + at * value.bytes,
             size_t(rest * value.bytes));
  int64_t whole = rest / kUsed, tail = rest % kUsed;
  if (whole)
    callInShortOrder(number, whole, at, 0);
  if (tail) {
    // Lanes beyond the end of the row keep their partial results.
    forReductions([&](const BroadloomReduce &, const RowValue &value) {
      memcpy(memory + value.finished, memory + value.lanes,
             size_t(kUsed * value.bytes));
    });
    callInShortOrder(number, 1, at + whole * kUsed, whole * kUsed);
    forReductions([&](const BroadloomReduce &, const RowValue &value) {
      memcpy(memory + value.lanes + tail * value.bytes,
             memory + value.finished + tail * value.bytes,
             size_t((kUsed - tail) * value.bytes));
    });
  }
  for (int32_t k = 0; k < stage.numOutputs; ++k)
    if (int32_t id = run.firstValues[number] + k;
        run.values[id].access == RowAccess::Direct)
      memcpy(bases[id] + at * run.values[id].bytes,
             memory + run.values[id].strip,
             size_t(rest * run.values[id].bytes));
  forReductions([&](const BroadloomReduce &reduce, const RowValue &value) {
    makeNeutral(value, kUsed);
    reduce.finish(memory + value.lanes, bufferOf(value));
  });
}
