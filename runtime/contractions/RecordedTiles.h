//===- RecordedTiles.h - kernel calls of a plan -----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A small contraction is a few calls of its kernel, which the next launch with
// the same plan repeats at its own addresses.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CONTRACTIONS_RECORDEDTILES_H
#define BROADLOOM_RUNTIME_CONTRACTIONS_RECORDEDTILES_H

#include "runtime/contractions/Contraction.h"
#include "runtime/memory/ArrayLayout.h"

namespace broadloom {

class RecordedTiles {
public:
  static constexpr int32_t kMost = 4;

  /// Takes the arrays for contractions with so many tensors.
  void place(ArrayLayout &layout, int32_t tensors) {
    numTensors = tensors;
    bases = layout.take<char *>(tensors);
    strides = layout.take<int64_t>(tensors);
    offsets = layout.take<int64_t>(int64_t(kMost) * tensors);
  }

  /// Begins to record the tiles of a contraction that one thread computes.
  void begin(const Contraction &c);

  /// Notes a tile for which the kernel is called.
  void add(const Contraction &c, const BroadloomTile &tile);

  /// Whether all tiles were noted: there are few, and all that they read and
  /// write is at addresses of `c`.
  bool areComplete() const { return count > 0 && count <= kMost; }

  /// Calls the kernel for these tiles, at the addresses of `c`.
  void run(const Contraction &c);

private:
  /// The offsets of tensors for tile `index`, in bytes.
  int64_t *offsetsOf(int32_t index) { return offsets + index * numTensors; }

  int32_t count;
  int32_t numTensors;
  char **bases;
  int64_t *strides;
  int64_t *offsets;
  struct Tile {
    BroadloomTile tile;
    int64_t image, weight, weightAhead;
  };
  Tile tiles[kMost];
};

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CONTRACTIONS_RECORDEDTILES_H
