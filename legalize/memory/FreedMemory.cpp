//===- FreedMemory.cpp - memory that is certainly freed before it is used -===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/FreedMemory.h"

#include "dialect/LocationText.h"
#include "dialect/MemoryViews.h"
#include "infer/functions/Origin.h"
#include "shape/Memory.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace broadloom;

LogicalResult legalize::FreedMemory::check(Operation *op) {
  auto func = dyn_cast_or_null<func::FuncOp>(op->getParentOp());
  if (!func || op->getBlock() != &func.getBody().front() ||
      isa<memref::DimOp, memref::RankOp, memref::CastOp,
          memref::ExtractStridedMetadataOp>(op))
    return success();
  for (Value operand : op->getOperands()) {
    if (!isa<BaseMemRefType>(operand.getType()))
      continue;
    Value root = loom::getRoot(operand);
    if (Operation *free = freed.lookup(root)) {
      Operation *made = root.getDefiningOp();
      return op->emitError()
             << "'" << infer::getOrigin(op) << "': "
             << describeFreed(getLocationText(free->getLoc()),
                              made ? made->getName().getStringRef() : "",
                              made ? getLocationText(made->getLoc()) : "");
    }
    if (isa<memref::DeallocOp>(op))
      freed[root] = op;
  }
  return success();
}
