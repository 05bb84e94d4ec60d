//===- Bodies.cpp - guards in bodies that run at each index ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A body that runs at each index of an iteration space may have guards. A shape
// query checks these at each index too, in loops over the same space.
//
//===----------------------------------------------------------------------===//

#include "infer/queries/Translator.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

bool Translator::hasGuards(Block &body) {
  return body
      .walk([](Operation *op) {
        return isa<loom::RequireOp, loom::RequireBroadcastOp,
                   loom::RequireFunctionOp, func::CallOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool Translator::mayTranslateBody(Block &body) {
  return depth < kMaxDepth && certain && hasGuards(body);
}

void Translator::translateAtEach(Location loc, ArrayRef<Range> space,
                                 Block &body,
                                 function_ref<void(ValueRange)> setIndices) {
  if (llvm::any_of(space, [](const Range &range) {
        return !range.lower || !range.upper || !range.step;
      }))
    return;
  llvm::SaveAndRestore level(depth, depth + 1);
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Value> indices;
  for (const Range &range : space) {
    auto loop =
        scf::ForOp::create(b, loc, range.lower, range.upper, range.step);
    indices.push_back(loop.getInductionVar());
    b.setInsertionPointToStart(loop.getBody());
  }
  setIndices(indices);
  translate(body);
}

Translator::Range Translator::getWholeRange(Location loc,
                                            const BoundedExtent &extent) {
  return {emitter.getConstant(loc, 0), extent.isExact ? extent.value : Value(),
          emitter.getConstant(loc, 1)};
}

void Translator::setScalars(ValueRange values, ValueRange mapped) {
  for (auto [value, of] : llvm::zip_equal(values, mapped))
    setScalar(value, of);
}

/// The body of `op` runs for each element of the result.
void Translator::translateElements(Operation *op) {
  reify(cast<ReifyRankedShapedTypeOpInterface>(op));
  Block &body = op->getRegion(0).front();
  if (!mayTranslateBody(body))
    return;
  SmallVector<Range> space;
  for (const BoundedExtent &extent : getBoundedShape(op->getResult(0)).extents)
    space.push_back(getWholeRange(op->getLoc(), extent));
  translateAtEach(op->getLoc(), space, body, [&](ValueRange indices) {
    setScalars(body.getArguments(), indices);
  });
}

/// The result has the shape of the destination. A loop has the extent of an
/// operand's axis that it iterates over.
void Translator::translate(linalg::LinalgOp op) {
  for (OpResult result : op->getResults())
    setBoundedShape(result,
                    getBoundedShape(op.getTiedOpOperand(result)->get()));
  Block &body = op->getRegion(0).front();
  if (!mayTranslateBody(body))
    return;
  SmallVector<BoundedExtent> extents;
  for (Value operand : op->getOperands())
    if (isa<TensorType>(operand.getType()))
      llvm::append_range(extents, getBoundedShape(operand).extents);
  SmallVector<Range> space;
  for (AffineExpr loop : op.getShapesToLoopsMap().getResults()) {
    auto axis = dyn_cast<AffineDimExpr>(loop);
    if (!axis || axis.getPosition() >= extents.size())
      return;
    space.push_back(getWholeRange(op.getLoc(), extents[axis.getPosition()]));
  }
  translateAtEach(op.getLoc(), space, body, [&](ValueRange indices) {
    body.walk([&](linalg::IndexOp index) {
      if (index->getParentOp() == op)
        indexOf[index] = indices[index.getDim()];
    });
  });
}

void Translator::translate(linalg::IndexOp op) {
  if (Value index = indexOf.lookup(op))
    setScalar(op.getResult(), index);
}

/// Each iteration writes into the shared tensors.
void Translator::translate(scf::ForallOp op) {
  for (auto [shared, argument, result] : llvm::zip_equal(
           op.getOutputs(), op.getRegionIterArgs(), op.getResults()))
    for (Value value : {Value(argument), Value(result)})
      setBoundedShape(value, getBoundedShape(shared));
  Block &body = *op.getBody();
  if (!mayTranslateBody(body))
    return;
  auto get = [&](OpFoldResult bound) { return getExtent(bound); };
  SmallVector<Range> space;
  for (auto [lower, upper, step] :
       llvm::zip_equal(op.getMixedLowerBound(), op.getMixedUpperBound(),
                       op.getMixedStep())) {
    BoundedExtent from = get(lower), to = get(upper), by = get(step);
    bool isExact = from.isExact && to.isExact && by.isExact;
    space.push_back({from.value, isExact ? to.value : Value(), by.value});
  }
  translateAtEach(op.getLoc(), space, body, [&](ValueRange indices) {
    setScalars(op.getInductionVars(), indices);
  });
}
