//===- RowEngine.cpp - stages over rows, grid by grid ---------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Block.h"
#include "runtime/Fill.h"
#include "runtime/ParallelFor.h"
#include "runtime/RowRun.h"
#include "runtime/Space.h"
#include "runtime/Stream.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

using namespace broadloom;

namespace {

constexpr int64_t kStrip = BROADLOOM_STRIP_MULTIPLE;
constexpr int64_t kLanes = BROADLOOM_FOLD_LANES;

int64_t roundUp(int64_t count, int64_t multiple) {
  return (count + multiple - 1) / multiple * multiple;
}

/// What one thread needs to run rows or blocks of rows.
class RowWorker {
public:
  static int64_t bytesFor(const RowRun &run) {
    return roundUp(run.threadBytes, kMemoryAlignment) +
           8 * (3 * int64_t(run.program->numValues) + 2 * mostPointers(run) +
                run.keptRank + run.reducedRank);
  }

  RowWorker(const RowRun &run, char *memory)
      : run(run), program(*run.program), memory(memory) {
    int64_t *next = reinterpret_cast<int64_t *>(
        memory + roundUp(run.threadBytes, kMemoryAlignment));
    auto take = [&](auto *&array, int64_t count) {
      array = reinterpret_cast<std::remove_reference_t<decltype(array)>>(next);
      next += count;
    };
    take(places, program.numValues);
    take(steps, program.numValues);
    take(keys, program.numValues);
    take(pointers, mostPointers(run));
    take(pointerSteps, mostPointers(run));
    take(index, run.keptRank);
    take(reducedIndex, run.reducedRank);
  }

  void work(int64_t begin, int64_t end) {
    start();
    for (int64_t item = begin; item < end; ++item)
      run.acrossRows ? runBlock(item) : runRow(item);
    if (run.streams)
      streamFence();
  }

private:
  static int64_t mostPointers(const RowRun &run) {
    int32_t most = 0;
    for (int32_t i = run.firstStage; i < run.endStage; ++i) {
      const BroadloomRowStage &stage = run.program->rows->stages[i];
      most =
          std::max(most, stage.numInputs + stage.numOutputs + stage.numFolds);
    }
    return most;
  }

  char *bufferOf(const RowValue &value) const { return memory + value.buffer; }

  /// Sets what does not change: neutral elements.
  void start() {
    std::fill(keys, keys + program.numValues, INT64_MIN);
    for (int32_t i = run.firstStage; i < run.endStage; ++i) {
      const BroadloomRowStage &stage = program.rows->stages[i];
      for (int32_t k = 0; k < stage.numFolds; ++k) {
        const RowValue &value = foldOf(i, k);
        fillSplat(memory + value.neutral,
                  static_cast<const char *>(stage.folds[k].neutral), run.lanes,
                  value.bytes);
      }
    }
  }

  const RowValue &foldOf(int32_t stage, int32_t fold) const {
    return run.values[run.firstValues[stage] +
                      program.rows->stages[stage].numOutputs + fold];
  }

  //===--------------------------------------------------------------------===//
  // Between memory and buffers
  //===--------------------------------------------------------------------===//

  /// The offset of a value's element in row `row`, in elements; leaves the
  /// row's index along each kept axis in `index`.
  int64_t offsetOf(const RowValue &value, int64_t row) {
    int64_t offset = 0;
    for (int32_t axis = run.keptRank - 1; axis >= 0; --axis) {
      int64_t extent = run.keptExtents[axis];
      index[axis] = axis ? row % extent : row;
      row = axis ? row / extent : 0;
      offset += index[axis] * value.kept[axis];
    }
    return offset;
  }

  /// To the next index along the outer axes; the offset moves along.
  static bool advance(int64_t *index, const int64_t *extents,
                      const int64_t *strides, int32_t rank, int64_t &offset) {
    for (int32_t axis = rank - 1; axis >= 0; --axis) {
      offset += strides[axis];
      if (++index[axis] < extents[axis])
        return true;
      offset -= strides[axis] * extents[axis];
      index[axis] = 0;
    }
    return false;
  }

