//===- ContractionKind.h - what a contraction sums --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One description for `loom.contract`, its kernels and the runtime
// (BroadloomContraction::kind).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_ABI_CONTRACTIONKIND_H
#define BROADLOOM_RUNTIME_ABI_CONTRACTIONKIND_H

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

namespace broadloom {

enum class ContractionKind : int32_t {
  /// Each sum is over the window and all channels of the image.
  Products,
  /// Channel `c` of a sum is made of channel `c` of the image and the weight.
  Depthwise,
  /// The sum of a window's elements in each channel, without a weight.
  SumPool,
  /// The maximum of these elements.
  MaxPool,
};

/// In the order of ContractionKind: the words in the IR.
inline constexpr const char *kContractionKindNames[] = {"products", "depthwise",
                                                        "sum_pool", "max_pool"};

constexpr const char *getKindName(ContractionKind kind) {
  return kContractionKindNames[int32_t(kind)];
}

/// Nothing if no kind has the name.
constexpr std::optional<ContractionKind>
findContractionKind(std::string_view name) {
  for (size_t i = 0; i < std::size(kContractionKindNames); ++i)
    if (name == kContractionKindNames[i])
      return ContractionKind(i);
  return std::nullopt;
}

/// Whether the elements of a window are taken without a weight, of which only
/// the extents are read: those of the window.
constexpr bool isPool(ContractionKind kind) {
  return kind == ContractionKind::SumPool || kind == ContractionKind::MaxPool;
}

/// Whether channel `c` of a sum is made of channel `c` of the image alone.
constexpr bool isByChannel(ContractionKind kind) {
  return kind != ContractionKind::Products;
}

/// The axes of the weight behind those of the window.
constexpr int64_t getNumChannelAxes(ContractionKind kind) {
  return isPool(kind) ? 0 : isByChannel(kind) ? 1 : 2;
}

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_ABI_CONTRACTIONKIND_H
