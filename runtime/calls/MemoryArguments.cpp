//===- MemoryArguments.cpp - the caller's memory, as its type says --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/MemoryArguments.h"

#include "runtime/calls/Descriptor.h"
#include "runtime/calls/Slot.h"
#include "shape/Memory.h"

#include <algorithm>
#include <cstdlib>

using namespace broadloom;

namespace {

/// What the type of one argument says of its layout.
struct Layout {
  int64_t kind;
  int64_t elementBytes = 0;
  int64_t offset = 0;
  const int64_t *strides = nullptr;

  /// Takes the layout of an argument of `rank` axes.
  static Layout take(const int64_t *&numbers, int64_t rank) {
    Layout layout{*numbers++};
    if (layout.kind == BROADLOOM_LAYOUT_NONE)
      return layout;
    layout.elementBytes = *numbers++;
    if (layout.kind == BROADLOOM_LAYOUT_ROW_MAJOR)
      return layout;
    layout.offset = *numbers++;
    layout.strides = numbers;
    numbers += rank;
    return layout;
  }
};

/// The caller's memory is live and never freed by a function. It reaches as far
/// as its elements; without elements, it ends where it begins.
BroadloomBlock makeBlock(const BroadloomView &view, int64_t elementBytes) {
  auto [first, end] = memoryRange(view, elementBytes);
  if (!first)
    first = end = elementsOf(view, elementBytes);
  return {0,
          BROADLOOM_OWNED_BY_CALLER,
          const_cast<char *>(first),
          const_cast<char *>(end),
          nullptr,
          nullptr,
          nullptr};
}

/// Strides of axes of extent 1, and of empty memory, do not count.
bool hasStrides(const BroadloomDescriptor &from, int64_t rank,
                const Layout &layout) {
  const int64_t *extents = from.dims, *strides = from.dims + rank;
  if (layout.kind == BROADLOOM_LAYOUT_ROW_MAJOR)
    return isRowMajor(extents, strides, rank);
  if (std::find(extents, extents + rank, 0) != extents + rank)
    return true;
  for (int64_t axis = 0; axis < rank; ++axis)
    if (extents[axis] != 1 && layout.strides[axis] != BROADLOOM_ANY_STRIDE &&
        layout.strides[axis] != strides[axis])
      return false;
  return true;
}

/// Whether all elements lie as near to each other as those of some memory.
bool isReachable(const BroadloomDescriptor &from, int64_t rank,
                 const Layout &layout) {
  const int64_t *extents = from.dims, *strides = from.dims + rank;
  if (layout.kind == BROADLOOM_LAYOUT_ROW_MAJOR ||
      std::find(extents, extents + rank, 0) != extents + rank)
    return true;
  int64_t reach = layout.elementBytes;
  for (int64_t axis = 0; axis < rank; ++axis) {
    int64_t along;
    if (__builtin_mul_overflow(extents[axis] - 1, strides[axis], &along) ||
        __builtin_mul_overflow(along, layout.elementBytes, &along) ||
        along == INT64_MIN ||
        __builtin_add_overflow(reach, std::abs(along), &reach))
      return false;
  }
  return reach <= kMaxTensorBytes;
}

std::string spellStrides(const int64_t *strides, int64_t rank) {
  std::string text = "[";
  for (int64_t axis = 0; axis < rank; ++axis)
    text += (axis ? ", " : "") + (strides[axis] == BROADLOOM_ANY_STRIDE
                                      ? std::string("?")
                                      : std::to_string(strides[axis]));
  return text + "]";
}

int32_t failReach(BroadloomCall &call, int32_t index,
                  const BroadloomDescriptor &from, int64_t rank) {
  return call.fail(BROADLOOM_INVALID_ARGUMENT, [&] {
    return call.argumentText(index) + " has shape " +
           formatExtents(from.dims, rank) + " and strides " +
           spellStrides(from.dims + rank, rank) +
           ", which reach further than any memory";
  });
}

int32_t failLayout(BroadloomCall &call, int32_t index,
                   const BroadloomDescriptor &from, int64_t rank,
                   const Layout &layout) {
  return call.fail(BROADLOOM_INVALID_ARGUMENT, [&] {
    std::string text = call.argumentText(index) + " has strides " +
                       spellStrides(from.dims + rank, rank) + ", ";
    if (layout.kind == BROADLOOM_LAYOUT_STRIDED)
      return text + "but its type has " + spellStrides(layout.strides, rank);
    return text + "but its type is row-major; give contiguous memory, or give "
                  "the argument a type with 'strided' and open strides";
  });
}

void describe(BroadloomDescriptor &to, const BroadloomDescriptor &from,
              int64_t rank, const Layout &layout) {
  const int64_t *extents = from.dims, *strides = from.dims + rank;
  to.offset = layout.offset == BROADLOOM_ANY_STRIDE ? 0 : layout.offset;
  // Compiled code adds the offset of the type to this address.
  to.aligned = static_cast<char *>(from.aligned) +
               (from.offset - to.offset) * layout.elementBytes;
  std::copy(extents, extents + rank, to.dims);
  std::copy(strides, strides + rank, to.dims + rank);
  if (layout.kind == BROADLOOM_LAYOUT_ROW_MAJOR)
    rowMajorStrides(extents, rank, to.dims + rank);
  else
    for (int64_t axis = 0; axis < rank; ++axis)
      if (layout.strides[axis] != BROADLOOM_ANY_STRIDE)
        to.dims[rank + axis] = layout.strides[axis];
}

} // namespace

int32_t broadloom::describeMemory(BroadloomCall &call,
                                  const BroadloomSignature &signature,
                                  const BroadloomView *&args, Tables &tables) {
  int64_t count = signature.numArguments;
  int64_t viewBytes = int64_t(sizeof(BroadloomView)) * count;
  int64_t bytes = viewBytes + int64_t(sizeof(BroadloomBlock)) * count;
  for (int32_t i = 0; i < count; ++i)
    bytes += descriptorBytes(args[i].rank);
  char *memory = tables.allocate(bytes);
  if (!memory)
    return call.failMemory();
  auto *views = reinterpret_cast<BroadloomView *>(memory);
  auto *blocks = reinterpret_cast<BroadloomBlock *>(views + count);
  char *next = reinterpret_cast<char *>(blocks + count);
  const int64_t *layouts = signature.layouts;
  for (int32_t i = 0; i < count; ++i) {
    int64_t rank = args[i].rank;
    const BroadloomDescriptor &from = descriptorOf(args[i]);
    Layout layout = Layout::take(layouts, rank);
    views[i] = args[i];
    if (layout.kind == BROADLOOM_LAYOUT_NONE)
      continue;
    if (!hasStrides(from, rank, layout))
      return failLayout(call, i, from, rank, layout);
    if (!isReachable(from, rank, layout))
      return failReach(call, i, from, rank);
    auto *to = reinterpret_cast<BroadloomDescriptor *>(next);
    describe(*to, from, rank, layout);
    blocks[i] = makeBlock(args[i], layout.elementBytes);
    to->allocated = &blocks[i];
    views[i].descriptor = to;
    next += descriptorBytes(rank);
  }
  args = views;
  return BROADLOOM_OK;
}
