//===- ContractLines.cpp - lines of images to the kernel ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/Rounding.h"
#include "runtime/contractions/ContractWorker.h"
#include "runtime/contractions/Panels.h"
#include "runtime/contractions/Windows.h"

#include <algorithm>
#include <cstring>

using namespace broadloom;

ImageLines ContractWorker::linesOf(int64_t block) const {
  int64_t height = c.lines().result;
  int64_t perImage = divideUp(height, c.blockSize);
  int64_t first = block % perImage * c.blockSize;
  return {block / perImage, first, std::min(c.blockSize, height - first)};
}

void ContractWorker::runLines(BroadloomTile &tile, ImageLines lines,
                              int64_t channel) {
  int64_t numTaps = c.lines().window, tapDepth = c.tapDepth();
  bool isWhole = c.chunk == c.depth();
  int64_t steps = isWhole ? tapDepth : std::min(c.chunk, tapDepth);
  int64_t taps = isWhole ? numTaps : c.chunk / steps;
  const char *weight = static_cast<const char *>(tile.weight);
  tile.rows = c.columns().result;
  tile.rowStride = c.columns().stride * c.channelsIn;
  tile.weightTapStride = stepsOfTap(tapDepth, c.together()) * tile.weightStride;
  if (c.joinsLines)
    return runJoinedLines(tile, lines, channel);
  shareAhead(tile, lines.count * tilesOf(tile.rows));
  // A window without elements is a part, too.
  int64_t tap = 0;
  do {
    int64_t at = 0;
    do {
      tile.taps = std::min(taps, numTaps - tap);
      tile.depth = std::min(steps, tapDepth - at);
      int64_t offset = tap * tile.weightTapStride + at * tile.weightStride;
      tile.weight = weight + offset * c.weightBytes;
      int64_t end = (tap + tile.taps - 1) * tapDepth + at + tile.depth;
      tile.weightAhead = findAhead(tile, end, channel);
      runPartOfLines(tile, lines, tap, at, channel);
      at += tile.depth;
    } while (at < tapDepth);
    tap += tile.taps;
  } while (tap < numTaps);
}

void ContractWorker::runJoinedLines(BroadloomTile &tile, ImageLines lines,
                                    int64_t channel) {
  tile.rows = c.rowsOfLines(lines.count);
  tile.taps = c.lines().window;
  tile.depth = c.tapDepth();
  tile.tapStride = c.lines().dilation * c.lineElements;
  const void *image = tile.image;
  shareAhead(tile, tilesOf(tile.rows));
  tile.sumsAfter = sums;
  // The kernel stores these sums alone.
  tile.bases = reinterpret_cast<void *const *>(bases);
  tile.strides = strides;
  compute(tile);
  tile.sumsAfter = nullptr;
  tile.taps = 0;
  int64_t bytes = c.rowsToNext() * c.panelWidth * c.record->sumBytes;
  for (int64_t i = 0; i < lines.count; ++i) {
    tile.rows = c.columns().result;
    tile.image = image;
    tile.sumsBefore = sums + i * bytes;
    call(tile, rowOf(lines.image, lines.first + i), channel);
  }
}

void ContractWorker::runPartOfLines(const BroadloomTile &part, ImageLines lines,
                                    int64_t tap, int64_t at, int64_t channel) {
  const WindowAxis &axis = c.lines();
  // Lines are read from the image, or from the part's buffer, which begins with
  // the first line.
  bool isBuffered = c.lineElements != 0;
  int64_t pitch =
      isBuffered ? c.lineElements : c.columns().image * c.channelsIn;
  int64_t firstLine = isBuffered ? axis.begin(lines.first) : 0;
  const char *base =
      isBuffered ? static_cast<const char *>(part.image)
                 : c.image + lines.image * axis.image * pitch * c.imageBytes;
  int64_t lineBytes = part.rows * c.panelWidth * c.record->sumBytes;
  for (int64_t i = 0; i < lines.count; ++i) {
    int64_t line = lines.first + i;
    WindowAxis::Steps inside = axis.inside(line);
    if (c.together() > 1 || c.readsBeyond())
      inside = {0, axis.window, axis.begin(line)};
    // Without a tap in the image, sums are finished with the first part.
    if (inside.count == 0)
      inside.first = 0;
    int64_t from = std::max(tap, inside.first),
            last = inside.first + inside.count;
    int64_t to = std::min(tap + part.taps, last);
    bool isFirst = from == inside.first && at == 0;
    if (from >= to && !(isFirst && inside.count == 0))
      continue;
    BroadloomTile tile = passAhead(part, i * tilesOf(part.rows));
    tile.taps = to - from;
    tile.tapStride = axis.dilation * pitch;
    int64_t row = inside.at + (from - inside.first) * axis.dilation - firstLine;
    tile.image = base;
    if (tile.taps > 0)
      tile.image = base + (row * pitch + at) * c.imageBytes;
    tile.weight = static_cast<const char *>(part.weight) +
                  (from - tap) * part.weightTapStride * c.weightBytes;
    bool isLast =
        inside.count == 0 || (to == last && at + part.depth == c.tapDepth());
    tile.sumsBefore = isFirst ? nullptr : sums + i * lineBytes;
    tile.sumsAfter = isLast ? nullptr : sums + i * lineBytes;
    call(tile, rowOf(lines.image, line), channel);
  }
}

