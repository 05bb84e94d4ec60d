//===- ContractTiles.cpp - how many sums are in registers -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/ContractKernel.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

SmallVector<NarrowTile, 4> codegen::getNarrowTiles(int64_t registers) {
  if (registers == 32)
    return {{6, 4}, {4, 6}, {3, 8}, {2, 8}, {1, 16}};
  return {{4, 2}, {2, 4}, {1, 8}};
}

static SmallVector<ContractTile, 4> getTiles(const VectorUnit &unit,
                                             ContractionKind kind) {
  int64_t lanes = unit.bits / 32;
  if (kind == ContractionKind::Depthwise)
    return {{4, 2, lanes}, {6, 1, lanes}};
  if (unit.registers == 32)
    return {{6, 4, lanes}, {12, 2, lanes}, {8, 3, lanes}, {12, 1, lanes}};
  return {{6, 2, lanes}, {4, 3, lanes}, {6, 1, lanes}};
}

static ContractTile choosePoolTile(const VectorUnit &unit, int64_t channels) {
  constexpr int64_t kMostVectors = 8;
  ContractTile tile{kMostVectors, 1, unit.bits / 32};
  // A partial panel takes as long as a full one.
  while (tile.vectors < kMostVectors && channels % (2 * tile.panel()) == 0)
    tile = {tile.rows / 2, 2 * tile.vectors, tile.lanes};
  return tile;
}

ContractTile codegen::chooseContractTile(const VectorUnit &unit,
                                         int64_t channels,
                                         ContractionKind kind) {
  if (isPool(kind))
    return choosePoolTile(unit, channels);
  SmallVector<ContractTile, 4> tiles = getTiles(unit, kind);
  if (ShapedType::isDynamic(channels))
    return tiles[0];
  // The first form whose panels have the fewest idle lanes.
  return *llvm::min_element(
      tiles, [&](const ContractTile &a, const ContractTile &b) {
        auto padded = [&](const ContractTile &tile) {
          return llvm::alignTo(std::max<int64_t>(channels, 1), tile.panel());
        };
        return padded(a) < padded(b);
      });
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