  /// Calls `move(offset, lane, lanes, step)` for each piece of `count` rows
  /// from `row` on that is two-dimensional: `lanes` rows along the innermost
  /// kept axis, and all elements along the innermost reduced one, the first of
  /// which is the row's element number `step`.
  template <typename Move>
  void forPieces(const RowValue &value, int64_t row, int64_t count, Move move) {
    int64_t kept = offsetOf(value, row);
    int32_t inner = run.keptRank - 1, outer = run.reducedRank - 1;
    for (int64_t lane = 0; lane < count;) {
      int64_t first = inner >= 0 ? index[inner] : 0;
      int64_t lanes = std::min(run.innerKept() - first, count - lane);
      std::fill(reducedIndex, reducedIndex + run.reducedRank, 0);
      int64_t offset = kept, step = 0;
      do {
        move(offset, lane, lanes, step);
        step += run.innerReduced();
      } while (outer > 0 && advance(reducedIndex, run.reducedExtents,
                                    value.reduced, outer, offset));
      lane += lanes;
      if (lane < count) {
        kept -= first * value.kept[inner];
        index[inner] = 0;
        advance(index, run.keptExtents, value.kept, inner, kept);
      }
    }
  }

  /// A piece of rows and columns that are strided on either side; the columns
  /// are consecutive where it goes.
  static void move(char *to, int64_t toPitch, const char *from,
                   int64_t rowStride, int64_t columnStride, int64_t rows,
                   int64_t columns, int32_t bytes) {
    if (columnStride != 0 && columnStride != 1)
      return gatherBlock(to, toPitch, from, rowStride, columnStride, rows,
                         columns, bytes);
    for (int64_t row = 0; row < rows; ++row) {
      if (columnStride == 1)
        memcpy(to, from, size_t(columns * bytes));
      else
        fillSplat(to, from, columns, bytes);
      to += toPitch * bytes;
      from += rowStride * bytes;
    }
  }

  int64_t innerStride(const int64_t *strides, int32_t rank) const {
    return rank ? strides[rank - 1] : 0;
  }

  /// Elements of `count` rows from `row` on, to a buffer in which the rows are
  /// `count` columns, `pitch` apart from step to step.
  void gather(const RowValue &value, char *to, int64_t pitch, int64_t row,
              int64_t count) {
    int64_t bytes = value.bytes;
    int64_t along = innerStride(value.reduced, run.reducedRank);
    int64_t across = innerStride(value.kept, run.keptRank);
    forPieces(value, row, count,
              [&](int64_t offset, int64_t lane, int64_t lanes, int64_t step) {
                const char *from = value.data + offset * bytes;
                if (pitch == 1)
                  move(to + step * bytes, 0, from, 0, along, 1,
                       run.innerReduced(), value.bytes);
                else
                  move(to + (step * pitch + lane) * bytes, pitch, from, along,
                       across, run.innerReduced(), lanes, value.bytes);
              });
  }

  /// The way back. What is written is consecutive along one of the innermost
  /// axes.
  void scatter(const RowValue &value, const char *from, int64_t pitch,
               int64_t row, int64_t count) {
    int64_t bytes = value.bytes;
    int64_t along = innerStride(value.reduced, run.reducedRank);
    int64_t across = innerStride(value.kept, run.keptRank);
    forPieces(value, row, count,
              [&](int64_t offset, int64_t lane, int64_t lanes, int64_t step) {
                char *to = value.data + offset * bytes;
                const char *piece = from + (step * pitch + lane) * bytes;
                if (along == 1)
                  move(to, across, piece, 1, pitch, lanes, run.innerReduced(),
                       value.bytes);
                else
                  move(to, along, piece, pitch, 1, run.innerReduced(), lanes,
                       value.bytes);
              });
  }

  //===--------------------------------------------------------------------===//
  // Rows
  //===--------------------------------------------------------------------===//

  void runRow(int64_t row) {
    for (int32_t i = 0; i < program.numValues; ++i)
      if (const RowValue &value = run.values[i];
          value.access != RowAccess::None)
        openInRow(i, value, row);
    for (int32_t i = run.firstStage; i < run.endStage; ++i)
      if (program.rows->stages[i].perRow)
        call(program.rows->stages[i], i, kLanes, 1, 0, 0);
      else
        sweepRow(i, row);
    for (int32_t i = 0; i < program.numValues; ++i) {
      const RowValue &value = run.values[i];
      if (!value.computed || !value.data)
        continue;
      if (value.access == RowAccess::PerRow)
        memcpy(value.data + offsetOf(value, row) * value.bytes, bufferOf(value),
               size_t(value.bytes));
      else if (value.access == RowAccess::Buffered && run.length != 0)
        scatter(value, bufferOf(value), 1, row, 1);
    }
  }

