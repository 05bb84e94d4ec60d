//===- Plan.cpp - how a level is run --------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Level.h"
#include "runtime/StridedCopy.h"

#include <algorithm>
#include <numeric>

using namespace broadloom;

namespace {

constexpr int64_t kStrip = BROADLOOM_STRIP_MULTIPLE;
/// Rows from this length on are worth a kernel call of their own, so that
/// what is consecutive within them is read where it is.
constexpr int64_t kLongRow = 256;
/// What the buffers of one chunk take of the first cache, about.
constexpr int64_t kBufferBytes = int64_t(24) << 10;
constexpr int64_t kLeastChunk = 512;
constexpr int64_t kMostChunk = 4096;
/// Chunks where nothing is buffered: long, but enough of them to share.
constexpr int64_t kDirectChunk = 8192;
/// A splat that changes from row to row should be used several times.
constexpr int64_t kRowSplatChunk = 1024;
/// Chunks may grow to this to be a multiple of a pattern's period.
constexpr int64_t kMostPatternChunk = 8192;
/// Buffers are shifted against each other, or equal low address bits would
/// make them compete for the same few lines of the first cache.
constexpr int64_t kBufferShift = 3 * 64;

Access accessOf(const Walk &walk, bool byRows) {
  if (walk.period == 1)
    return Access::Scalar;
  bool aligned = isAligned(walk.base, walk.bytes);
  if (aligned && isRowMajor(walk.extents, walk.strides, walk.rank))
    return Access::Whole;
  if (!byRows)
    return Access::Pattern;
  int64_t inner = walk.strides[walk.rank - 1];
  if (inner == 0)
    return Access::RowSplat;
  return inner == 1 && aligned ? Access::Row : Access::RowGather;
}

bool isStaged(Access access) {
  return access != Access::Whole && access != Access::Row;
}

/// Chunk length for the given bytes of buffers per element.
int64_t chunkFor(const Level &level, bool byRows, int64_t bufferBytes) {
  if (bufferBytes == 0)
    return kDirectChunk;
  int64_t chunk = std::clamp(kBufferBytes / bufferBytes / kStrip * kStrip,
                             kLeastChunk, kMostChunk);
  if (byRows) {
    for (int32_t i = 0; i < level.numInputs; ++i)
      if (level.inputs[i].access == Access::RowSplat)
        chunk = std::min(chunk, kRowSplatChunk);
    return chunk;
  }
  // A multiple of the patterns' periods: they are then filled once.
  int64_t multiple = kStrip;
  for (int32_t i = 0; i < level.numInputs; ++i) {
    int64_t period = level.inputs[i].walk.period;
    if (level.inputs[i].access != Access::Pattern || period > kMostPatternChunk)
      continue;
    int64_t both = std::lcm(multiple, period);
    if (both <= kMostPatternChunk)
      multiple = both;
  }
  return std::max(chunk / multiple, int64_t(1)) * multiple;
}

/// Buffers one after another in a thread's memory.
void placeBuffers(Level &level, bool tiny) {
  int64_t next = 0;
  auto place = [&](int64_t &buffer, int32_t bytes) {
    buffer = next;
    next += (level.capacity * bytes + kMemoryAlignment - 1) / kMemoryAlignment *
                kMemoryAlignment +
            (tiny ? 0 : kBufferShift);
  };
  for (int32_t i = 0; i < level.numInputs; ++i)
    if (tiny || isStaged(level.inputs[i].access))
      place(level.inputs[i].buffer, level.inputs[i].walk.bytes);
  for (int32_t i = 0; i < level.numOutputs; ++i)
    if (tiny || !level.outputs[i].data)
      place(level.outputs[i].buffer, level.outputs[i].bytes);
  level.threadBytes = next;
}

} // namespace

void broadloom::planLevel(Level &level, int32_t threads) noexcept {
  bool tiny = level.count < kStrip;
  int64_t innerExtent = level.rank ? level.extents[level.rank - 1] : 1;
  bool byRows = level.rank == 1 || innerExtent >= kLongRow;
  int64_t elementBytes = 0, bufferBytes = 0;
  for (int32_t i = 0; i < level.numInputs; ++i) {
    LevelInput &input = level.inputs[i];
    input.walk.rank = level.rank;
    input.walk.extents = level.extents;
    input.walk.period = periodOf(input.walk);
    if (tiny)
      continue;
    input.access = accessOf(input.walk, byRows);
    elementBytes += input.walk.bytes;
    if (isStaged(input.access))
      bufferBytes += input.walk.bytes;
  }
  if (tiny) {
    level.capacity = kStrip;
    level.numChunks = 1;
    return placeBuffers(level, tiny);
  }
  for (int32_t i = 0; i < level.numOutputs; ++i) {
    elementBytes += level.outputs[i].bytes;
    if (!level.outputs[i].data)
      bufferBytes += level.outputs[i].bytes;
  }
  level.rowLength = byRows ? innerExtent : level.count;
  level.chunk = level.count <= kLeastChunk
                    ? kLeastChunk
                    : chunkFor(level, byRows, bufferBytes);
  // A last chunk shorter than a strip joins the one before it.
  level.rowChunks =
      level.rowLength < level.chunk + kStrip
          ? 1
          : (level.rowLength + level.chunk - kStrip) / level.chunk;
  level.numChunks = level.rowLength == level.count
                        ? level.rowChunks
                        : level.rowChunks * (level.count / level.rowLength);
  // Kernels are given whole strips only, but a scratch value is written from
  // the buffer's start also for the last strip of a chunk.
  level.capacity = std::min(level.rowLength, level.chunk + kStrip);
  level.capacity = (level.capacity + kStrip - 1) / kStrip * kStrip;
  placeBuffers(level, tiny);
  level.threads = int32_t(std::min<int64_t>(
      threadsFor(threads, level.count * elementBytes), level.numChunks));
}
