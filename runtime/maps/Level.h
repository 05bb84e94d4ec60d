//===- Level.h - stages that are run chunk by chunk together ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The stages of a program whose values vary along the same axes of the result
// form a level. A level goes through its elements once, chunk by chunk: within
// a chunk its stages run one after another over buffers that stay in cache.
//
// Invariant: `outputs` are row-major over the level's own extents and do not
// overlap any input. Every chunk has at least BROADLOOM_STRIP_MULTIPLE
// elements, unless the level has fewer in all.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_MAPS_LEVEL_H
#define BROADLOOM_RUNTIME_MAPS_LEVEL_H

#include "runtime/abi/Abi.h"
#include "runtime/memory/Arena.h"
#include "runtime/memory/Fill.h"
#include "runtime/memory/Space.h"

namespace broadloom {

/// How a chunk gets at an input.
enum class Access : int8_t {
  /// Consecutive over the whole level: read where it is.
  Whole,
  /// One element: a buffer of a strip that is filled once, for all strips.
  Scalar,
  /// Consecutive within each row: read where it is.
  Row,
  /// One element per row: the same, but filled once per row.
  RowSplat,
  /// Strided within each row: gathered.
  RowGather,
  /// The same, but denser along the axis of the bands: gathered for all rows
  /// of a band together.
  Block,
  /// Rows are short and chunks go across them, and what is read repeats soon:
  /// a buffer that is filled once with more than all of it.
  Repeat,
  /// The same where it does not: gathered row by row.
  Pattern,
};

struct LevelInput {
  int32_t value;
  Access access;
  Walk walk;
  /// Where its buffer is in a thread's memory, if it is staged.
  int64_t buffer;
};

/// A value that is computed here.
struct LevelOutput {
  int32_t value;
  int32_t bytes;
  /// Where it goes, or null where it is needed within the chunk only.
  char *data;
  int64_t buffer;
  /// It is computed in the buffer and copied from there to where it goes, chunk
  /// by chunk: streamed, or written over an operand.
  bool staged;
  /// Where it goes is where an operand is.
  bool inPlace;
};

/// All arrays are in the arena of the launch.
struct Level {
  const BroadloomProgram *program = nullptr;
  /// First output value of each stage of the program.
  const int32_t *firstOutputs = nullptr;
  int32_t numStages = 0;
  int32_t numInputs = 0;
  int32_t numOutputs = 0;
  /// Most inputs and outputs of one stage.
  int32_t stageInputs = 0;
  int32_t stageOutputs = 0;
  int32_t *stages = nullptr;
  LevelInput *inputs = nullptr;
  LevelOutput *outputs = nullptr;

  int32_t rank = 0;
  const int64_t *extents = nullptr;
  int64_t count = 0;

  /// Set by planLevel. Chunks stay within rows, `rowChunks` in each; or rows
  /// are disregarded (`rowLength` is then `count`). Where there is a band axis,
  /// a chunk is taken of up to `bandRows` rows along it, one after another.
  int64_t chunk = 0;
  int64_t rowLength = 0;
  int64_t rowChunks = 0;
  int64_t numChunks = 0;
  int32_t bandAxis = -1;
  int64_t bandRows = 1;
  /// Elements that a buffer holds, or each row of one for a band; where all
  /// strips read the same it is one strip.
  int64_t capacity = 0;
  /// Chunks go on from element to element of everything, in memory that is
  /// there from the beginning.
  bool isFlat = false;
  /// Chunks are whole rows, of which everything is read and written where it is
  /// but what is one element per row.
  bool isByWholeRows = false;
  /// Staged outputs are streamed.
  bool streams = false;
  bool staging = false;
  /// The only stage streams its only output to where it goes: `buffer` is for
  /// what does not fill a cache line at either end of a chunk.
  bool streamsItself = false;
  int64_t threadBytes = 0;
  int32_t threads = 1;
};

/// Whether all strips of a row, or of the level, read the same elements.
inline bool isOneStrip(Access access) {
  return access == Access::Scalar || access == Access::RowSplat;
}

/// How many bands there are along an axis that is not the innermost one; where
/// it is not the band axis, each row is one.
inline int64_t stepsAlong(const Level &level, int32_t axis) {
  int64_t extent = level.extents[axis];
  return axis == level.bandAxis ? (extent + level.bandRows - 1) / level.bandRows
                                : extent;
}

/// Elements in the buffer of an input that repeats: a chunk may begin with any.
inline int64_t repeatCapacity(const Level &level, const LevelInput &input) {
  return level.capacity + input.walk.period;
}

/// Decides how `level` is run, on at most `threads` threads (as for
/// resolveThreads): accesses, chunks and buffers. The axes are coalesced and
/// the inputs' base, bytes and strides set.
void planLevel(Level &level, int32_t threads) noexcept;

/// Runs a planned level; false where there is no memory for its buffers.
[[nodiscard]] bool runLevel(const Level &level, Arena &arena) noexcept;

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_MAPS_LEVEL_H
