//===- RfcBroadcast.cpp - run-time broadcasting by the RFC ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/linalg/RfcBroadcast.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace broadloom::lower;

Value IndexConstants::get(int64_t number) {
  Value &constant = constants[number];
  if (!constant)
    constant = arith::ConstantIndexOp::create(builder, loc, number);
  return constant;
}

static RankedTensorType typeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

Value RfcBroadcast::getExtent(OpBuilder &at, Value tensor, int64_t axis) {
  return tensor::DimOp::create(at, loc, tensor, constants.get(axis));
}

//===----------------------------------------------------------------------===//
// Ranks
//===----------------------------------------------------------------------===//

Value RfcBroadcast::expandRank(Value operand, int64_t rank) {
  RankedTensorType type = typeOf(operand);
  int64_t added = rank - type.getRank();
  if (added == 0)
    return operand;
  SmallVector<int64_t> shape(added, 1);
  llvm::append_range(shape, type.getShape());
  SmallVector<ReassociationIndices> groups;
  SmallVector<OpFoldResult> extents(added, builder.getIndexAttr(1));
  for (int64_t axis : llvm::seq<int64_t>(0, type.getRank())) {
    ReassociationIndices &group = groups.emplace_back();
    if (axis == 0)
      llvm::append_range(group, llvm::seq<int64_t>(0, added));
    group.push_back(added + axis);
    if (type.isDynamicDim(axis))
      extents.push_back(getExtent(builder, operand, axis));
    else
      extents.push_back(builder.getIndexAttr(type.getDimSize(axis)));
  }
  auto expanded = RankedTensorType::get(shape, type.getElementType());
  return tensor::ExpandShapeOp::create(builder, loc, expanded, operand, groups,
                                       extents);
}

void RfcBroadcast::equalizeRanks(MutableArrayRef<Value> operands) {
  int64_t rank = 0;
  for (Value operand : operands)
    rank = std::max(rank, typeOf(operand).getRank());
  for (Value &operand : operands)
    operand = expandRank(operand, rank);
}

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

TargetExtent RfcBroadcast::computeTarget(ArrayRef<Value> operands,
                                         int64_t axis) {
  SmallVector<int64_t> open;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    int64_t extent = typeOf(operand).getDimSize(axis);
    if (ShapedType::isDynamic(extent))
      open.push_back(i);
    else if (extent != 1)
      return {builder.getIndexAttr(extent)};
  }
  if (open.empty())
    return {builder.getIndexAttr(1)};
  Value target = getExtent(builder, operands[open.front()], axis);
  if (open.size() == 1)
    return {target, open.front()};
  for (int64_t i : ArrayRef(open).drop_front()) {
    Value extent = getExtent(builder, operands[i], axis);
    target = arith::MaxUIOp::create(builder, loc, target, extent);
  }
  return {target, -1, /*isMaximum=*/true};
}

SmallVector<TargetExtent>
RfcBroadcast::computeTargets(ArrayRef<Value> operands) {
  SmallVector<TargetExtent> targets;
  for (int64_t axis : llvm::seq<int64_t>(0, typeOf(operands.front()).getRank()))
    targets.push_back(computeTarget(operands, axis));
  return targets;
}

//===----------------------------------------------------------------------===//
// Broadcasting
//===----------------------------------------------------------------------===//

Value RfcBroadcast::copyAlong(OpBuilder &inner, Value operand, int64_t axis,
                              OpFoldResult target) {
  RankedTensorType type = typeOf(operand);
  SmallVector<OpFoldResult> extents;
  SmallVector<AffineExpr> read;
  for (int64_t i : llvm::seq<int64_t>(0, type.getRank())) {
    read.push_back(i == axis ? inner.getAffineConstantExpr(0)
                             : inner.getAffineDimExpr(i));
    if (i == axis)
      extents.push_back(target);
    else if (type.isDynamicDim(i))
      extents.push_back(getExtent(inner, operand, i));
    else
      extents.push_back(inner.getIndexAttr(type.getDimSize(i)));
  }
  Value empty =
      tensor::EmptyOp::create(inner, loc, extents, type.getElementType());
  SmallVector<AffineMap> maps = {
      AffineMap::get(type.getRank(), 0, read, inner.getContext()),
      inner.getMultiDimIdentityMap(type.getRank())};
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      inner, loc, empty.getType(), operand, empty, maps, iterators,
      [](OpBuilder &body, Location loc, ValueRange arguments) {
        linalg::YieldOp::create(body, loc, arguments.front());
      });
  Value copy = generic.getResult(0);
  if (copy.getType() == type)
    return copy;
  return tensor::CastOp::create(inner, loc, type, copy);
}

Value RfcBroadcast::broadcastAxis(Value operand, int64_t axis,
                                  OpFoldResult target) {
  Value one = constants.get(1);
  Value extent = getExtent(builder, operand, axis);
  Value isOne = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                      extent, one);
  // Constants that a branch needs are emitted before it, so that later code can
  // use them.
  for (int64_t other : llvm::seq<int64_t>(0, typeOf(operand).getRank()))
    if (other != axis && typeOf(operand).isDynamicDim(other))
      constants.get(other);
  auto branch = scf::IfOp::create(
      builder, loc, isOne,
      [&](OpBuilder &inner, Location loc) {
        scf::YieldOp::create(inner, loc,
                             copyAlong(inner, operand, axis, target));
      },
      [&](OpBuilder &inner, Location loc) {
        scf::YieldOp::create(inner, loc, operand);
      });
  return branch.getResult(0);
}

void RfcBroadcast::broadcastRunTimeExtents(MutableArrayRef<Value> operands,
                                           ArrayRef<TargetExtent> targets) {
  if (operands.size() < 2)
    return;
  for (auto [i, operand] : llvm::enumerate(operands))
    for (auto [axis, target] : llvm::enumerate(targets))
      if (typeOf(operand).isDynamicDim(axis) && target.owner != int64_t(i))
        operand = broadcastAxis(operand, axis, target.extent);
}
