//===- MemoryArguments.cpp - the caller's memory, as its type says --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/MemoryArguments.h"

#include "runtime/calls/Descriptor.h"
#include "shape/Memory.h"

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

/// The bytes that an argument reaches, counted from its first element, and
/// whether its axes are as its type says.
struct Bytes {
  bool hasStrides = true;
  /// Whether all elements lie as near to each other as those of some memory.
  bool isReachable = true;
  bool isEmpty = false;
  int64_t low = 0;
  int64_t end = 0;
};

/// Takes the axes of row-major memory. Strides of axes of extent 1, and of
/// empty memory, do not count (isRowMajor).
Bytes takeRowMajor(BroadloomDescriptor &to, const BroadloomDescriptor &from,
                   int64_t rank, int64_t elementBytes) {
  const int64_t *extents = from.dims, *strides = from.dims + rank;
  Bytes found;
  // Each call passes here: all is done in one loop.
  int64_t stride = 1;
  for (int64_t axis = rank - 1; axis >= 0; --axis) {
    int64_t extent = extents[axis];
    to.dims[axis] = extent;
    to.dims[rank + axis] = stride;
    found.hasStrides &= (strides[axis] == stride) | (extent == 1);
    found.isEmpty |= extent == 0;
    // Saturating, as in rowMajorStrides. Memory with elements fits.
    if (__builtin_mul_overflow(stride, extent, &stride))
      stride = INT64_MAX;
  }
  found.hasStrides |= found.isEmpty;
  found.end = found.isEmpty ? 0 : stride * elementBytes;
  return found;
}

/// The same of memory with the strides of its type, some of which may be open.
Bytes takeStrided(BroadloomDescriptor &to, const BroadloomDescriptor &from,
                  int64_t rank, const Layout &layout) {
  const int64_t *extents = from.dims, *strides = from.dims + rank;
  Bytes found;
  int64_t high = 0, reach = layout.elementBytes;
  for (int64_t axis = 0; axis < rank; ++axis) {
    int64_t extent = extents[axis], stride = strides[axis], along;
    bool isOpen = layout.strides[axis] == BROADLOOM_ANY_STRIDE;
    to.dims[axis] = extent;
    to.dims[rank + axis] = isOpen ? stride : layout.strides[axis];
    found.hasStrides &=
        isOpen | (layout.strides[axis] == stride) | (extent == 1);
    found.isEmpty |= extent == 0;
    // Behind the first overflow, no sum is used.
    if (!found.isReachable ||
        __builtin_mul_overflow(extent - 1, stride, &along) ||
        __builtin_mul_overflow(along, layout.elementBytes, &along) ||
        along == INT64_MIN ||
        __builtin_add_overflow(reach, std::abs(along), &reach)) {
      found.isReachable = false;
      continue;
    }
    (along < 0 ? found.low : high) += along;
  }
  found.isReachable &= reach <= kMaxTensorBytes;
  found.end = found.isReachable ? high + layout.elementBytes : 0;
  if (found.isEmpty) {
    found.hasStrides = found.isReachable = true;
    found.low = found.end = 0;
  }
  return found;
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

/// Describes argument `index` as compiled code takes it, and the block that it
/// is in: the caller's memory is live and never freed by a function. It reaches
/// as far as its elements; without elements, it ends where it begins.
int32_t describe(BroadloomCall &call, int32_t index, const BroadloomView &view,
                 const Layout &layout, BroadloomDescriptor &to,
                 BroadloomBlock &block) {
  const BroadloomDescriptor &from = descriptorOf(view);
  Bytes found = layout.kind == BROADLOOM_LAYOUT_ROW_MAJOR
                    ? takeRowMajor(to, from, view.rank, layout.elementBytes)
                    : takeStrided(to, from, view.rank, layout);
  if (!found.hasStrides)
    return failLayout(call, index, from, view.rank, layout);
  if (!found.isReachable)
    return failReach(call, index, from, view.rank);
  char *elements = elementsOf(view, layout.elementBytes);
  to.allocated = &block;
  to.offset = layout.offset == BROADLOOM_ANY_STRIDE ? 0 : layout.offset;
  // Compiled code adds the offset of the type to this address.
  to.aligned = elements - to.offset * layout.elementBytes;
  block = {0,
           BROADLOOM_OWNED_BY_CALLER,
           elements + found.low,
           elements + found.end,
           nullptr,
           nullptr,
           nullptr};
  return BROADLOOM_OK;
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
    Layout layout = Layout::take(layouts, args[i].rank);
    views[i] = args[i];
    if (layout.kind == BROADLOOM_LAYOUT_NONE)
      continue;
    auto &to = *reinterpret_cast<BroadloomDescriptor *>(next);
    if (int32_t status = describe(call, i, args[i], layout, to, blocks[i]))
      return status;
    views[i].descriptor = &to;
    next += descriptorBytes(args[i].rank);
  }
  args = views;
  return BROADLOOM_OK;
}