  /// Sets where the value is for a row, and brings it there.
  void openInRow(int32_t id, const RowValue &value, int64_t row) {
    bool isPerRow = value.access == RowAccess::PerRow;
    bool isDirect = value.access == RowAccess::Direct;
    places[id] = bufferOf(value);
    steps[id] = isPerRow ? 0 : kLanes;
    if ((value.computed && !isDirect) || (run.length == 0 && !value.perRow))
      return;
    int64_t offset = offsetOf(value, row);
    if (isDirect) {
      places[id] = value.data + offset * value.bytes;
      return;
    }
    if (keys[id] == offset)
      return;
    keys[id] = offset;
    if (isPerRow)
      fillSplat(bufferOf(value), value.data + offset * value.bytes, kLanes,
                value.bytes);
    else
      gather(value, bufferOf(value), 1, row, 1);
  }

  /// One stage over the elements of a row.
  void sweepRow(int32_t number, int64_t row) {
    const BroadloomRowStage &stage = program.rows->stages[number];
    for (int32_t k = 0; k < stage.numFolds; ++k) {
      const RowValue &value = foldOf(number, k);
      memcpy(memory + value.lanes, memory + value.neutral,
             size_t(kLanes * value.bytes));
    }
    int64_t tail = run.length % kStrip, whole = run.length - tail;
    if (tail)
      sweepTail(stage, number, whole, tail, row);
    int64_t main = whole / kLanes;
    int64_t piece = piecesOf(stage, number, main, kLanes);
    for (int64_t at = 0; at < main; at += piece) {
      int64_t count = std::min(piece, main - at);
      call(stage, number, kLanes, count, at * kLanes, 0);
      stream(stage, number, row, at * kLanes, count * kLanes);
    }
    if (int64_t rest = whole - main * kLanes) {
      call(stage, number, rest, 1, main * kLanes, 0);
      stream(stage, number, row, main * kLanes, rest);
    }
    for (int32_t k = 0; k < stage.numFolds; ++k) {
      const RowValue &value = foldOf(number, k);
      stage.folds[k].finish(memory + value.lanes, bufferOf(value));
    }
  }

  /// What does not fill a strip, before all others: the lanes that it leaves
  /// over can then be made neutral again.
  void sweepTail(const BroadloomRowStage &stage, int32_t number, int64_t whole,
                 int64_t tail, int64_t row) {
    for (int32_t k = 0; k < stage.numInputs; ++k) {
      const RowValue &value = run.values[stage.inputs[k]];
      if (value.access == RowAccess::Direct)
        memcpy(memory + value.strip,
               places[stage.inputs[k]] + whole * value.bytes,
               size_t(tail * value.bytes));
    }
    call(stage, number, kStrip, 1, whole, kStrip);
    for (int32_t k = 0; k < stage.numOutputs; ++k) {
      int32_t id = run.firstValues[number] + k;
      const RowValue &value = run.values[id];
      if (value.access == RowAccess::Direct)
        memcpy(places[id] + whole * value.bytes, memory + value.strip,
               size_t(tail * value.bytes));
      else if (value.access == RowAccess::Streamed)
        memcpy(value.data + (offsetOf(value, row) + whole) * value.bytes,
               memory + value.strip, size_t(tail * value.bytes));
    }
    for (int32_t k = 0; k < stage.numFolds; ++k) {
      const RowValue &value = foldOf(number, k);
      memcpy(memory + value.lanes + tail * value.bytes, memory + value.neutral,
             size_t((kStrip - tail) * value.bytes));
    }
  }

  /// How many steps are made at a time: all, if nothing is streamed.
  int64_t piecesOf(const BroadloomRowStage &stage, int32_t number,
                   int64_t count, int64_t lanes) const {
    int64_t piece = std::max(count, int64_t(1));
    for (int32_t k = 0; k < stage.numOutputs; ++k)
      if (const RowValue &value = run.values[run.firstValues[number] + k];
          value.access == RowAccess::Streamed)
        piece = std::min(
            piece, std::max(kRowStreamBytes / value.bytes / lanes, int64_t(1)));
    return piece;
  }

