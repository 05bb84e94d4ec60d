//===- LoomConstraints.cpp - constraints of a program's own loom ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operations of `loom` that passes make rely on the constraints of the
// operations that they replace. For programs that contain operations of `loom`,
// such as text of `--emit=loom`, this file records the constraints.
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/ConstraintWriter.h"
#include "infer/constraints/UpstreamConstraints.h"

#include "dialect/BroadcastExtents.h"
#include "dialect/LoomFusedReduction.h"
#include "infer/functions/Origin.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// Constrains the results of a fused reduction to their declared types.
static void constrainResults(loom::FusedReductionOp op, ConstraintWriter &w) {
  llvm::DenseMap<Value, loom::RowDependence> dependences =
      loom::getRowDependences(op.getBodyBlock());
  for (auto [result, value] : llvm::zip_equal(
           op.getResults(), op.getBodyBlock().getTerminator()->getOperands())) {
    auto declared = cast<RankedTensorType>(result.getType());
    int64_t rank = declared.getRank();
    for (int64_t axis : llvm::seq(rank))
      if (!declared.isDynamicDim(axis))
        w.constrainResult(
            declared, axis,
            loom::reifyBroadcastExtent(
                w.getBuilder(), w.getLoc(),
                loom::getInputsAlong(op, dependences.lookup(value), axis), rank,
                axis));
  }
}

bool infer::constrainFusedReduction(Operation *op, ConstraintWriter &w) {
  auto fused = dyn_cast<loom::FusedReductionOp>(op);
  if (!fused)
    return false;
  SmallVector<Value> operands;
  for (Value input : fused.getInputs())
    if (isa<ShapedType>(input.getType()))
      operands.push_back(w.getShape(input));
  if (operands.size() > 1)
    loom::ConstrainBroadcastOp::create(w.getBuilder(), w.getLoc(),
                                       getOrigin(op), operands);
  constrainResults(fused, w);
  return true;
}

bool infer::constrainBroadcast(Operation *op, ConstraintWriter &w) {
  auto broadcast = dyn_cast<loom::BroadcastOp>(op);
  if (!broadcast)
    return false;
  if (broadcast.getShapes().size() > 1)
    loom::ConstrainBroadcastOp::create(w.getBuilder(), w.getLoc(),
                                       getOrigin(op), broadcast.getShapes());
  auto type = cast<loom::ShapeType>(broadcast.getShape().getType());
  auto isRanked = [](Value shape) {
    return cast<loom::ShapeType>(shape.getType()).getRanked();
  };
  if (type.getRanked() &&
      (!llvm::all_of(type.getExtents(), ShapedType::isDynamic) ||
       !llvm::all_of(broadcast.getShapes(), isRanked)))
    loom::ConstrainResultOp::create(
        w.getBuilder(), w.getLoc(), getOrigin(op),
        w.broadcast(llvm::to_vector(broadcast.getShapes())),
        RankedTensorType::get(type.getExtents(), w.getBuilder().getI1Type()));
  return true;
}

bool infer::constrainFromExtents(Operation *op, ConstraintWriter &w) {
  auto shape = dyn_cast<loom::FromExtentsOp>(op);
  if (!shape)
    return false;
  auto type = cast<loom::ShapeType>(shape.getShape().getType());
  for (auto [axis, extent] : llvm::enumerate(shape.getExtents())) {
    Index index = w.getIndex(extent);
    w.constrain(w.isNatural(index),
                "axis " + Twine(axis) + " of the shape would have extent {0}",
                {index});
    if (!type.getRanked() || ShapedType::isDynamic(type.getExtents()[axis]))
      continue;
    Index declared = w.get(type.getExtents()[axis]);
    w.constrain(w.equal(index, declared),
                "axis " + Twine(axis) +
                    " of the shape has extent {0} but is declared to have {1}",
                {index, declared});
  }
  return true;
}
