//===- LevelPlan.cpp - how a level is run ---------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Rounding.h"
#include "runtime/maps/Level.h"
#include "runtime/memory/BufferLayout.h"
#include "runtime/memory/Stream.h"
#include "runtime/memory/StridedCopy.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

using namespace broadloom;

namespace {

constexpr int64_t kStrip = BROADLOOM_STRIP_MULTIPLE;
/// The row lengths from which a kernel call per row pays: if it saves copies of
/// inputs that are consecutive within rows, ...
constexpr int64_t kLongRow = 256;
/// ... if an input is transposed across several axes, ...
constexpr int64_t kTransposedRow = 64;
/// ... and if all inputs are whole or repeat one element in each row.
constexpr int64_t kSplatRow = 512;
/// The approximate space of one chunk's buffers in the first cache.
constexpr int64_t kBufferBytes = int64_t(24) << 10;
constexpr int64_t kLeastChunk = 512;
constexpr int64_t kMostChunk = 4096;
/// The chunk length without buffers: long, but with enough chunks to share.
constexpr int64_t kDirectChunk = 8192;
/// Bytes of a result that are streamed at a time: while they are being written,
/// the operands of the next chunk are read.
constexpr int64_t kStreamChunkBytes = 2048;
/// The same if a buffer is refilled for each chunk, which has a cost per chunk,
/// or if a kernel streams: the buffer is filled while the previous chunk is
/// being written.
constexpr int64_t kRefillChunkBytes = 4096;
/// Bytes of consecutive rows in a band: two cache lines, which are fetched
/// together. For operands in memory, bands are wider and chunks longer, in the
/// second cache: fewer lines are read twice, and there are fewer starts.
constexpr int64_t kBandBytes = 128;
constexpr int64_t kMemoryBandBytes = 256;
/// The approximate space of one chunk's blocks in the first cache, or the part
/// of the second one.
constexpr int64_t kBlockBytes = int64_t(32) << 10;
constexpr int64_t kBlocksInSecond = 4;
constexpr int64_t kLeastBlockChunk = 128;
/// Chunks may grow to this to be a multiple of a pattern's period.
constexpr int64_t kMostPatternChunk = 8192;
/// The longest period of an input that is buffered once for all chunks.
constexpr int64_t kMostRepeat = 1024;
/// The approximate space of all such buffers in the first cache: other data
/// must not evict them. From 8 KiB on, the speed is half.
constexpr int64_t kRepeatBytes = int64_t(6) << 10;
constexpr int64_t kLeastRepeatChunk = 256;

/// The access of chunks that span rows.
Access accessAcrossRows(const Walk &walk) {
  if (walk.period == 1)
    return Access::Scalar;
  return isAligned(walk.base, walk.bytes) &&
                 isRowMajor(walk.extents, walk.strides, walk.rank)
             ? Access::Whole
             : Access::Pattern;
}

/// The access of such chunks to an input with a short enough period.
Access accessRepeating(const LevelInput &input) {
  return input.access == Access::Pattern && input.walk.period <= kMostRepeat
             ? Access::Repeat
             : input.access;
}

/// The access of chunks within rows to an input that is neither whole nor one
/// element.
Access accessInRow(const Walk &walk) {
  int64_t inner = walk.strides[walk.rank - 1];
  if (inner == 0)
    return Access::RowSplat;
  return inner == 1 && isAligned(walk.base, walk.bytes) ? Access::Row
                                                        : Access::RowGather;
}

bool isStaged(Access access) {
  return access != Access::Whole && access != Access::Row;
}

/// The axis along which `walk` is densest, if it is denser than along its rows.
int32_t denserAxis(const Walk &walk) {
  int32_t found = walk.rank - 1;
  for (int32_t axis = walk.rank - 2; axis >= 0; --axis)
    if (walk.strides[axis] != 0 &&
        std::abs(walk.strides[axis]) < std::abs(walk.strides[found]))
      found = axis;
  return found;
}

/// Whether chunks are to stay within rows.
bool isByRows(const Level &level) {
  int32_t inner = level.rank - 1;
  if (inner <= 0 || level.outputStrides)
    return inner >= 0;
  int64_t extent = level.extents[inner];
  if (extent < kTransposedRow || extent >= kSplatRow)
    return extent >= kSplatRow;
  bool byRows = false;
  for (int32_t i = 0; i < level.numInputs; ++i) {
    const Walk &walk = level.inputs[i].walk;
    int64_t stride = walk.strides[inner];
    if (stride == 0 || level.inputs[i].access != Access::Pattern)
      continue;
    if (extent >= kLongRow)
      return true;
    // If the denser axis is next to the rows, a block of whole rows can be
    // gathered.
    byRows |= stride != 1 && denserAxis(walk) < inner - 1;
  }
  return byRows;
}

/// A row of a transposed input uses few bytes of each cache line, and
/// neighbouring rows along another axis use the rest: these are computed
/// together.
void chooseBands(Level &level) {
  int32_t inner = level.rank - 1;
  int64_t bandBytes = level.streams ? kMemoryBandBytes : kBandBytes;
  int64_t bytes = bandBytes;
  for (int32_t i = 0; i < level.numInputs; ++i) {
    LevelInput &input = level.inputs[i];
    if (input.access != Access::RowGather)
      continue;
    int32_t axis = denserAxis(input.walk);
    if (level.bandAxis < 0 && axis != inner)
      level.bandAxis = axis;
    int64_t dense =
        level.bandAxis < 0 ? 0 : std::abs(input.walk.strides[level.bandAxis]);
    if (dense == 0 || dense >= std::abs(input.walk.strides[inner]))
      continue;
    input.access = Access::Block;
    bytes = std::min<int64_t>(bytes, input.walk.bytes);
  }
  if (level.bandAxis >= 0)
    level.bandRows = std::min(bandBytes / bytes, level.extents[level.bandAxis]);
}

/// The memory traffic of a level.
Traffic trafficOf(const Level &level) {
  Traffic traffic;
  for (int32_t i = 0; i < level.numInputs; ++i) {
    const Walk &walk = level.inputs[i].walk;
    int64_t elements = 1;
    for (int32_t axis = 0; axis < walk.rank; ++axis)
      elements *= walk.strides[axis] ? walk.extents[axis] : 1;
    traffic.read += elements * walk.bytes;
  }
  for (int32_t i = 0; i < level.numOutputs; ++i)
    if (level.outputs[i].data)
      traffic.written += level.count * level.outputs[i].bytes;
  return traffic;
}

/// Chunk length for the given bytes of buffers per element.
int64_t chunkFor(const Level &level, bool byRows, int64_t bufferBytes) {
  if (bufferBytes == 0)
    return kDirectChunk;
  int64_t chunk = std::clamp(kBufferBytes / bufferBytes / kStrip * kStrip,
                             kLeastChunk, kMostChunk);
  bool refilled = false;
  int64_t repeatBytes = 0;
  for (int32_t i = 0; i < level.numInputs; ++i) {
    const LevelInput &input = level.inputs[i];
    refilled |= input.access == Access::Pattern &&
                input.walk.period > kMostPatternChunk;
    if (input.access == Access::Repeat)
      repeatBytes += input.walk.bytes;
  }
  if (repeatBytes)
    chunk = std::min(chunk,
                     std::max(kRepeatBytes / repeatBytes, kLeastRepeatChunk));
  int64_t streamed = 0;
  for (int32_t i = 0; i < level.numOutputs; ++i)
    if (level.outputs[i].staged || (level.streamsItself && refilled))
      streamed = std::max<int64_t>(streamed, level.outputs[i].bytes);
  if (streamed)
    chunk = std::min(chunk, (refilled ? kRefillChunkBytes : kStreamChunkBytes) /
                                streamed);
  if (byRows) {
    int64_t block = 0;
    for (int32_t i = 0; i < level.numInputs; ++i)
      if (level.inputs[i].access == Access::Block)
        block += level.bandRows * level.inputs[i].walk.bytes;
    int64_t most =
        level.streams ? cacheSizes().second / kBlocksInSecond : kBlockBytes;
    if (block)
      return std::min(
          chunk, std::max(most / block / kStrip * kStrip, kLeastBlockChunk));
    return chunk;
  }
  // Transposed rows: enough that whole cache lines are used.
  for (int32_t i = 0; i < level.numInputs; ++i) {
    const Walk &walk = level.inputs[i].walk;
    int32_t inner = level.rank - 1;
    if (level.inputs[i].access == Access::Pattern &&
        denserAxis(walk) == inner - 1)
      chunk = std::max(chunk, std::min(walk.extents[inner] * kBandBytes /
                                           walk.bytes / kStrip * kStrip,
                                       kMostPatternChunk));
  }
  // The chunk is a multiple of the patterns' periods, which are then filled
  // once. If it is not too long, it is also a multiple of the periods of inputs
  // that repeat, so that chunks begin at a vector, and of the rows of refilled
  // inputs, so that these have no partial rows.
  int64_t multiple = kStrip;
  for (int32_t i = 0; i < level.numInputs; ++i) {
    int64_t period = level.inputs[i].walk.period;
    bool isPattern = level.inputs[i].access == Access::Pattern;
    if (!isPattern && level.inputs[i].access != Access::Repeat)
      continue;
    bool isFilledOnce = isPattern && period <= kMostPatternChunk;
    if (isPattern && !isFilledOnce)
      period = level.extents[level.rank - 1];
    int64_t most = isFilledOnce ? kMostPatternChunk : chunk;
    // The least common multiple is computed only for numbers below the limit.
    if (period <= most && std::lcm(multiple, period) <= most)
      multiple = std::lcm(multiple, period);
  }
  return std::max(chunk / multiple, int64_t(1)) * multiple;
}

bool isFlat(const Level &level) {
  bool flat = level.rowLength == level.count && !level.staging;
  for (int32_t i = 0; i < level.numInputs; ++i) {
    Access access = level.inputs[i].access;
    flat &= access == Access::Whole || access == Access::Scalar ||
            access == Access::Repeat;
  }
  for (int32_t i = 0; i < level.numOutputs; ++i)
    flat &= level.outputs[i].data != nullptr;
  return flat;
}

bool isByWholeRows(const Level &level) {
  bool byRows = level.rowLength != level.count && level.rowChunks == 1 &&
                level.bandAxis < 0 && !level.staging && !level.streamsItself;
  for (int32_t i = 0; i < level.numInputs; ++i) {
    Access access = level.inputs[i].access;
    byRows &= !isStaged(access) || isOneStrip(access);
  }
  return byRows;
}

/// Places the buffers in a thread's memory.
void placeBuffers(Level &level, bool tiny) {
  BufferLayout layout(/*shifts=*/!tiny);
  for (int32_t i = 0; i < level.numInputs; ++i)
    if (LevelInput &input = level.inputs[i]; tiny || isStaged(input.access))
      input.buffer = layout.place(
          input.walk.bytes * (input.access == Access::Block
                                  ? level.bandRows * blockPitch(level.capacity)
                              : input.access == Access::Repeat
                                  ? repeatCapacity(level, input)
                              : isOneStrip(input.access) ? kStrip
                                                         : level.capacity));
  for (int32_t i = 0; i < level.numOutputs; ++i)
    if (LevelOutput &output = level.outputs[i];
        tiny || !output.data || output.staged)
      output.buffer = layout.place(output.bytes * level.capacity);
    else if (level.streamsItself)
      output.buffer = layout.place(output.bytes * kStrip);
  level.threadBytes = layout.bytes();
}

} // namespace