  void stream(const BroadloomRowStage &stage, int32_t number, int64_t row,
              int64_t at, int64_t count) {
    for (int32_t k = 0; k < stage.numOutputs; ++k)
      if (const RowValue &value = run.values[run.firstValues[number] + k];
          value.access == RowAccess::Streamed)
        streamCopy(value.data + (offsetOf(value, row) + at) * value.bytes,
                   bufferOf(value), count * value.bytes);
  }

  /// One kernel call on the elements of a row from `at` on. `strip` says that
  /// what is in memory has been brought to strips.
  void call(const BroadloomRowStage &stage, int32_t number, int64_t lanes,
            int64_t count, int64_t at, int64_t strip) {
    int32_t next = 0;
    auto add = [&](int32_t id) {
      const RowValue &value = run.values[id];
      bool isMemory = value.access == RowAccess::Direct ||
                      value.access == RowAccess::Streamed;
      pointerSteps[next] = steps[id];
      if (isMemory && strip)
        pointers[next++] = memory + value.strip;
      else if (value.access == RowAccess::Streamed ||
               value.access == RowAccess::PerRow)
        pointers[next++] = bufferOf(value);
      else
        pointers[next++] = places[id] + at * value.bytes;
    };
    for (int32_t k = 0; k < stage.numInputs; ++k)
      add(stage.inputs[k]);
    for (int32_t k = 0; k < stage.numOutputs; ++k)
      add(run.firstValues[number] + k);
    for (int32_t k = 0; k < stage.numFolds; ++k) {
      pointerSteps[next] = 0;
      pointers[next++] = memory + foldOf(number, k).lanes;
    }
    stage.kernel(pointers, pointerSteps, lanes, count);
  }

  //===--------------------------------------------------------------------===//
  // Blocks of rows
  //===--------------------------------------------------------------------===//

  void runBlock(int64_t item) {
    int64_t block = item % run.runBlocks;
    int64_t first = item / run.runBlocks * run.runLength + block * run.lanes;
    int64_t end = (item / run.runBlocks + 1) * run.runLength;
    // The last block of a run has what does not fill a strip.
    int64_t whole = run.runLength / kStrip * kStrip;
    bool within = run.innerKept() >= kStrip;
    if (within && whole != run.runLength) {
      if (block + 1 == run.runBlocks)
        first = end - (run.runLength - whole);
      else
        end -= run.runLength - whole;
    }
    int64_t count = std::min(run.lanes, end - first);
    int64_t lanes = roundUp(count, kStrip);
    bool exact = lanes == count;
    for (int32_t i = 0; i < program.numValues; ++i)
      if (const RowValue &value = run.values[i];
          value.access != RowAccess::None)
        openInBlock(i, value, first, count, lanes);
    for (int32_t i = run.firstStage; i < run.endStage; ++i)
      sweepBlock(i, first, lanes, exact);
    for (int32_t i = 0; i < program.numValues; ++i) {
      const RowValue &value = run.values[i];
      if (!value.computed || !value.data)
        continue;
      if (value.access == RowAccess::PerRow)
        memcpy(value.data + first * value.bytes, bufferOf(value),
               size_t(count * value.bytes));
      else if (value.access == RowAccess::Buffered)
        scatter(value, bufferOf(value), blockPitch(lanes), first, count);
      else if (!exact)
        scatter(value, memory + value.strip, lanes, first, count);
    }
  }

  void openInBlock(int32_t id, const RowValue &value, int64_t first,
                   int64_t count, int64_t lanes) {
    bool isDirect = value.access == RowAccess::Direct;
    places[id] = bufferOf(value);
    steps[id] = value.access == RowAccess::PerRow     ? 0
                : value.access == RowAccess::Buffered ? blockPitch(lanes)
                                                      : lanes;
    if (isDirect && lanes == count) {
      places[id] = value.data + offsetOf(value, first) * value.bytes;
      steps[id] = innerStride(value.reduced, run.reducedRank);
      return;
    }
    if (isDirect || (value.access == RowAccess::Streamed && lanes != count))
      places[id] = memory + value.strip;
    if (value.computed)
      return;
    if (value.access == RowAccess::PerRow)
      return gatherPerRow(id, value, first, count, lanes);
    if (value.sameInAllRows && !isDirect) {
      if (keys[id] == lanes)
        return;
      keys[id] = lanes;
    }
    gather(value, places[id], steps[id], first, count);
  }

