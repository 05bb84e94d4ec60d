//===- StridedCopy.cpp - copies between any two layouts -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/memory/StridedCopy.h"

#include "runtime/Rounding.h"
#include "runtime/memory/Block.h"
#include "runtime/memory/Fill.h"
#include "runtime/memory/Rows.h"
#include "runtime/memory/Space.h"
#include "runtime/memory/Stream.h"
#include "runtime/threads/ParallelFor.h"

#include <algorithm>
#include <cstring>

using namespace broadloom;

namespace {

constexpr int64_t kRunBytes = int64_t(256) << 10;
/// Bytes of a tile, most of the first cache.
constexpr int64_t kTileBytes = int64_t(32) << 10;
/// Rows of the target that are shorter are not worth a tile of their own
/// memory: several of them are in one cache line, or next to each other.
constexpr int64_t kShortRow = 256;

/// So few arrays are interleaved, or taken apart, in long tiles (gatherBlock).
constexpr int64_t kFewArrays = 4;

/// Giving work to an awake thread and waiting for it takes a microsecond;
/// waking one takes four. Measured with data in the second caches, two threads
/// are as fast as one at 320 KiB, and a tenth faster at 384.
constexpr int64_t kBytesPerThread = int64_t(192) << 10;

/// Copies to a target of consecutive elements.
void gatherAll(const Space &space, int64_t count, int32_t bytes, char *to,
               const char *from, int32_t threads,
               const Cancellation &isCancelled) {
  Walk walk;
  walk.base = from;
  walk.bytes = bytes;
  walk.rank = space.rank;
  walk.extents = space.extents;
  walk.strides = space.stridesOf(1);
  walk.period = periodOf(walk);
  int64_t run = kRunBytes / bytes;
  parallelForEach(threads, divideUp(count, run), isCancelled, [&](int64_t i) {
    fillWalk(to + i * run * bytes, walk, i * run,
             std::min(run, count - i * run));
  });
}

/// Copies rows: the innermost axis is consecutive on both sides, and one side
/// has gaps between rows.
void copyAllRows(const Space &space, int32_t bytes, char *to, const char *from,
                 int32_t threads, const Cancellation &isCancelled) {
  int32_t inner = space.rank - 1, outer = inner - 1;
  const int64_t *toStrides = space.stridesOf(0);
  const int64_t *fromStrides = space.stridesOf(1);
  int64_t length = space.extents[inner];
  int64_t rows = outer < 0 ? 1 : space.extents[outer];
  int64_t toStride = outer < 0 ? 0 : toStrides[outer];
  int64_t fromStride = outer < 0 ? 0 : fromStrides[outer];
  int64_t most = std::max<int64_t>(kRunBytes / (length * bytes), 1);
  int64_t bands = divideUp(rows, most), items = bands;
  for (int32_t axis = 0; axis < outer; ++axis)
    items *= space.extents[axis];
  auto copyBand = [&](int64_t item) {
    int64_t first = item % bands * most, rest = item / bands;
    int64_t toOffset = first * toStride, fromOffset = first * fromStride;
    for (int32_t axis = outer - 1; axis >= 0; --axis) {
      int64_t index = rest % space.extents[axis];
      rest /= space.extents[axis];
      toOffset += index * toStrides[axis];
      fromOffset += index * fromStrides[axis];
    }
    copyRows(to + toOffset * bytes, toStride, from + fromOffset * bytes,
             fromStride, std::min(most, rows - first), length, bytes);
  };
  parallelForEach(threads, items, isCancelled, copyBand);
}

/// How a tile is written.
enum class TileTarget {
  /// Where it belongs.
  Direct,
  /// In the first cache, and then row by row: if the target does not fit the
  /// second cache, the lines of direct writes may be evicted before they are
  /// full.
  Copied,
  /// The same, with streaming stores.
  Streamed,
};

/// The tiles of a copy: of the innermost axis, and of the axis along which the
/// source is densest, so that both sides use whole cache lines.
template <typename T> class Tiles {
public:
  Tiles(const Space &space, char *to, const char *from, int32_t threads)
      : space(space), to(to), from(from), inner(space.rank - 1) {
    auto size = [&](int32_t axis) {
      return std::abs(space.stridesOf(1)[axis]);
    };
    for (int32_t axis = 0; axis < inner; ++axis)
      if (size(axis) && (partner < 0 || size(axis) < size(partner)))
        partner = axis;
    // Without a second axis (one axis, or a source that varies along one only)
    // a tile is a row.
    if (partner >= 0)
      partnerExtent = space.extents[partner];
    target = chooseTarget(threads);
    if (target == TileTarget::Streamed) {
      // Longer rows have fewer starts, which streaming stores need.
      rowsOfTile = kStreamedRows;
      columnsOfTile = kTileBytes / (kStreamedRows * kBytes);
    } else if (target == TileTarget::Direct && isInterleaved()) {
      rowsOfTile = columnsOfTile = kTileBytes / (kFewArrays * kBytes);
    }
    bands = divideUp(partnerExtent, rowsOfTile);
    int64_t columns = divideUp(space.extents[inner], columnsOfTile);
    // Few bands are divided.
    parts =
        std::min(columns, divideUp(kItemsPerThread * threads, countBands()));
    tilesOfPart = divideUp(columns, parts);
  }

  /// The number of parts of bands of tiles.
  int64_t count() const { return countBands() * parts; }

  /// Copies parts `begin` to `end`, or fewer where that is cancelled.
  void copyParts(int64_t begin, int64_t end, int32_t thread,
                 const Cancellation &isCancelled) const {
    for (int64_t item = begin; item < end && !isCancelled(thread); ++item)
      copyPart(item);
    if (target == TileTarget::Streamed)
      streamFence();
  }

private:
  static constexpr int64_t kBytes = sizeof(T), kSide = 64, kStreamedRows = 32;
  static_assert(kSide * kSide * kBytes <= kTileBytes);
  static constexpr int64_t kItemsPerThread = 3;

  int64_t countBands() const {
    int64_t items = bands;
    for (int32_t axis = 0; axis < inner; ++axis)
      if (axis != partner)
        items *= space.extents[axis];
    return items;
  }

  bool isInterleaved() const {
    return std::min(partnerExtent, space.extents[inner]) <= kFewArrays;
  }

  TileTarget chooseTarget(int32_t threads) const {
    int64_t bytes = countElements(space.extents, space.rank) * kBytes;
    // The lines of few rows stay in the first cache until they are full.
    bool areFewRows = partnerExtent <= kFewArrays &&
                      !isWorthStreaming({bytes, bytes}, threads);
    if (space.stridesOf(0)[inner] != 1 || areFewRows ||
        space.extents[inner] * kBytes < kShortRow ||
        2 * bytes < cacheSizes().second)
      return TileTarget::Direct;
    return isWorthStreaming({bytes, bytes}, threads) ? TileTarget::Streamed
                                                     : TileTarget::Copied;
  }

  void copyPart(int64_t item) const {
    const int64_t *toStrides = space.stridesOf(0);
    const int64_t *fromStrides = space.stridesOf(1);
    int64_t part = item % parts, band = item / parts % bands;
    int64_t rest = item / parts / bands;
    int64_t toOffset = 0, fromOffset = 0;
    for (int32_t axis = inner - 1; axis >= 0; --axis) {
      if (axis == partner)
        continue;
      int64_t index = rest % space.extents[axis];
      rest /= space.extents[axis];
      toOffset += index * toStrides[axis];
      fromOffset += index * fromStrides[axis];
    }
    int64_t rows = std::min(rowsOfTile, partnerExtent - band * rowsOfTile);
    if (partner >= 0) {
      toOffset += band * rowsOfTile * toStrides[partner];
      fromOffset += band * rowsOfTile * fromStrides[partner];
    }
    int64_t length = tilesOfPart * columnsOfTile, first = part * length;
    int64_t end = std::min(first + length, space.extents[inner]);
    for (int64_t column = first; column < end; column += columnsOfTile)
      copyTile(to + (toOffset + column * toStrides[inner]) * kBytes,
               from + (fromOffset + column * fromStrides[inner]) * kBytes, rows,
               std::min(columnsOfTile, end - column));
  }

  void copyTile(char *into, const char *out, int64_t rows,
                int64_t columns) const {
    int64_t toRow = partner < 0 ? 0 : space.stridesOf(0)[partner];
    int64_t fromRow = partner < 0 ? 0 : space.stridesOf(1)[partner];
    int64_t toColumn = space.stridesOf(0)[inner];
    int64_t fromColumn = space.stridesOf(1)[inner];
    if (toColumn != 1) {
      for (int64_t row = 0; row < rows; ++row)
        for (int64_t column = 0; column < columns; ++column)
          memcpy(into + (row * toRow + column * toColumn) * kBytes,
                 out + (row * fromRow + column * fromColumn) * kBytes, kBytes);
      return;
    }
    if (target == TileTarget::Direct)
      return gatherBlock(into, toRow, out, fromRow, fromColumn, rows, columns,
                         int32_t(kBytes));
    alignas(64) char tile[kTileBytes];
    gatherBlock(tile, columnsOfTile, out, fromRow, fromColumn, rows, columns,
                int32_t(kBytes));
    if (target == TileTarget::Copied)
      return copyRows(into, toRow, tile, columnsOfTile, rows, columns,
                      int32_t(kBytes));
    for (int64_t row = 0; row < rows; ++row)
      streamCopy(into + row * toRow * kBytes,
                 tile + row * columnsOfTile * kBytes, columns * kBytes);
  }

  const Space &space;
  char *to;
  const char *from;
  int32_t inner;
  int32_t partner = -1;
  int64_t partnerExtent = 1;
  TileTarget target;
  int64_t rowsOfTile = kSide, columnsOfTile = kSide;
  int64_t bands;
  /// The parts of a band, and the tiles of each.
  int64_t parts, tilesOfPart;
};

/// Copies between any two layouts.
template <typename T>
void copyTiled(const Space &space, char *to, const char *from, int32_t threads,
               const Cancellation &isCancelled) {
  Tiles<T> tiles(space, to, from, threads);
  parallelFor(threads, tiles.count(),
              [&](int32_t thread, int64_t begin, int64_t end) {
                tiles.copyParts(begin, end, thread, isCancelled);
              });
}

void copySpace(const Space &space, int64_t count, int32_t bytes, char *to,
               const char *from, int32_t threads,
               const Cancellation &isCancelled) {
  int32_t inner = space.rank - 1;
  bool consecutive = isRowMajor(space.extents, space.stridesOf(0), space.rank);
  if (space.rank == 0)
    return (void)memcpy(to, from, size_t(bytes));
  int64_t fromInner = space.stridesOf(1)[inner];
  if (consecutive && (space.rank == 1 || fromInner == 0 || fromInner == 1))
    return gatherAll(space, count, bytes, to, from, threads, isCancelled);
  if (space.stridesOf(0)[inner] == 1 && fromInner == 1)
    return copyAllRows(space, bytes, to, from, threads, isCancelled);
  switch (bytes) {
  case 1:
    return copyTiled<uint8_t>(space, to, from, threads, isCancelled);
  case 2:
    return copyTiled<uint16_t>(space, to, from, threads, isCancelled);
  case 4:
    return copyTiled<uint32_t>(space, to, from, threads, isCancelled);
  default:
    return copyTiled<uint64_t>(space, to, from, threads, isCancelled);
  }
}

} // namespace

