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
// Invariant: `outputs` are row-major over the level's own extents, or have
// `outputStrides`, and do not overlap any input. Every chunk has at least
// BROADLOOM_STRIP_MULTIPLE elements, unless the level has fewer in all.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_MAPS_LEVEL_H
#define BROADLOOM_RUNTIME_MAPS_LEVEL_H

#include "runtime/Rounding.h"
#include "runtime/abi/Abi.h"
#include "runtime/memory/Arena.h"
#include "runtime/memory/Fill.h"
#include "runtime/memory/Space.h"

namespace broadloom {

/// How a chunk reads an input.
enum class Access : int8_t {
  /// Consecutive over the whole level: read in place.
  Whole,
  /// One element: a buffer of a strip that is filled once, for all strips.
  Scalar,
  /// Consecutive within each row: read in place.
  Row,
  /// One element per row: the same, but filled once per row.
  RowSplat,
  /// Strided within each row: gathered.
  RowGather,
  /// Strided, but denser along the axis of the bands: gathered for all rows of
  /// a band together.
  Block,
  /// Rows are short, chunks span rows, and the input has a short period: a
  /// buffer that is filled once with more than a period.
  Repeat,
  /// The same with a long period: gathered row by row.
  Pattern,
};

struct LevelInput {
  int32_t value;
  Access access;
  Walk walk;
  /// The offset of its buffer in a thread's memory, if it is staged.
  int64_t buffer;
};

/// A value that the level computes.
struct LevelOutput {
  int32_t value;
  int32_t bytes;
  /// Its memory, or null if it is needed within the chunk only.
  char *data;
  int64_t buffer;
  /// Whether it is computed in the buffer and then copied to its memory, chunk
  /// by chunk: streamed, or written over an operand.
  bool staged;
  /// Whether its memory is that of an operand.
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
  /// The largest numbers of inputs and outputs of a stage.
  int32_t stageInputs = 0;
  int32_t stageOutputs = 0;
  int32_t *stages = nullptr;
  LevelInput *inputs = nullptr;
  LevelOutput *outputs = nullptr;

  int32_t rank = 0;
  const int64_t *extents = nullptr;
  int64_t count = 0;
  /// The strides of stored outputs, if they are not row-major. Rows have at
  /// least a strip of elements then, which are next to each other.
  const int64_t *outputStrides = nullptr;

  /// Set by planLevel. Chunks stay within rows, `rowChunks` in each; or there
  /// are no rows (`rowLength` is then `count`). With a band axis, the same
  /// chunk is computed for up to `bandRows` rows along it, one after another.
  int64_t chunk = 0;
  int64_t rowLength = 0;
  int64_t rowChunks = 0;
  int64_t numChunks = 0;
  int32_t bandAxis = -1;
  int64_t bandRows = 1;
  /// The number of elements of a buffer, or of each row of one for a band; one
  /// strip if all strips read the same elements.
  int64_t capacity = 0;
  /// Whether all chunks are consecutive in all values, and all memory exists
  /// from the beginning.
  bool isFlat = false;
  /// Whether chunks are whole rows that are read and written in place, except
  /// for inputs with one element per row.
  bool isByWholeRows = false;
  /// Whether staged outputs are streamed.
  bool streams = false;
  bool staging = false;
  /// Whether the only stage itself streams its only output: `buffer` is for the
  /// elements at either end of a chunk that do not fill a cache line.
  bool streamsItself = false;
  int64_t threadBytes = 0;
  int32_t threads = 1;
};

/// Whether all strips of a row, or of the level, read the same elements.
inline bool isOneStrip(Access access) {
  return access == Access::Scalar || access == Access::RowSplat;
}

/// The number of bands along an outer axis; if it is not the band axis, each
/// row is one.
inline int64_t stepsAlong(const Level &level, int32_t axis) {
  int64_t extent = level.extents[axis];
  return axis == level.bandAxis ? divideUp(extent, level.bandRows) : extent;
}

/// The number of elements in the buffer of an input that repeats: a chunk may
/// begin with any of them.
inline int64_t repeatCapacity(const Level &level, const LevelInput &input) {
  return level.capacity + input.walk.period;
}

/// Plans the accesses, chunks and buffers of `level`, for at most `threads`
/// threads (as for resolveThreads). The axes are coalesced and the inputs'
/// base, bytes and strides set.
void planLevel(Level &level, int32_t threads) noexcept;

/// Runs a planned level; false if there is no memory for its buffers.
[[nodiscard]] bool runLevel(const Level &level, Arena &arena) noexcept;

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_MAPS_LEVEL_H
