//===- ContractTiles.cpp - how many sums are in registers -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/ContractKernel.h"

#include <algorithm>
#include <iterator>

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

SmallVector<NarrowTile, 4> codegen::getNarrowTiles(int64_t registers) {
  if (registers == 32)
    return {{6, 4}, {4, 6}, {3, 8}, {2, 8}, {1, 16}};
  return {{4, 2}, {2, 4}, {1, 8}};
}

/// The lanes of a vector: half of AVX-512's where a row has few channels, and
/// would be loaded and stored with masks, across lines of the cache. Channel by
/// channel, where image and weight are such rows too, 24 channels of 32 bits
/// are three halves.
static int64_t getLanes(const VectorUnit &unit, Type sum, int64_t channels,
                        ContractionKind kind) {
  constexpr int64_t kHalfBits = 256;
  int64_t bits = sum.getIntOrFloatBitWidth(), half = kHalfBits / bits;
  int64_t lanes = unit.bits / bits;
  bool isHalf =
      !ShapedType::isDynamic(channels) &&
      (channels <= half || (isByChannel(kind) && channels == lanes + half));
  return isHalf ? std::min(lanes, half) : lanes;
}

static SmallVector<ContractTile, 4>
getTiles(const VectorUnit &unit, int64_t lanes, ContractionKind kind) {
  if (kind == ContractionKind::Depthwise)
    return {{4, 2, lanes}, {6, 1, lanes}};
  if (unit.registers == 32)
    return {{6, 4, lanes}, {12, 2, lanes}, {8, 3, lanes}, {12, 1, lanes}};
  return {{6, 2, lanes}, {4, 3, lanes}, {12, 1, lanes}};
}

/// The time of a step of all channels, in hundredths of a vector's in a large
/// tile, and 1 for each vector of a panel that has no channels: of two forms
/// that compute the same, the narrower reads less.
static int64_t getCost(const VectorUnit &unit, const ContractTile &tile,
                       int64_t channels, ContractionKind kind) {
  constexpr int64_t kMost = int64_t(1) << 40;
  int64_t all = std::min<int64_t>(
      kMost, llvm::divideCeil(std::max<int64_t>(channels, 1), tile.lanes));
  int64_t rest = all % tile.vectors;
  int64_t idle = rest ? tile.vectors - rest : 0;
  // With sums of each channel, the last panel computes all its vectors.
  if (isByChannel(kind))
    return 100 * (all + idle);
  // A panel of few vectors loads more of the image for each product.
  constexpr int64_t kVectors[] = {0, 130, 210, 303, 400},
                    kVectorsOf16[] = {0, 145, 205, 312};
  const int64_t *cost = unit.registers == 32 ? kVectors : kVectorsOf16;
  return all / tile.vectors * cost[tile.vectors] + cost[rest] + idle;
}

static ContractTile choosePoolTile(int64_t lanes, int64_t channels) {
  constexpr int64_t kMostVectors = 8;
  ContractTile tile{kMostVectors, 1, lanes};
  // A partial panel takes as long as a full one.
  while (tile.vectors < kMostVectors && channels % (2 * tile.panel()) == 0)
    tile = {tile.rows / 2, 2 * tile.vectors, tile.lanes};
  return tile;
}

ContractTile codegen::chooseContractTile(const VectorUnit &unit, Type sum,
                                         int64_t channels,
                                         ContractionKind kind) {
  int64_t lanes = getLanes(unit, sum, channels, kind);
  if (isPool(kind))
    return choosePoolTile(lanes, channels);
  SmallVector<ContractTile, 4> tiles = getTiles(unit, lanes, kind);
  if (ShapedType::isDynamic(channels))
    return tiles[0];
  // The first of the fastest forms.
  return *llvm::min_element(tiles, [&](const ContractTile &a,
                                       const ContractTile &b) {
    return getCost(unit, a, channels, kind) < getCost(unit, b, channels, kind);
  });
}

SmallVector<TileForm, 4> codegen::getTileForms(const ContractShape &shape) {
  const ContractTile &tile = shape.tile;
  int64_t channels = shape.channels;
  SmallVector<TileForm, 4> forms;
  bool isKnown = !ShapedType::isDynamic(channels);
  if (!isKnown || channels >= tile.panel())
    forms.push_back({tile.vectors, false});
  if (!isKnown)
    for (int64_t vectors = tile.vectors; vectors > 0; --vectors)
      forms.push_back({vectors, true});
  else if (int64_t rest = channels % tile.panel()) {
    bool isMasked = rest % tile.lanes != 0;
    forms.push_back({int64_t(llvm::divideCeil(rest, tile.lanes)), isMasked,
                     isMasked && !shape.masks ? rest : 0});
  }
  if (forms.empty())
    forms.push_back({tile.vectors, false});
  return forms;
}

/// The time in which tiles of `sizes`, the largest first, compute `rows` rows
/// of `vectors` vectors: that of one step, in vectors of sums. A tile takes the
/// time of eight of them at least: two units begin eight additions in the four
/// cycles until the sum of the last step is there.
static int64_t getTime(ArrayRef<int64_t> sizes, int64_t rows, int64_t vectors) {
  constexpr int64_t kLeastSums = 8;
  int64_t time = 0;
  for (int64_t size : sizes) {
    time += rows / size * std::max(kLeastSums, size * vectors);
    rows %= size;
  }
  return time;
}

RowTiles codegen::getRowTiles(const ContractTile &tile, int64_t vectors,
                              int64_t registers) {
  // A partial panel leaves registers for more rows.
  constexpr int64_t kMostRows = 12;
  int64_t most = tile.rows * tile.vectors / vectors;
  if (vectors != tile.vectors)
    most = std::min(most, std::max(kMostRows, tile.rows));
  RowTiles tiles;
  tiles.sizes = {most};
  // The large tiles of 16 registers have few rows, of which more are left. A
  // tile of one vector and three rows would wait as long as one of four.
  if (registers == 32)
    llvm::copy_if(ArrayRef<int64_t>{4, 2, 1}, std::back_inserter(tiles.sizes),
                  [&](int64_t size) { return 2 * size <= most; });
  else
    llvm::copy_if(ArrayRef<int64_t>{8, 4, 3, 2, 1},
                  std::back_inserter(tiles.sizes), [&](int64_t size) {
                    return size < most && (size != 3 || vectors > 1);
                  });
  for (int64_t rest = 1; rest < most; ++rest)
    if (ArrayRef<int64_t> all = tiles.sizes;
        getTime(all.drop_front(), most + rest, vectors) <
        getTime(all, most + rest, vectors))
      tiles.leaves |= int64_t(1) << rest;
  return tiles;
}

int64_t codegen::chooseTogether(const VectorUnit &unit, Type sum, Type image,
                                Type weight, ContractionKind kind,
                                int64_t weightZero) {
  bool areBytes =
      sum.isInteger(32) && image.isInteger(8) && weight.isInteger(8);
  return unit.dotProduct && areBytes && !isByChannel(kind) && weightZero == 0
             ? 4
             : 1;
}
