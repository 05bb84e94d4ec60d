//===- ContractStructs.h - contractions of compiled code --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of runtime/abi/Structs.h that convolutions and products of matrices
// have for themselves, in C.
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
  /// Of a contraction over channels: `depth` times BroadloomContraction::panel
  /// elements for each tap, one tap after another, 0 beyond `channels`; or,
  /// with another `weightStride`, the rows of a weight as it was given, of any
  /// number of channels. Of one channel by channel: for tap `t` and column `k`
  /// the channels from `weight[t * weightTapStride + k * weightStride]` on.
  const void *weight;
  int64_t rows;
  int64_t rowStride;
  /// Output channels, at least 1; of a contraction over channels in panels at
  /// most a panel.
  int64_t channels;
  int64_t taps;
  int64_t tapStride;
  int64_t weightTapStride;
  /// Consecutive elements of a tap, or, of a contraction channel by channel,
  /// columns of the window, which are `stride` elements apart.
  int64_t depth;
  int64_t stride;
  int64_t weightStride;
  /// Of a sum that is computed in several parts: what is summed so far, a panel
  /// for each row; null for the first part and for the last one.
  const void *sumsBefore;
  void *sumsAfter;
  /// Where the operands of the body, and then the results, are for the first
  /// row and channel, and how many elements on the next row is. The channels of
  /// a row are consecutive, but of an operand whose type says that it has one.
  void *const *bases;
  const int64_t *strides;
} BroadloomTile;

/// Computes the results of a tile. No result overlaps anything else.
typedef void (*BroadloomContractKernel)(const BroadloomTile *tile);

/// What makes a program a contraction (`loom.contract`). Operand 0 is the
/// image, operand 1 the weight; without a window these two have any strides,
/// else they are in row-major order, as all others are.
typedef struct BroadloomContraction {
  BroadloomContractKernel kernel;
  /// Of each axis of the window its stride, its dilation, the padding before
  /// and the padding behind.
  const int64_t *window;
  int32_t windowRank;
  /// 1 where a channel of a sum is made of that channel of the image alone.
  int32_t depthwise;
  /// Output channels of a tile, and rows with which its kernel is fast.
  int32_t panel;
  int32_t tileRows;
  /// Elements of a sum that are side by side for each channel of a panel: 1, or
  /// 4 of 8 bits, each tap filled up with 0. Then the panel begins with a
  /// number of 32 bits for each channel, from which sums begin.
  int32_t together;
  /// 1 where, channel by channel, a sum is of the elements of its window as
  /// they are, or is the largest of them. Of the weight, which has the axes of
  /// the window, the extents alone are read then.
  int32_t pooled;
  /// Null, or the weight is in panels of channels (BroadloomTile) and had these
  /// extents.
  const int64_t *packed;
  /// The element of the image that counts as 0, as its bytes are in memory.
  uint64_t padding;
  /// The operands of the body, as bits from operand 2 on, whose types say that
  /// they have one channel.
  uint64_t ones;
  /// Operations on each sum, beside the products.
  int64_t operations;
} BroadloomContraction;

#ifdef __cplusplus
}
#endif

#endif // BROADLOOM_RUNTIME_ABI_CONTRACTSTRUCTS_H
