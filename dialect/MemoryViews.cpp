//===- MemoryViews.cpp - memrefs that are views of others -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/MemoryViews.h"

using namespace mlir;
using namespace broadloom;

/// The strides of a memref, each open where the layout is no offset and
/// strides.
static SmallVector<int64_t> getStrides(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    strides.assign(type.getRank(), ShapedType::kDynamic);
  return strides;
}

llvm::SmallBitVector loom::getDroppedAxes(memref::SubViewOp view) {
  SmallVector<OpFoldResult> sizes = view.getMixedSizes();
  ArrayRef<int64_t> steps = view.getStaticStrides();
  MemRefType type = view.getType();
  SmallVector<int64_t> from = getStrides(view.getSourceType()),
                       to = getStrides(type);
  auto mayBe = [&](int64_t axis, int64_t kept) {
    auto isOpen = [](int64_t number) { return ShapedType::isDynamic(number); };
    return isOpen(from[axis]) || isOpen(steps[axis]) || isOpen(to[kept]) ||
           uint64_t(from[axis]) * uint64_t(steps[axis]) == uint64_t(to[kept]);
  };
  // From the innermost axis on, since an axis that is kept is the last that it
  // can be.
  llvm::SmallBitVector dropped(sizes.size());
  int64_t kept = type.getRank();
  for (int64_t axis = sizes.size(); axis-- > 0;) {
    bool mustDrop = kept == 0, mustKeep = axis < kept;
    if (mustDrop ||
        (!mustKeep && getConstantIntValue(sizes[axis]) == 1 &&
         !(type.getDimSize(kept - 1) == 1 && mayBe(axis, kept - 1))))
      dropped.set(axis);
    else
      --kept;
  }
  return dropped;
}
