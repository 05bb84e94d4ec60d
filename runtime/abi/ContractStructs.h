//===- ContractStructs.h - contractions of compiled code --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The structs of runtime/abi/Structs.h for convolutions and products of
// matrices, in C.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_ABI_CONTRACTSTRUCTS_H
#define BROADLOOM_RUNTIME_ABI_CONTRACTSTRUCTS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Rows of sums that a kernel computes for some of the output channels. A row
/// is one position of the result; element `k` of tap `t` of row `r` is that of
/// the image at `image[r * rowStride + t * tapStride + k]`.
typedef struct BroadloomTile {
  const void *image;
  /// For a contraction over channels: `depth` times BroadloomContraction::panel
  /// elements for each tap, one tap after another, any numbers beyond
  /// `channels`; or, with another `weightStride`, the rows of a weight as it
  /// was given, of any number of channels. For one by channel: for tap `t` and
  /// column `k` the channels from
  /// `weight[t * weightTapStride + k * weightStride]` on.
  const void *weight;
  /// With panels: where the steps begin that are read after those of the tile,
  /// as many as it has, or `weight`. They are 2 to the power of `stride` equal
  /// parts, and the tile of the most rows that has number `t` in a call
  /// prefetches part `t` modulo their number; smaller tiles prefetch nothing.
  /// The address is only prefetched, and may lie beyond the weight.
  const void *weightAhead;
  /// One row for a window by channel that reaches beyond its line.
  int64_t rows;
  int64_t rowStride;
  /// The number of output channels, at least 1; with panels, at most a panel.
  int64_t channels;
  int64_t taps;
  int64_t tapStride;
  int64_t weightTapStride;
  /// Consecutive elements of a tap; for a contraction by channel columns of the
  /// window, which are `stride` elements apart. With panels, `stride` is the
  /// logarithm to base 2 of the number of parts of `weightAhead`.
  int64_t depth;
  int64_t stride;
  int64_t weightStride;
  /// For a sum that is computed in several parts, or of which the runtime has
  /// all products (then `depth` is 0): the sums so far, a panel for each row,
  /// or, for one row and a weight as it was given, all channels in whole
  /// vectors; by channel, all channels and the space of a panel for each row.
  /// Null for the first part and for the last one.
  const void *sumsBefore;
  void *sumsAfter;
  /// The addresses of the body's operands, and then of the results, for the
  /// first row and channel, and the distances of rows in elements. The channels
  /// of a row are consecutive, except for an operand that has one channel by
  /// its type.
  void *const *bases;
  const int64_t *strides;
} BroadloomTile;

/// Computes the results of a tile. No result overlaps anything else.
typedef void (*BroadloomContractKernel)(const BroadloomTile *tile);

/// The description of a contraction (`loom.contract`). Operand 0 is the image,
/// operand 1 the weight; without a window these two have any strides, else they
/// are row-major, as all others are.
typedef struct BroadloomContraction {
  BroadloomContractKernel kernel;
  /// For each axis of the window: stride, dilation, padding before and padding
  /// after.
  const int64_t *window;
  int32_t windowRank;
  /// The value of ContractionKind (runtime/abi/ContractionKind.h).
  int32_t kind;
  /// The output channels of a tile, and the number of rows for which its kernel
  /// is fast.
  int32_t panel;
  int32_t tileRows;
  /// The number of consecutive steps of a sum that are stored together for each
  /// channel of a panel: 1, or 4 of 8 bits, with each tap padded with 0. With
  /// 4, the panel begins with a number of 32 bits for each channel, the initial
  /// value of its sums.
  int32_t together;
  /// The size of a sum: 4 or 8.
  int32_t sumBytes;
  /// Whether image, weight and sums are f32 and the kernel fuses each product
  /// with its addition.
  int32_t fusesFloats;
  /// What windows read beyond the ends of the image: of BoundaryKind
  /// (runtime/abi/BoundaryPlace.h), where Constant counts as 0.
  int32_t boundary;
  /// Null, or the extents that the weight had before it was stored in panels
  /// (BroadloomTile).
  const int64_t *packed;
  /// The bytes of the image's element that counts as 0.
  uint64_t padding;
  /// The operands of the body that have one channel by their types, as bits
  /// from operand 2 on.
  uint64_t ones;
  /// The channels of the image and those of the sums are so many equal parts,
  /// and a sum is over the image's channels of its own part; 0 as 1, and no
  /// more without a window or for other kinds than products. A panel has
  /// channels of one part.
  int64_t groups;
  /// Operations on each sum besides the products.
  int64_t operations;
} BroadloomContraction;

#ifdef __cplusplus
}
#endif

#endif // BROADLOOM_RUNTIME_ABI_CONTRACTSTRUCTS_H
