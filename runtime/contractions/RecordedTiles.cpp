//===- RecordedTiles.cpp - kernel calls of a plan -------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/contractions/RecordedTiles.h"

#include <algorithm>

using namespace broadloom;

void RecordedTiles::begin(const Contraction &c) {
  // Of what is laid out or gathered first, tiles alone are not enough.
  bool isAtAddresses = c.threads == 1 && c.bufferElements == 0 &&
                       c.depth() > 0 && c.chunk == c.depth() &&
                       (c.weightSource == WeightSource::Panels ||
                        c.weightSource == WeightSource::Rows);
  count = isAtAddresses ? 0 : kMost + 1;
}

void RecordedTiles::add(const Contraction &c, const BroadloomTile &tile) {
  if (count >= kMost) {
    count = kMost + 1;
    return;
  }
  auto offset = [](const void *address, const char *from) {
    return static_cast<const char *>(address) - from;
  };
  Tile &noted = tiles[count];
  noted.tile = tile;
  noted.image = offset(tile.image, c.image);
  noted.weight = offset(tile.weight, c.weight);
  // Nothing is prefetched of a weight by channel.
  noted.weightAhead =
      tile.weightAhead ? offset(tile.weightAhead, c.weight) : noted.weight;
  noted.tile.bases = reinterpret_cast<void *const *>(bases);
  noted.tile.strides = strides;
  std::copy_n(tile.strides, numTensors, strides);
  for (int32_t i = 0; i < numTensors; ++i)
    offsetsOf(count)[i] = offset(tile.bases[i], c.data[i]);
  ++count;
}

void RecordedTiles::run(const Contraction &c) {
  for (int32_t index = 0; index < count; ++index) {
    Tile &noted = tiles[index];
    noted.tile.image = c.image + noted.image;
    noted.tile.weight = c.weight + noted.weight;
    noted.tile.weightAhead = c.weight + noted.weightAhead;
    const int64_t *own = offsetsOf(index);
    for (int32_t i = 0; i < numTensors; ++i)
      bases[i] = c.data[i] + own[i];
    c.record->kernel(&noted.tile);
  }
}
