//===- ReductionRun.h - stages that are run row by row together -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stages of a program over rows, and the access to their values. All stages
// run on one row, or on one block of rows, before the next, so that values
// between stages stay in the cache.
//
// A kernel computes a tile of lanes times steps. A tile is a row, whose
// elements are distributed to lanes, which are combined at the end; or it is a
// block of rows: each lane is a row, and each step is one element of all rows.
// What is not consecutive in memory that way is copied to buffers.
//
// Short rows are computed by a kernel for all stages, some rows at a time
// (ReductionShort.cpp), or one by one in the same order
// (ReductionShortOrder.cpp).
//
// Invariant: the order in which the elements of a row are reduced depends on
// extents alone, if a result depends on it (ReductionOrder). Else strides count
// too.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_REDUCTIONS_REDUCTIONRUN_H
#define BROADLOOM_RUNTIME_REDUCTIONS_REDUCTIONRUN_H

#include "runtime/abi/Abi.h"
#include "runtime/memory/Arena.h"

namespace broadloom {

/// How a run accesses a value.
enum class ReductionAccess : int8_t {
  /// Not part of the run.
  None,
  /// In memory, consecutive along the lanes: accessed in place.
  Direct,
  /// In a buffer; copied to or from memory if it is in memory.
  Buffered,
  /// An operand of a block of long rows, in a small buffer that each stage
  /// fills for its next steps.
  Window,
  /// One element per row, in a buffer.
  PerRow,
  /// A result that no later stage reads: computed piece by piece in a small
  /// buffer and streamed from there.
  Streamed,
};

struct ReductionValue {
  /// Its address, or null if it is needed within the run only and not kept in
  /// a result (ReductionShort.cpp).
  char *data = nullptr;
  int32_t bytes = 0;
  ReductionAccess access = ReductionAccess::None;
  /// Whether the run computes it, as opposed to reading it from memory.
  bool computed = false;
  /// The last stage of the run that reads it, or -1.
  int32_t lastReader = -1;
  bool perRow = false;
  /// Strides along the program's axes, and along the run's, for a value in
  /// memory.
  int64_t *strides = nullptr;
  int64_t *kept = nullptr;
  int64_t *reduced = nullptr;
  /// Whether all strides along kept axes are 0, and whether all along reduced
  /// axes are.
  bool sameInAllRows = false;
  bool sameInRow = false;
  /// Whether its buffer has the rows of a group.
  bool isGrouped = false;
  /// The offsets of its buffers. In the memory for a row: the elements of a row
  /// or of a block of rows. In a thread's memory: streamed elements and
  /// windows, a strip for the rest of a row, lanes of neutral elements for a
  /// reduction, and its accumulator.
  int64_t buffer = 0;
  int64_t strip = 0;
  int64_t neutral = 0;
  int64_t lanes = 0;
  /// For a reduction over rows in parts: the results of the parts, and lanes
  /// for one of these and for its inputs.
  int64_t partials = 0;
  int64_t finished = 0;
  /// In the order of short rows: the elements of a row that are reduced.
  int64_t elements = 0;
  /// In the order of sequences: a block of lanes for each of `run.levels`.
  int64_t sequences = 0;
};

/// The order in which the elements of a row are combined (red-4). It depends
/// only on the extents that are reduced, so that neither what is fused with a
/// reduction nor the types of a program change a result (bcast-7).
enum class ReductionOrder {
  /// The results do not depend on it.
  Any,
  /// One element after the other, in sequences of kSequenceLength whose results
  /// are combined in pairs.
  Sequence,
  /// BROADLOOM_SHORT_ROWS partial results.
  Short,
  /// BROADLOOM_REDUCTION_LANES partial results.
  Lanes,
};

/// Whether a result of the stage depends on the order of elements.
inline bool hasOrder(const BroadloomReductionStage &stage) {
  for (int32_t k = 0; k < stage.numReductions; ++k)
    if (stage.reductions[k].fold)
      return true;
  return false;
}

/// With fewer rows than this, most lanes of a strip are idle.
constexpr int64_t kFewRows = 32;
/// The lengths of short rows. Shorter ones would leave most lanes of a vector
/// idle; for longer ones, the cost of one kernel call per stage does not
/// matter.
constexpr int64_t kShortestRow = 12;
constexpr int64_t kLongestShortRow = 1024;
/// Fewer rows than this do not pay for a kernel of short rows.
constexpr int64_t kFewestShortRows = 4;

/// Whether rows are as short, and as many, as their kernel is made for.
inline bool areShortRows(int64_t rows, int64_t length) {
  return rows >= kFewestShortRows && length >= kShortestRow &&
         length <= kLongestShortRow;
}

/// The order for `rows` rows of `length` elements. `isInnermost`: whether the
/// innermost axis with an extent other than 1 is reduced.
ReductionOrder chooseOrder(int64_t rows, int64_t length,
                           bool isInnermost) noexcept;

/// All arrays are in the arena of the launch.
struct ReductionRun {
  const BroadloomProgram *program = nullptr;
  /// The stages of the run: [firstStage, endStage).
  int32_t firstStage = 0;
  int32_t endStage = 0;
  /// First value of each stage.
  const int32_t *firstValues = nullptr;
  ReductionValue *values = nullptr;