//===----------------------------------------------------------------------===//
// Tap by tap
//===----------------------------------------------------------------------===//

void ContractWorker::runTaps(BroadloomTile &tile, ImageLines lines,
                             int64_t channel) {
  const WindowAxis &columns = c.columns();
  const char *weight = static_cast<const char *>(tile.weight);
  int64_t rows = lines.count * columns.result;
  memset(sums, 0, size_t(rows * c.panelWidth * c.record->sumBytes));
  tile.rowStride = columns.stride * c.channelsIn;
  tile.taps = 1;
  tile.sumsBefore = tile.sumsAfter = sums;
  shareAhead(tile, lines.count * tilesOf(columns.result));
  for (int64_t tap = 0; tap < c.windowCount; ++tap)
    for (int64_t at = 0; at < c.channelsIn; at += tile.depth) {
      tile.depth = std::min(c.chunk, c.channelsIn - at);
      tile.weight = weight + (tap * c.channelsIn + at) * tile.weightStride *
                                 c.weightBytes;
      int64_t end = tap * c.channelsIn + at + tile.depth;
      tile.weightAhead = findAhead(tile, end, channel);
      runTap(tile, lines, tap / columns.window, tap % columns.window, at,
             channel);
    }
  // What is computed of the sums.
  tile.rows = rows;
  tile.taps = 0;
  tile.image = c.image;
  tile.weightAhead = tile.weight;
  tile.sumsAfter = nullptr;
  call(tile, rowOf(lines.image, lines.first), channel);
}

void ContractWorker::runTap(const BroadloomTile &part, ImageLines lines,
                            int64_t line, int64_t column, int64_t at,
                            int64_t channel) {
  const WindowAxis &axis = c.lines(), &columns = c.columns();
  WindowAxis::Results seen = axis.seeing(line), across = columns.seeing(column);
  int64_t first = std::max(seen.from, lines.first);
  int64_t end = std::min(seen.end, lines.first + lines.count);
  if (first >= end || across.from == across.end)
    return;
  // Where all columns of the image are read, lines are one after the other.
  bool areJoined = across.from == 0 && across.end == columns.result &&
                   columns.image == columns.result && columns.stride == 1 &&
                   axis.stride == 1;
  int64_t together = areJoined ? end - first : 1;
  for (int64_t result = first; result < end; result += together) {
    BroadloomTile tile =
        passAhead(part, (result - first) * tilesOf(columns.result));
    tile.rows = together * (across.end - across.from);
    int64_t imageLine = axis.begin(result) + line * axis.dilation;
    int64_t imageColumn =
        columns.begin(across.from) + column * columns.dilation;
    tile.image =
        c.image + (((lines.image * axis.image + imageLine) * columns.image +
                    imageColumn) *
                       c.channelsIn +
                   at) *
                      c.imageBytes;
    int64_t row = (result - lines.first) * columns.result + across.from;
    tile.sumsBefore = tile.sumsAfter =
        sums + row * c.panelWidth * c.record->sumBytes;
    call(tile, rowOf(lines.image, result) + across.from, channel);
  }
}

//===----------------------------------------------------------------------===//
// Channel by channel
//===----------------------------------------------------------------------===//

void ContractWorker::runChannels(int64_t block, int64_t channel) {
  ImageLines lines = linesOf(block);
  for (int64_t i = 0; i < lines.count; ++i)
    runChannelLine(lines.image, lines.first + i, channel);
}

