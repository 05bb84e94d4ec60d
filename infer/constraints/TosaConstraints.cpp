//===- TosaConstraints.cpp - constraints of other TOSA --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/TosaConstraints.h"

#include "infer/constraints/ConstraintWriter.h"
#include "infer/constraints/IndexConstraints.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

void infer::constrainTosaIndices(Operation *op, ShapeValues &shapes) {
  if (!isa<tosa::GatherOp, tosa::ScatterOp>(op))
    return;
  // For operands without a rank, the shape function rejects or guards the
  // operation.
  Value values = op->getOperand(0), indices = op->getOperand(1);
  constexpr int64_t axis = 1;
  auto type = dyn_cast<RankedTensorType>(values.getType());
  if (!type || axis >= type.getRank() ||
      !isa<RankedTensorType>(indices.getType()))
    return;
  ConstraintWriter writer(op, shapes, /*all=*/false);
  constrainIndices(writer.getBuilder(), op, indices,
                   writer.materialise(writer.getExtent(values, axis)));
}