  int32_t keptRank = 0;
  int32_t reducedRank = 0;
  int64_t *keptExtents = nullptr;
  int64_t *reducedExtents = nullptr;
  int64_t rows = 1;
  int64_t length = 1;
  ReductionOrder order = ReductionOrder::Any;

  /// Set by planReduction. Whether each lane is a row, and the lanes of a block
  /// in that case.
  bool acrossRows = false;
  /// Without `acrossRows`, the number of rows whose grouped values are copied
  /// at a time, and the distance of these rows in a buffer.
  int64_t group = 1;
  int64_t groupPitch = 0;
  /// Whether all stages are one kernel; a block is then `lanes` rows.
  bool shortRows = false;
  int64_t lanes = 0;
  /// The number of rows within which blocks stay, and of blocks in these.
  int64_t runLength = 0;
  int64_t runBlocks = 0;
  /// The number of rows or blocks of rows.
  int64_t numItems = 0;
  /// Whether the last block of each run reaches back over the one before.
  bool overlaps = false;
  bool streams = false;
  /// The stage during which the next row is prefetched, or -1.
  int32_t prefetchStage = -1;
  /// The number of parts of a row or block that are reduced separately before
  /// their results are combined, and whether threads share each row or block.
  int64_t parts = 1;
  bool sharesRow = false;
  /// In the order of sequences: the results of 1, 2, 4, ... sequences that wait
  /// for as many behind them. 0 where a part has one sequence.
  int32_t levels = 0;
  /// The memory for each row in progress, and for each thread.
  int64_t rowBytes = 0;
  int64_t threadBytes = 0;
  int32_t threads = 1;

  /// The number of shares of the work. A share is one item; two blocks of a run
  /// that overlap write the same elements and are one share, so that one thread
  /// computes both.
  int64_t numShares() const {
    return overlaps ? numItems / runBlocks * (runBlocks - 1) : numItems;
  }
  int64_t firstItem(int64_t share) const {
    return overlaps
               ? share / (runBlocks - 1) * runBlocks + share % (runBlocks - 1)
               : share;
  }

  int64_t innerKept() const { return keptRank ? keptExtents[keptRank - 1] : 1; }
  int64_t innerReduced() const {
    return reducedRank ? reducedExtents[reducedRank - 1] : 1;
  }
};

/// Elements of a part of a long row, a multiple of BROADLOOM_REDUCTION_LANES.
constexpr int64_t kPartLength = int64_t(1) << 15;

/// Elements that are folded one after the other. Of a mean, the error grows
/// with this number, and the cost of combining lanes shrinks with it.
constexpr int64_t kSequenceLength = 256;
static_assert(kPartLength % kSequenceLength == 0);

/// Approximate bytes of a window.
constexpr int64_t kWindowBytes = int64_t(16) << 10;

/// Bytes of a result that are streamed at a time.
constexpr int64_t kReductionStreamBytes = 2048;

/// Plans the blocks, accesses and buffers of a run. Axes are coalesced, and the
/// values' data, bytes, strides and roles are set.
void planReduction(ReductionRun &run, int32_t threads) noexcept;

/// The same for short rows; false, without effect, if rows are not short.
bool planShortRows(ReductionRun &run) noexcept;

/// Executes the run; false if there is no memory for its buffers.
[[nodiscard]] bool runReduction(const ReductionRun &run, Arena &arena) noexcept;

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_REDUCTIONS_REDUCTIONRUN_H