void broadloom::planLevel(Level &level, int32_t threads) noexcept {
  bool tiny = level.count < kStrip;
  int64_t elementBytes = 0, bufferBytes = 0;
  for (int32_t i = 0; i < level.numInputs; ++i) {
    LevelInput &input = level.inputs[i];
    input.walk.rank = level.rank;
    input.walk.extents = level.extents;
    input.walk.period = periodOf(input.walk);
    input.access = accessAcrossRows(input.walk);
  }
  if (tiny) {
    level.capacity = kStrip;
    level.numChunks = 1;
    return placeBuffers(level, tiny);
  }
  bool byRows = isByRows(level);
  for (int32_t i = 0; i < level.numInputs; ++i) {
    LevelInput &input = level.inputs[i];
    if (byRows && input.access == Access::Pattern)
      input.access = accessInRow(input.walk);
    if (!byRows)
      input.access = accessRepeating(input);
    elementBytes += input.walk.bytes;
    if (isStaged(input.access) && !isOneStrip(input.access))
      bufferBytes += input.walk.bytes;
  }
  for (int32_t i = 0; i < level.numOutputs; ++i)
    elementBytes += level.outputs[i].bytes;
  level.threads = threadsFor(threads, level.count * elementBytes);
  bool inPlace = false;
  for (int32_t i = 0; i < level.numOutputs; ++i)
    inPlace |= level.outputs[i].inPlace;
  // An operand that is written over was just read: its lines are in the cache.
  level.streams = !inPlace && level.count > kMostPatternChunk &&
                  isWorthStreaming(trafficOf(level), level.threads);
  level.streamsItself = level.streams && !inPlace && level.numStages == 1 &&
                        level.numOutputs == 1 &&
                        level.program->stages[level.stages[0]].streams;
  level.staging = (level.streams && !level.streamsItself) || inPlace;
  for (int32_t i = 0; i < level.numOutputs; ++i) {
    LevelOutput &output = level.outputs[i];
    output.staged = output.inPlace ||
                    (level.streams && output.data && !level.streamsItself);
    if (!output.data || output.staged)
      bufferBytes += output.bytes;
  }
  if (byRows)
    chooseBands(level);
  level.rowLength = byRows ? level.extents[level.rank - 1] : level.count;
  level.chunk = level.count <= kLeastChunk
                    ? kLeastChunk
                    : chunkFor(level, byRows, bufferBytes);
  // A last chunk shorter than a strip joins the one before it.
  level.rowChunks =
      level.rowLength < level.chunk + kStrip
          ? 1
          : (level.rowLength + level.chunk - kStrip) / level.chunk;
  level.numChunks = level.rowChunks;
  if (level.rowLength != level.count)
    for (int32_t axis = 0; axis + 1 < level.rank; ++axis)
      level.numChunks *= stepsAlong(level, axis);
  // Kernels compute whole strips only, and the last strip of a chunk also
  // writes a scratch value from the buffer's start.
  level.capacity =
      roundUp(std::min(level.rowLength, level.chunk + kStrip), kStrip);
  level.isFlat = isFlat(level);
  level.isByWholeRows = isByWholeRows(level);
  placeBuffers(level, tiny);
  level.threads = int32_t(std::min<int64_t>(level.threads, level.numChunks));
}
