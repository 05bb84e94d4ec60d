//===- ReductionShortOrder.cpp - the order of short rows, row by row ------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Short rows that their own kernel cannot compute (ReductionShort.cpp), because
// there is no such kernel or because values are computed one by one, are
// computed one after the other and reduced in the same order
// (ReductionOrder::Short): element i goes to lane i modulo
// BROADLOOM_SHORT_ROWS. Kernels have BROADLOOM_REDUCTION_LANES lanes. So a
// stage's kernel first combines each element with the neutral one, which gives
// the elements themselves. Another kernel then reduces these in steps that
// overlap: each begins BROADLOOM_SHORT_ROWS elements after the one before, and
// only its first lanes are used.
//
//===----------------------------------------------------------------------===//

#include "runtime/Rounding.h"
#include "runtime/reductions/ReductionWorker.h"

#include <cstring>

using namespace broadloom;

static constexpr int64_t kStrip = BROADLOOM_STRIP_MULTIPLE;
static constexpr int64_t kLanes = BROADLOOM_REDUCTION_LANES;
static constexpr int64_t kUsed = BROADLOOM_SHORT_ROWS;
static_assert(kLanes == kStrip, "what fills strips fills lanes");

/// Reduces the elements of a row to one. Beyond the end of the row they are
/// neutral.
void ReductionWorker::foldInShortOrder(const BroadloomReduce &reduce,
                                       const ReductionValue &value) {
  makeNeutral(value);
  BroadloomReductionIndex index{0, 1, kUsed};
  void *addresses[] = {memory + value.elements, memory + value.lanes, &index};
  int64_t stepsOfBoth[] = {kUsed, 0};
  reduce.fold(addresses, stepsOfBoth, kLanes, divideUp(run.length, kUsed));
  makeNeutral(value, kUsed);
  reduce.finish(memory + value.lanes, bufferOf(value));
}

/// Runs one stage over the elements of a row, which is in a single part, and of
/// which nothing is streamed.
void ReductionWorker::sweepInShortOrder(int32_t number, int64_t row) {
  const BroadloomReductionStage &stage = program.rows->stages[number];
  auto forReductions = [&](auto use) {
    for (int32_t k = 0; k < stage.numReductions; ++k)
      use(stage.reductions[k], reductionOf(number, k));
  };
  // What has no order is reduced on the way.
  auto keepElements = [&](int64_t at) {
    forReductions(
        [&](const BroadloomReduce &reduce, const ReductionValue &value) {
          if (!reduce.fold)
            return;
          memcpy(memory + value.elements + at * value.bytes,
                 memory + value.lanes, size_t(kLanes * value.bytes));
          makeNeutral(value);
        });
  };
  forReductions([&](const BroadloomReduce &, const ReductionValue &value) {
    makeNeutral(value);
  });
  // As in sweepPart, what does not fill a strip comes first.
  int64_t tail = run.length % kStrip, whole = run.length - tail;
  if (tail) {
    sweepTail(stage, number, whole, tail, row);
    keepElements(whole);
  }
  for (int64_t at = 0; at < whole; at += kLanes) {
    call(stage, number, kLanes, 1, at, 0);
    keepElements(at);
  }
  forReductions(
      [&](const BroadloomReduce &reduce, const ReductionValue &value) {
        if (reduce.fold)
          foldInShortOrder(reduce, value);
        else
          reduce.finish(memory + value.lanes, bufferOf(value));
      });
}
