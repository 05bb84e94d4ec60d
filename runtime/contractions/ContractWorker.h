//===- ContractWorker.h - one thread's share of a contraction ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks of rows, and how they reach the kernel.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CONTRACTIONS_CONTRACTWORKER_H
#define BROADLOOM_RUNTIME_CONTRACTIONS_CONTRACTWORKER_H

#include "runtime/calls/Call.h"
#include "runtime/contractions/Contraction.h"
#include "runtime/memory/ArrayLayout.h"

#include <algorithm>

namespace broadloom {

/// The arrays of a worker.
struct ContractMemory {
  ContractMemory(const Contraction &c, ArrayLayout &layout);

  /// The addresses of tensors, and the distances of their rows.
  char **bases;
  int64_t *strides;
  /// For rows, or a panel.
  char *buffer;
  char *sums;
};

/// Computes items of one contraction, in memory that no other thread uses.
class ContractWorker : private ContractMemory {
public:
  /// `layout` is of a block of `bytes(c)`; `recorded` as for runContraction.
  ContractWorker(const Contraction &c, ContractThread thread,
                 ArrayLayout layout, RecordedTiles *recorded);

  /// Bytes of memory that a thread needs, or -1 if they overflow.
  static int64_t bytes(const Contraction &c);

  /// Runs items `begin` to `end` (Contraction::numItems), or fewer where the
  /// call is cancelled (abi-6).
  void run(int64_t begin, int64_t end);

private:
  int64_t groupOf(int64_t block) const {
    return c.numGroups == 1 ? 0 : block / c.blocksPerGroup;
  }
  /// The first row of a block in its group, and the number of its rows.
  struct Rows {
    int64_t first, count;
  };
  Rows rowsOf(int64_t block) const {
    int64_t number = block - groupOf(block) * c.blocksPerGroup;
    int64_t first = number * c.blockSize;
    bool isLast = number == c.blocksPerGroup - 1;
    return {first, isLast ? c.rowsPerGroup - first : c.blockSize};
  }
  ImageLines linesOf(int64_t block) const;
  int64_t rowOf(int64_t image, int64_t line) const {
    return (image * c.lines().result + line) * c.columns().result;
  }

  bool isCancelled() { return thread.call.endsEarly(thread.isOwn); }
  /// Fills the buffer with the rows of a block, of the image's channels those
  /// of `part`, if it has none of them.
  void prepare(int64_t block, int64_t part);
  /// Calls the kernel for the rows from `row` and the channels from `channel`
  /// on, with as many rows at a time as are evenly spaced in all tensors.
  /// Changes the addresses of `tile`.
  void call(BroadloomTile &tile, int64_t row, int64_t channel);
  /// Calls the kernel.
  void compute(const BroadloomTile &tile);
  /// Sets the addresses of tensors to a row and channel.
  void setBases(int64_t row, int64_t channel);
  int64_t offsetOf(int32_t tensor, int64_t row) const;
  /// Computes a block with panel `number`, counted over all groups. The buffer
  /// already holds the panel if the previous block used it.
  void runPacked(int64_t number, int64_t block);
  void runPanel(int64_t block, int64_t panel);
  /// Computes the sums of a panel of a single row, which the kernel then has
  /// nothing to add to.
  void runTransposed(BroadloomTile &tile, int64_t group, int64_t channel);
  /// The steps of a panel that are read after those of the tile, which end at
  /// `end`. What is laid out only later is not prefetched, because another
  /// thread may write to that memory.
  const void *findAhead(const BroadloomTile &tile, int64_t end,
                        int64_t channel) const;
  /// Sets how much of what is read next each tile prefetches, if so many tiles
  /// read the same part of a panel.
  void shareAhead(BroadloomTile &tile, int64_t tiles) const;
  /// `part` for a call after `tiles` tiles of the same part of a panel: what is
  /// read next is further on by what these prefetch.
  BroadloomTile passAhead(const BroadloomTile &part, int64_t tiles) const;
  /// The whole tiles of so many rows, or one.
  int64_t tilesOf(int64_t rows) const {
    return std::max<int64_t>(1, rows / c.record->tileRows);
  }
  /// Computes sums, a chunk of steps at a time, which may be a part of a panel
  /// that is laid out for it.
  void runChunks(BroadloomTile &tile, int64_t row, int64_t channel);
  /// Computes lines, a part of their windows at a time: a part of the panel is
  /// in the first cache while all lines are multiplied by it.
  void runLines(BroadloomTile &tile, ImageLines lines, int64_t channel);
  /// Sums lines in one call of the kernel (Contraction::joinsLines), and then
  /// computes the body of each.
  void runJoinedLines(BroadloomTile &tile, ImageLines lines, int64_t channel);
  /// Adds a part of the window, from step `at` of tap `tap` on, to the sums of
  /// the lines that have taps of it in the image.
  void runPartOfLines(const BroadloomTile &part, ImageLines lines, int64_t tap,
                      int64_t at, int64_t channel);
  /// Computes lines, a part of a tap at a time: adds it to the sums of the rows
  /// that have the tap in the image.
  void runTaps(BroadloomTile &tile, ImageLines lines, int64_t channel);
  void runTap(const BroadloomTile &part, ImageLines lines, int64_t line,
              int64_t column, int64_t at, int64_t channel);
  /// Computes lines, for the part of the channels from `channel` on: its
  /// weights are in the first cache while all lines are multiplied by them.
  void runChannels(int64_t block, int64_t channel);
  void runChannelLine(int64_t image, int64_t line, int64_t channel);
  /// Lines of the image and of the window that are added to sums: those of two
  /// axes of the window, for one step along each axis in front of these.
  struct Plane {
    /// The number of the plane, of all images and in the window.
    int64_t image, window;
    /// The steps that are in the image along the axis of lines, or all steps if
    /// windows read elements beyond it.
    WindowAxis::Steps taps;
    /// Whether it is the first, or the last one, of a sum.
    bool isFirst, isLast;
  };
  /// Adds a plane to the sums of a line.
  void addPlane(const Plane &plane, int64_t row, int64_t channel);
  /// Whether all lines of a window are in the image.
  bool isInside(const Plane &plane) const;
  /// Lets a tile read windows from `column` on, of which the first one reaches
  /// beyond the image, from the buffer.
  void gatherWindows(BroadloomTile &tile, const Plane &plane, int64_t column,
                     int64_t channel);

  const Contraction &c;
  ContractThread thread;
  RecordedTiles *recorded;
  /// The number of the block and part, or panel, in the buffer.
  int64_t prepared = -1;
};

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CONTRACTIONS_CONTRACTWORKER_H