void ContractWorker::runChannelLine(int64_t image, int64_t line,
                                    int64_t channel) {
  auto stepsOf = [&](const WindowAxis &axis, int64_t index) {
    return c.readsBeyond()
               ? WindowAxis::Steps{0, axis.window, axis.begin(index)}
               : axis.inside(index);
  };
  WindowAxis::Steps taps = stepsOf(c.lines(), line);
  int64_t row = rowOf(image, line);
  if (!c.hasPlanes())
    return addPlane({image, 0, taps, true, true}, row, channel);
  // The steps along the axes in front, and how many there are of all.
  WindowAxis::Steps steps[BROADLOOM_MAX_RANK];
  int32_t numAxes = c.windowRank - 2;
  int64_t count = 1, rest = image;
  for (int32_t axis = numAxes - 1; axis >= 0; --axis) {
    steps[axis] = stepsOf(c.window[axis], rest % c.window[axis].result);
    rest /= c.window[axis].result;
    count *= steps[axis].count;
  }
  if (count == 0)
    return addPlane({0, 0, {}, true, true}, row, channel);
  for (int64_t number = 0; number < count; ++number) {
    Plane plane = {0, 0, taps, number == 0, number == count - 1};
    int64_t left = number, planes = 1, windows = 1;
    for (int32_t axis = numAxes - 1; axis >= 0; --axis) {
      const WindowAxis &it = c.window[axis];
      int64_t step = left % steps[axis].count;
      left /= steps[axis].count;
      plane.image +=
          c.placeOf(it, steps[axis].at + step * it.dilation) * planes;
      plane.window += (steps[axis].first + step) * windows;
      planes *= it.image;
      windows *= it.window;
    }
    plane.image += rest * planes;
    addPlane(plane, row, channel);
  }
}

void ContractWorker::addPlane(const Plane &plane, int64_t row,
                              int64_t channel) {
  const WindowAxis &axis = c.lines(), &columns = c.columns();
  BroadloomTile tile{};
  tile.bases = reinterpret_cast<void *const *>(bases);
  tile.strides = strides;
  tile.channels = std::min(c.panelWidth, c.channelsOut - channel);
  tile.taps = plane.taps.count;
  tile.weightTapStride = columns.window * c.channelsIn;
  tile.weightStride = c.channelsIn;
  int64_t firstTap = plane.window * axis.window + plane.taps.first;
  const char *weight =
      c.weight + (firstTap * tile.weightTapStride + channel) * c.weightBytes;
  int64_t sumBytes = c.sumPitch(tile.channels) * c.record->sumBytes;
  setBases(row, channel);
  // Windows inside the line are computed together, and those that reach
  // beyond it one by one, or some at a time where they read elements there.
  for (int64_t column = 0; column < columns.result; column += tile.rows) {
    WindowAxis::Steps steps = columns.inside(column);
    bool isWhole = steps.count == columns.window;
    int64_t firstColumn = 0;
    if (c.readsBeyond() && !(isWhole && isInside(plane))) {
      gatherWindows(tile, plane, column, channel);
    } else {
      int64_t firstLine = plane.image * axis.image + plane.taps.at;
      int64_t first = (firstLine * columns.image + steps.at) * c.channelsIn;
      tile.image = c.image + (first + channel) * c.imageBytes;
      tile.rowStride = columns.stride * c.channelsIn;
      tile.tapStride = axis.dilation * columns.image * c.channelsIn;
      tile.stride = columns.dilation * c.channelsIn;
      tile.depth = steps.count;
      tile.rows = 1;
      if (isWhole) {
        int64_t reach = (columns.window - 1) * columns.dilation;
        tile.rows = std::clamp<int64_t>(
            (columns.image - 1 - reach - columns.begin(column)) /
                    columns.stride +
                1,
            1, columns.result - column);
      }
      firstColumn = steps.first;
    }
    tile.weight = weight + firstColumn * tile.weightStride * c.weightBytes;
    tile.sumsBefore = plane.isFirst ? nullptr : sums + column * sumBytes;
    tile.sumsAfter = plane.isLast ? nullptr : sums + column * sumBytes;
    compute(tile);
    // The rows of a line are evenly spaced in all tensors.
    for (int32_t i = 0; i < c.numTensors; ++i)
      bases[i] += tile.rows * strides[i] * c.bytes[i];
  }
}

bool ContractWorker::isInside(const Plane &plane) const {
  const WindowAxis &axis = c.lines();
  return plane.taps.at >= 0 &&
         plane.taps.at + (axis.window - 1) * axis.dilation < axis.image;
}

void ContractWorker::gatherWindows(BroadloomTile &tile, const Plane &plane,
                                   int64_t column, int64_t channel) {
  const WindowAxis &columns = c.columns();
  int64_t begin = columns.begin(column), width = columns.window;
  tile.rows = 1;
  // Neighbouring windows share columns.
  if (columns.dilation == 1) {
    int64_t held = c.lineElements / c.panelWidth;
    int64_t rows = columns.result - column;
    if (begin < 0 && isInside(plane))
      rows = std::min(rows, divideUp(-begin, columns.stride));
    tile.rows = std::min(rows, (held - width) / columns.stride + 1);
    width += (tile.rows - 1) * columns.stride;
  }
  gatherEdges(c,
              {plane.image, plane.taps.at, begin, width, columns.dilation,
               channel, tile.channels},
              buffer);
  tile.image = buffer;
  tile.depth = columns.window;
  tile.stride = tile.channels;
  tile.rowStride = columns.stride * tile.channels;
  tile.tapStride = width * tile.channels;
}
