//===- Slot.h - a result on its way to the caller ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The state of one function result during a call.
//
// Invariant: `memory` is owned here until the caller takes it; if `hasOutput`
// is set, the result goes to the caller's `output`, and after the call `memory`
// is null.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_RUNTIME_CALLS_SLOT_H
#define BROADLOOM_RUNTIME_CALLS_SLOT_H

#include "runtime/calls/Call.h"
#include "runtime/memory/Space.h"

#include <cstddef>
#include <cstring>

namespace broadloom {

/// The range of bytes of a tensor's elements, up to `end`; both null if it has
/// no elements.
struct MemoryRange {
  const char *first = nullptr;
  const char *end = nullptr;

  bool overlaps(const MemoryRange &other) const {
    return first < other.end && other.first < end;
  }
};
MemoryRange memoryRange(const BroadloomTensor &tensor);
MemoryRange memoryRange(const BroadloomView &view, int64_t elementBytes);

} // namespace broadloom

struct BroadloomCall::Slot {
  BroadloomElementType type = BROADLOOM_F32;
  int32_t bytes = 4;
  bool hasOutput = false;
  /// The output is row-major and aligned.
  bool plain = false;
  /// Whether it is plain and shares no memory with an argument: results are
  /// computed in it.
  bool direct = false;
  /// Whether it shares memory with an argument: it is written at the end of the
  /// call.
  bool late = false;
  /// Whether a buffer was allocated for this result: `data`.
  bool made = false;
  /// Whether `data` must be copied to the output at the end.
  bool pending = false;
  /// Whether the function has returned it; after the call: whether it can be
  /// taken.
  bool returned = false;
  bool ready = false;

  /// The elements of an argument in whose memory the result may be; null for
  /// none. Whether the call has taken it.
  const char *inPlace = nullptr;
  bool isInPlace = false;

  char *data = nullptr;
  void *memory = nullptr;
  int64_t memoryBytes = 0;
  /// The first buffer of this result, if another one replaced it.
  void *replaced = nullptr;
  int64_t replacedBytes = 0;
  int64_t rank = 0;
  int64_t extents[BROADLOOM_MAX_RANK];
  BroadloomTensor output;
  broadloom::MemoryRange outputRange;

  void release() {
    if (memory)
      broadloom::freeMemory(memory, memoryBytes);
    if (replaced)
      broadloom::freeMemory(replaced, replacedBytes);
    memory = replaced = nullptr;
  }

  char *outputData() const {
    return static_cast<char *>(output.data) + output.offset * bytes;
  }
};

namespace broadloom {

/// Whether two tensors have the same extents.
inline bool sameExtents(const int64_t *a, int64_t rankA, const int64_t *b,
                        int64_t rankB) {
  // A loop, because a call of memcmp takes longer for so few numbers.
  bool same = rankA == rankB;
  for (int64_t axis = 0; same && axis < rankA; ++axis)
    same = a[axis] == b[axis];
  return same;
}

/// A row-major tensor that owns memory from allocateMemory.
void adoptMemory(void *memory, int64_t memoryBytes, BroadloomElementType type,
                 int32_t rank, const int64_t *extents, BroadloomTensor *out);

/// Copies only the used part of `dims`.
inline void copyTensor(const BroadloomTensor &from, BroadloomTensor &to) {
  memcpy(&to, &from, offsetof(BroadloomTensor, dims) + 16 * size_t(from.rank));
}

/// Whether no two elements of `tensor` share memory. Conservative: compares
/// each stride with the range of all smaller ones.
bool hasDistinctElements(const BroadloomTensor &tensor);

} // namespace broadloom

#endif // BROADLOOM_RUNTIME_CALLS_SLOT_H