  /// One element for each row of the block.
  void gatherPerRow(int32_t id, const RowValue &value, int64_t first,
                    int64_t count, int64_t lanes) {
    int64_t inner = innerStride(value.kept, run.keptRank);
    if (count == lanes && inner == 1 && isAligned(value.data, value.bytes) &&
        (run.keptRank == 1 || run.innerKept() >= kStrip)) {
      places[id] = value.data + offsetOf(value, first) * value.bytes;
      return;
    }
    int64_t offset = offsetOf(value, first);
    for (int64_t lane = 0; lane < count;) {
      int32_t axis = run.keptRank - 1;
      int64_t at = axis >= 0 ? index[axis] : 0;
      int64_t piece = std::min(run.innerKept() - at, count - lane);
      move(places[id] + lane * value.bytes, 0,
           value.data + offset * value.bytes, 0, inner, 1, piece, value.bytes);
      lane += piece;
      if (lane < count)
        offset = offsetOf(value, first + lane);
    }
  }

  void sweepBlock(int32_t number, int64_t first, int64_t lanes, bool exact) {
    const BroadloomRowStage &stage = program.rows->stages[number];
    for (int32_t k = 0; k < stage.numFolds; ++k) {
      const RowValue &value = foldOf(number, k);
      memcpy(memory + value.lanes, memory + value.neutral,
             size_t(lanes * value.bytes));
    }
    int64_t count = stage.perRow ? 1 : run.length;
    int64_t piece = exact ? piecesOf(stage, number, count, lanes) : count;
    for (int64_t at = 0; at < count; at += piece) {
      int64_t some = std::min(piece, count - at);
      callBlock(stage, number, lanes, some, at, exact);
      if (exact)
        streamBlock(stage, number, first, lanes, at, some);
    }
  }

  void streamBlock(const BroadloomRowStage &stage, int32_t number,
                   int64_t first, int64_t lanes, int64_t at, int64_t count) {
    for (int32_t k = 0; k < stage.numOutputs; ++k) {
      const RowValue &value = run.values[run.firstValues[number] + k];
      if (value.access != RowAccess::Streamed)
        continue;
      int64_t stride = innerStride(value.reduced, run.reducedRank);
      char *to =
          value.data + (offsetOf(value, first) + at * stride) * value.bytes;
      for (int64_t step = 0; step < count; ++step)
        streamCopy(to + step * stride * value.bytes,
                   bufferOf(value) + step * lanes * value.bytes,
                   lanes * value.bytes);
    }
  }

  void callBlock(const BroadloomRowStage &stage, int32_t number, int64_t lanes,
                 int64_t count, int64_t at, bool exact) {
    int32_t next = 0;
    auto add = [&](int32_t id) {
      const RowValue &value = run.values[id];
      bool inPieces = value.access == RowAccess::Streamed && exact;
      pointerSteps[next] = steps[id];
      pointers[next++] =
          places[id] + (inPieces ? 0 : at * steps[id] * value.bytes);
    };
    for (int32_t k = 0; k < stage.numInputs; ++k)
      add(stage.inputs[k]);
    for (int32_t k = 0; k < stage.numOutputs; ++k)
      add(run.firstValues[number] + k);
    for (int32_t k = 0; k < stage.numFolds; ++k) {
      pointerSteps[next] = 0;
      pointers[next++] = memory + foldOf(number, k).lanes;
    }
    stage.kernel(pointers, pointerSteps, lanes, count);
  }

  const RowRun &run;
  const BroadloomProgram &program;
  char *memory;
  /// Where each value's first element is for the current row or block, and how
  /// far its elements are from step to step.
  char **places;
  int64_t *steps;
  /// What is in the buffers of values that change from row to row or not.
  int64_t *keys;
  void **pointers;
  int64_t *pointerSteps;
  int64_t *index;
  int64_t *reducedIndex;
};

} // namespace

bool broadloom::runRows(const RowRun &run, Arena &arena) noexcept {
  int64_t bytes = roundUp(RowWorker::bytesFor(run), kMemoryAlignment) +
                  2 * kMemoryAlignment;
  int64_t all;
  if (__builtin_mul_overflow(bytes, int64_t(run.threads), &all))
    return false;
  char *memory = static_cast<char *>(arena.allocate(all));
  if (!memory)
    return false;
  parallelFor(run.threads, run.numItems,
              [&](int32_t thread, int64_t begin, int64_t end) {
                RowWorker(run, memory + thread * bytes).work(begin, end);
              });
  return true;
}
