//===- UpstreamDefects.cpp - what upstream's verifiers miss ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "import/structure/UpstreamDefects.h"

#include "import/structure/TosaRules.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

/// Upstream's verifier reads the axis of a negative number.
static LogicalResult check(tensor::ConcatOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  auto axis = static_cast<int64_t>(op.getDim());
  if (type && axis >= 0 && axis < type.getRank())
    return success();
  return op.emitOpError("concatenates along axis ")
         << axis << ", but its result is of type " << op.getType();
}

/// Upstream's verifier cuts indices to 32 bits.
static LogicalResult checkGroups(Operation *op, ArrayAttr groups, Type type) {
  auto expanded = dyn_cast<RankedTensorType>(type);
  for (Attribute group : groups)
    for (Attribute index : cast<ArrayAttr>(group)) {
      int64_t axis = cast<IntegerAttr>(index).getInt();
      if (!expanded || axis < 0 || axis >= expanded.getRank())
        return op->emitOpError("groups axis ")
               << axis << " of type " << type << ", which has no such axis";
    }
  return success();
}

LogicalResult broadloom::legalize::checkBeforeVerifier(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<tensor::ConcatOp>([](auto it) { return check(it); })
      .Case<tensor::ExpandShapeOp>([](auto it) {
        return checkGroups(it, it.getReassociation(), it.getResultType());
      })
      .Case<tensor::CollapseShapeOp>([](auto it) {
        return checkGroups(it, it.getReassociation(), it.getSrcType());
      })
      .Default([](Operation *it) { return checkTosaRules(it); });
}
