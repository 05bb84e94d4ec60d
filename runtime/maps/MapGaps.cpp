//===- MapGaps.cpp - results with gaps between their rows -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A part of a tensor that ends before its rows do, as the inner part of an
// image does, is computed where it belongs if a row has a strip of elements.
// Else the launch makes memory of its own, and the copy that the program has
// behind it moves the elements.
//
//===----------------------------------------------------------------------===//

#include "runtime/maps/MapLaunch.h"

#include <algorithm>

using namespace broadloom;

/// Describes the result as the destination's elements, if rows can be written
/// there.
bool MapLaunch::takeGaps(BroadloomDescriptor &descriptor, int32_t bytes) {
  const BroadloomDescriptor &into = descriptorOf(*gaps);
  int32_t inner = space.rank - 1;
  if (count <= kMostUnplanned || inner < 1 || gapStrides[inner] != 1 ||
      space.extents[inner] < BROADLOOM_STRIP_MULTIPLE ||
      !std::equal(extents, extents + rank, into.dims))
    return false;
  describeElements(descriptor, *gaps, bytes);
  return true;
}
