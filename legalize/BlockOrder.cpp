//===- BlockOrder.cpp - the order in which blocks are visited -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/BlockOrder.h"

#include "mlir/Analysis/TopologicalSortUtils.h"

using namespace mlir;
using namespace broadloom;

llvm::SmallVector<Block *, 1>
legalize::getBlocksInDominanceOrder(Region &region) {
  // MLIR's traversal requires blocks; most regions have one.
  if (region.empty())
    return {};
  if (region.hasOneBlock())
    return {&region.front()};
  return llvm::to_vector<1>(getBlocksSortedByDominance(region));
}
