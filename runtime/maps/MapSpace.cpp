//===- MapSpace.cpp - the axes that a launch goes through -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/maps/MapLaunch.h"
#include "shape/Formula.h"
#include "shape/Message.h"

#include <algorithm>
#include <vector>

using namespace broadloom;

inline MapTables::MapTables(const Counts &counts, ArrayLayout &layout) {
  const BroadloomProgram &program = counts.program;
  extents = layout.take<int64_t>(counts.axes);
  spaceExtents = layout.take<int64_t>(counts.axes);
  strides = layout.take<int64_t>(program.numValues * counts.axes);
  gapStrides = layout.take<int64_t>(counts.axes);
  shapes = layout.take<OperandShape>(program.numOperands);
  values = layout.take<Value>(program.numValues);
  stageAxes = layout.take<AxisSet>(program.numStages);
  resultData = layout.take<char *>(program.numResults);
  firstOutputs = layout.take<int32_t>(program.numStages);
  stageDone = layout.take<bool>(program.numStages);
}

bool MapLaunch::makeTables() {
  rank = 0;
  for (int32_t i = 0; i < program.numOperands; ++i)
    rank = std::max(rank, operands[i].rank);
  Counts counts{program, std::max<int64_t>(rank, 1)};
  char *memory = tables.allocate(bytesOf<MapTables>(counts));
  if (!memory)
    return false;
  ArrayLayout layout(memory);
  static_cast<MapTables &>(*this) = MapTables(counts, layout);
  space.extents = spaceExtents;
  space.pitch = int32_t(counts.axes);
  space.numOperands = program.numOperands;
  return true;
}

void MapLaunch::alignOperands() {
  for (int32_t i = 0; i < program.numOperands; ++i) {
    int64_t missing = rank - operands[i].rank;
    shapes[i] = OperandShape{descriptorOf(operands[i]).dims - missing,
                             operands[i].rank, missing};
  }
}

/// Handles the most frequent case without the walk: all operands have one shape
/// and are row-major. False in other cases, or if that shape is invalid or
/// empty.
bool MapLaunch::takeSameAxes() {
  if (program.numOperands == 0 || gaps)
    return false;
  const int64_t *first = shapes[0].extents;
  // From the last operand on: the first one is compared with itself.
  for (int32_t i = program.numOperands - 1; i >= 0; --i) {
    const int64_t *own = shapes[i].extents;
    if (shapes[i].rank != rank || shapes[0].rank != rank)
      return false;
    count = 1;
    for (int64_t axis = rank - 1; axis >= 0; --axis) {
      int64_t extent = own[axis];
      if (extent != first[axis] || extent <= 0 ||
          (own[rank + axis] != count && extent != 1) ||
          __builtin_mul_overflow(count, extent, &count))
        return false;
    }
    strides[i * space.pitch] = 1;
  }
  for (int64_t axis = 0; axis < rank; ++axis)
    extents[axis] = first[axis];
  space.rank = count == 1 ? 0 : 1;
  space.extents[0] = count;
  space.strides = strides;
  return true;
}

/// Computes the broadcast of the operands (bcast-4) and their strides over it,
/// without axes of extent 1 and with neighbours merged if all operands allow
/// it, in one walk from the innermost axis outwards. The tables are filled from
/// their ends: the next axis outwards goes before the others.
int32_t MapLaunch::walkAxes() {
  const int32_t numOperands = program.numOperands;
  const int64_t pitch = space.pitch;
  int64_t kept = pitch;
  bool empty = false, overflow = false;
  if (takeSameAxes())
    return BROADLOOM_OK;
  count = 1;
  for (int64_t axis = rank - 1; axis >= 0; --axis) {
    bool merges = kept < pitch;
    uint64_t inside = merges ? uint64_t(space.extents[kept]) : 0;
    int64_t extent = 1;
    int64_t *own = strides + kept - 1;
    for (int32_t i = 0; i < numOperands; ++i, own += pitch) {
      const OperandShape &shape = shapes[i];
      int64_t next = axis < shape.first ? 1 : shape.extents[axis];
      int64_t stride = next == 1 ? 0 : shape.extents[shape.rank + axis];
      extent = broadcastExtents(extent, next);
      if (extent < 0)
        return failBroadcast();
      own[0] = stride;
      // The product may wrap, because addresses do.
      merges = merges && uint64_t(stride) == uint64_t(own[1]) * inside;
    }
    if (gaps) {
      gapStrides[kept - 1] = descriptorOf(*gaps).dims[rank + axis];
      merges = merges && uint64_t(gapStrides[kept - 1]) ==
                             uint64_t(gapStrides[kept]) * inside;
    }
    extents[axis] = extent;
    if (extent == 1)
      continue;
    empty |= extent == 0;
    overflow |= __builtin_mul_overflow(count, extent, &count);
    if (merges)
      space.extents[kept] = int64_t(inside * uint64_t(extent));
    else
      space.extents[--kept] = extent;
  }
  if (empty)
    count = 0;
  else if (overflow)
    return call.failMemory(extents, rank, 1);
  space.rank = int32_t(pitch - kept);
  space.extents += kept;
  strides += kept;
  gapStrides += kept;
  space.strides = strides;
  return BROADLOOM_OK;
}

/// Reports extents that do not broadcast or are negative.
int32_t MapLaunch::failBroadcast() {
  size_t numOperands = size_t(program.numOperands);
  auto spanAt = [&](size_t i) {
    return ExtentSpan{descriptorOf(operands[i]).dims, operands[i].rank};
  };
  Conflict conflict;
  if (broadcastSpans(numOperands, spanAt, extents, &conflict))
    return call.failMemory(extents, rank, 1);
  int64_t met[] = {conflict.firstExtent, conflict.secondExtent};
  auto describeConflict = [&] {
    std::vector<ExtentSpan> spans;
    for (size_t i = 0; i < numOperands; ++i)
      spans.push_back(spanAt(i));
    return describe(conflict, spans.data(), numOperands);
  };
  return call.fail(BROADLOOM_GUARD_FAILED, describeConflict, nullptr, met, 2,
                   int32_t(conflict.axis));
}
