//===- MemoryAccess.cpp - what a load or a store accesses -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/MemoryAccess.h"

#include "infer/functions/Origin.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

bool MemoryAccess::isAccess(Operation *op) {
  return isa<affine::AffineLoadOp, affine::AffineStoreOp, memref::LoadOp,
             memref::StoreOp>(op);
}

bool MemoryAccess::isWrite(Operation *op) {
  return isa<affine::AffineStoreOp, memref::StoreOp>(op);
}

static AffineMap getIdentity(Operation *op, ValueRange indices) {
  return AffineMap::getMultiDimIdentityMap(indices.size(), op->getContext());
}

MemoryAccess MemoryAccess::get(Operation *op) {
  if (auto load = dyn_cast<affine::AffineLoadOp>(op))
    return {load.getMemRef(), load.getAffineMap(), load.getMapOperands()};
  if (auto store = dyn_cast<affine::AffineStoreOp>(op))
    return {store.getMemRef(), store.getAffineMap(), store.getMapOperands()};
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return {load.getMemRef(), getIdentity(op, load.getIndices()),
            load.getIndices()};
  auto store = cast<memref::StoreOp>(op);
  return {store.getMemRef(), getIdentity(op, store.getIndices()),
          store.getIndices()};
}

SmallVector<Value> MemoryAccess::getOperandsOf(ArrayRef<unsigned> axes) const {
  AffineMap used = axes.empty() ? map : map.getSubMap(axes);
  SmallVector<Value> found;
  for (auto [i, operand] : llvm::enumerate(operands))
    if (isUsed(used, i))
      found.push_back(operand);
  return found;
}

bool legalize::isUsed(AffineMap map, unsigned operand) {
  unsigned numDims = map.getNumDims();
  return operand < numDims ? map.isFunctionOfDim(operand)
                           : map.isFunctionOfSymbol(operand - numDims);
}

Value legalize::computeResult(OpBuilder &builder, Operation *op, AffineMap map,
                              unsigned result, ValueRange operands) {
  AffineExpr index = map.getResult(result);
  if (auto constant = dyn_cast<AffineConstantExpr>(index))
    return arith::ConstantIndexOp::create(builder, op->getLoc(),
                                          constant.getValue());
  if (auto dim = dyn_cast<AffineDimExpr>(index))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(index))
    return operands[map.getNumDims() + symbol.getPosition()];
  auto apply = affine::AffineApplyOp::create(builder, op->getLoc(),
                                             map.getSubMap({result}), operands);
  infer::takeOrigin(apply, op);
  return apply;
}

SmallVector<Value> legalize::computeResults(OpBuilder &builder, Operation *op,
                                            AffineMap map,
                                            ValueRange operands) {
  return llvm::map_to_vector(
      llvm::seq<unsigned>(map.getNumResults()), [&](unsigned result) {
        return computeResult(builder, op, map, result, operands);
      });
}
