//===- SortCall.cpp - sorting for compiled code ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/calls/Call.h"
#include "runtime/calls/Descriptor.h"
#include "runtime/sorting/Sort.h"

using namespace broadloom;

static SortedTensor tensorOf(const BroadloomView &view, int64_t elementBytes) {
  return {elementsOf(view, elementBytes), descriptorOf(view).dims + view.rank};
}

int32_t broadloomSort(BroadloomCall *call, const char *place,
                      int32_t elementType, int32_t axis, int32_t isDescending,
                      const BroadloomView *views) {
  auto type = BroadloomElementType(elementType);
  int64_t bytes = broadloomElementBytes(type);
  const int64_t *extents = descriptorOf(views[0]).dims;
  Sorting sorting{type,
                  int32_t(views[0].rank),
                  axis,
                  isDescending != 0,
                  extents,
                  descriptorOf(views[1]).dims[axis],
                  tensorOf(views[0], bytes),
                  tensorOf(views[1], bytes),
                  tensorOf(views[2], sizeof(int64_t))};
  Arena::Mark mark = call->arena().mark();
  bool sorted = sortAlong(sorting, call->arena(), call->threads());
  call->arena().rewind(mark);
  if (sorted)
    return BROADLOOM_OK;
  call->setPlace(place);
  return call->failMemory();
}