/// Copies a small tensor that is consecutive on both sides, or none; false for
/// any other.
static bool copyRun(const int64_t *extents, int64_t rank, int64_t elementBytes,
                    const CopySide &to, const CopySide &from) {
  // A tensor whose bytes overflow has other strides, or no elements.
  uint64_t bytes = uint64_t(elementBytes), stride = 1;
  for (int64_t axis = rank - 1; axis >= 0; --axis) {
    if (extents[axis] == 1)
      continue;
    if (uint64_t(to.strides[axis]) != stride ||
        uint64_t(from.strides[axis]) != stride)
      return false;
    stride *= uint64_t(extents[axis]);
    bytes *= uint64_t(extents[axis]);
    if (bytes > uint64_t(kBytesPerThread))
      return false;
  }
  // Tensors without elements may have no memory.
  if (bytes != 0)
    memcpy(to.base, from.base, size_t(bytes));
  return true;
}

int32_t broadloom::threadsFor(int32_t threads, int64_t bytes) noexcept {
  if (threads == 1 || bytes < 2 * kBytesPerThread)
    return 1;
  return int32_t(
      std::min<int64_t>(resolveThreads(threads), bytes / kBytesPerThread));
}

bool broadloom::copyStrided(Arena &arena, int32_t threads,
                            const int64_t *extents, int64_t rank,
                            int64_t elementBytes, const CopySide &to,
                            const CopySide &from,
                            const Cancellation &isCancelled) noexcept {
  if (copyRun(extents, rank, elementBytes, to, from))
    return true;
  int64_t count = countElements(extents, rank);
  if (count <= 0)
    return count == 0;
  // An element of another size becomes an additional short axis of supported
  // units.
  int64_t unit = elementBytes % 8 == 0   ? 8
                 : elementBytes % 4 == 0 ? 4
                 : elementBytes % 2 == 0 ? 2
                                         : 1;
  int64_t parts = elementBytes / unit;
  Arena::Mark mark = arena.mark();
  Space space;
  space.rank = 0;
  space.numOperands = 2;
  int64_t *memory = arena.array<int64_t>(3 * (rank + 1));
  if (!memory)
    return false;
  space.pitch = int32_t(rank + 1);
  space.extents = memory;
  space.strides = memory + rank + 1;
  auto append = [&](int64_t extent, int64_t toStride, int64_t fromStride) {
    if (extent == 1)
      return;
    space.extents[space.rank] = extent;
    space.stridesOf(0)[space.rank] = toStride;
    space.stridesOf(1)[space.rank] = fromStride;
    ++space.rank;
  };
  for (int64_t axis = 0; axis < rank; ++axis)
    append(extents[axis], to.strides[axis] * parts, from.strides[axis] * parts);
  append(parts, 1, 1);
  coalesce(space);
  copySpace(space, count * parts, int32_t(unit), to.base, from.base,
            threadsFor(threads, count * elementBytes), isCancelled);
  arena.rewind(mark);
  return true;
}
