//===- LoomFolds.cpp - folds and canonical forms of loom ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Simplifications that do not depend on extents. No fold drops a shape that may
// matter: an operand that a map does not read still affects the result's
// extents (rt-6).
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace broadloom::loom;

Operation *LoomDialect::materializeConstant(OpBuilder &builder, Attribute value,
                                            Type type, Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

LogicalResult ShapeOfOp::canonicalize(ShapeOfOp op, PatternRewriter &rewriter) {
  auto map = op.getTensor().getDefiningOp<MapOp>();
  if (!map)
    return failure();
  SmallVector<Value> shapes;
  for (Value input : map.getShapedInputs())
    shapes.push_back(ShapeOfOp::create(
        rewriter, op.getLoc(),
        ShapeType::get(op.getContext(), cast<ShapedType>(input.getType())),
        input));
  rewriter.replaceOpWithNewOp<BroadcastOp>(op, op.getShape().getType(), shapes);
  return success();
}

OpFoldResult BroadcastOp::fold(FoldAdaptor) {
  if (getShapes().empty())
    return {};
  Value first = getShapes().front();
  bool same = llvm::all_of(getShapes(), [&](Value v) { return v == first; });
  return same && first.getType() == getType() ? OpFoldResult(first)
                                              : OpFoldResult();
}

OpFoldResult RankOp::fold(FoldAdaptor) {
  auto type = cast<ShapeType>(getShape().getType());
  return type.getRanked() ? IntegerAttr::get(getType(), type.getRank())
                          : OpFoldResult();
}

OpFoldResult ExtentOp::fold(FoldAdaptor) {
  auto type = cast<ShapeType>(getShape().getType());
  if (!type.getRanked())
    return {};
  int64_t axis = getAxis();
  if (axis < 0)
    axis += type.getRank();
  if (axis < 0 || axis >= type.getRank())
    return IntegerAttr::get(getType(), 1);
  int64_t extent = type.getExtents()[axis];
  return ShapedType::isDynamic(extent) ? OpFoldResult()
                                       : IntegerAttr::get(getType(), extent);
}

//===----------------------------------------------------------------------===//
// Constraints, guards, memory
//===----------------------------------------------------------------------===//

template <typename Op>
static LogicalResult eraseIfTrue(Op op, PatternRewriter &rewriter) {
  if (!matchPattern(op.getCondition(), m_One()))
    return failure();
  rewriter.eraseOp(op);
  return success();
}

LogicalResult ConstrainOp::canonicalize(ConstrainOp op,
                                        PatternRewriter &rewriter) {
  return eraseIfTrue(op, rewriter);
}

LogicalResult RequireOp::canonicalize(RequireOp op, PatternRewriter &rewriter) {
  return eraseIfTrue(op, rewriter);
}

OpFoldResult ContiguousOp::fold(FoldAdaptor) {
  auto inner = getSource().getDefiningOp<ContiguousOp>();
  return inner && inner.getType() == getType() ? OpFoldResult(inner.getResult())
                                               : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

/// Replaces a map that returns its only operand by the operand.
static LogicalResult reduceIdentity(MapOp map, PatternRewriter &rewriter) {
  if (map.getNumOperands() != 1 || map.getNumResults() != 1 ||
      map.getOperand(0).getType() != map.getResult(0).getType())
    return failure();
  Block &body = map.getBodyBlock();
  if (body.getTerminator()->getOperand(0) != body.getArgument(0))
    return failure();
  rewriter.replaceOp(map, map.getOperand(0));
  return success();
}

/// Merges operands that are the same value, and drops results without users;
/// one result stays.
static LogicalResult dropRepeats(MapOp map, PatternRewriter &rewriter) {
  llvm::SmallMapVector<Value, SmallVector<unsigned>, 4> uses;
  for (auto [i, input] : llvm::enumerate(map.getInputs()))
    uses[input].push_back(i);
  SmallVector<unsigned> kept;
  for (OpResult result : map.getResults())
    if (!result.use_empty())
      kept.push_back(result.getResultNumber());
  if (kept.empty() && map.getNumResults() > 0)
    kept.push_back(0);
  // `kinds` are indexed by operand.
  if (map.getKinds() || (uses.size() == map.getNumOperands() &&
                         kept.size() == map.getNumResults()))
    return failure();

  SmallVector<Value> inputs;
  SmallVector<Type> types;
  for (auto &[input, indices] : uses)
    inputs.push_back(input);
  for (unsigned result : kept)
    types.push_back(map.getResult(result).getType());
  auto made = MapOp::create(rewriter, map.getLoc(), types, inputs);
  Block *body = rewriter.createBlock(&made.getBody());
  SmallVector<Value> arguments(map.getNumOperands());
  for (auto &[input, indices] : uses) {
    BlockArgument old = map.getBodyBlock().getArgument(indices.front());
    Value argument = body->addArgument(old.getType(), old.getLoc());
    for (unsigned index : indices)
      arguments[index] = argument;
  }
  auto yield = cast<YieldOp>(map.getBodyBlock().getTerminator());
  SmallVector<Value> values;
  for (unsigned result : kept)
    values.push_back(yield.getValues()[result]);
  yield.getValuesMutable().assign(values);
  rewriter.mergeBlocks(&map.getBodyBlock(), body, arguments);
  for (auto [i, result] : llvm::enumerate(kept))
    rewriter.replaceAllUsesWith(map.getResult(result), made.getResult(i));
  rewriter.eraseOp(map);
  return success();
}

LogicalResult MapOp::canonicalize(MapOp op, PatternRewriter &rewriter) {
  if (succeeded(reduceIdentity(op, rewriter)))
    return success();
  return dropRepeats(op, rewriter);
}
