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

bool MemoryAccess::isAtomic(Operation *op) {
  return isa<memref::AtomicRMWOp, memref::GenericAtomicRMWOp>(op);
}

bool MemoryAccess::isWrite(Operation *op) {
  return isa<affine::AffineStoreOp, memref::StoreOp>(op);
}

/// Of an operation of `memref`.
template <typename Op> static MemoryAccess getOf(Op op) {
  return {op.getMemref(),
          AffineMap::getMultiDimIdentityMap(op.getIndices().size(),
                                            op.getContext()),
          op.getIndices()};
}

MemoryAccess MemoryAccess::get(Operation *op) {
  if (auto load = dyn_cast<affine::AffineLoadOp>(op))
    return {load.getMemRef(), load.getAffineMap(), load.getMapOperands()};
  if (auto store = dyn_cast<affine::AffineStoreOp>(op))
    return {store.getMemRef(), store.getAffineMap(), store.getMapOperands()};
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return getOf(load);
  if (auto atomic = dyn_cast<memref::AtomicRMWOp>(op))
    return getOf(atomic);
  if (auto atomic = dyn_cast<memref::GenericAtomicRMWOp>(op))
    return getOf(atomic);
  return getOf(cast<memref::StoreOp>(op));
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
