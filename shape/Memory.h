//===- Memory.h - what memory can hold --------------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_SHAPE_MEMORY_H
#define BROADLOOM_SHAPE_MEMORY_H

#include <cstdint>
#include <string>
#include <string_view>

namespace broadloom {

/// The limit of the product of a tensor's extents that are not 0 and its
/// element size: no machine has more memory (ext-5).
constexpr int64_t kMaxTensorBytes = int64_t(1) << 56;

/// Whether memory could hold a tensor: its extents are not negative, and the
/// product of those that are not 0 and the element size is within the limit.
/// ext-5
inline bool canExist(const int64_t *extents, int64_t rank,
                     int64_t elementBytes) {
  int64_t bytes = elementBytes;
  bool good = true;
  for (int64_t axis = 0; axis < rank; ++axis) {
    good &= extents[axis] >= 0;
    if (extents[axis] > 1)
      good &= !__builtin_mul_overflow(bytes, extents[axis], &bytes);
  }
  return good && bytes <= kMaxTensorBytes;
}

/// `argument 0 has shape 0x72057594037927937, which no memory can hold`, for
/// the tensor that is called `argument 0`.
inline std::string describeTooLarge(std::string_view tensor,
                                    std::string_view shape) {
  return std::string(tensor) + " has shape " + std::string(shape) +
         ", which no memory can hold";
}

/// ` (k.mlir:7:3)`, or nothing where the place is not known.
inline std::string inBrackets(std::string_view place) {
  return place.empty() ? "" : " (" + std::string(place) + ")";
}

/// `this memory was freed (k.mlir:7:3); it is from 'memref.alloc'
/// (k.mlir:3:8)`. What made the memory may be unknown. mem-6
inline std::string describeFreed(std::string_view freedAt,
                                 std::string_view maker,
                                 std::string_view madeAt) {
  std::string text = "this memory was freed" + inBrackets(freedAt);
  if (!maker.empty())
    text += "; it is from '" + std::string(maker) + "'" + inBrackets(madeAt);
  return text;
}

} // namespace broadloom

#endif // BROADLOOM_SHAPE_MEMORY_H
