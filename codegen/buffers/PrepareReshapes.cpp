//===- PrepareReshapes.cpp - reshapes that become memory ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/buffers/PrepareReshapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace broadloom;

namespace {

bool joinsNone(tensor::CollapseShapeOp op) {
  ArrayRef<int64_t> shape = op.getSrcType().getShape();
  return llvm::any_of(op.getReassociationIndices(), [&](auto &group) {
    auto is = [&](int64_t extent) {
      return llvm::any_of(group,
                          [&](int64_t axis) { return shape[axis] == extent; });
    };
    return is(0) && is(ShapedType::kDynamic);
  });
}

Value getProduct(OpBuilder &b, tensor::CollapseShapeOp op,
                 ArrayRef<int64_t> axes) {
  Location loc = op.getLoc();
  Value product;
  for (int64_t axis : axes) {
    Value extent = b.createOrFold<tensor::DimOp>(loc, op.getSrc(), axis);
    product = product ? arith::MulIOp::create(b, loc, product, extent) : extent;
  }
  return product;
}

void replaceByEmpty(tensor::CollapseShapeOp op) {
  OpBuilder b(op);
  SmallVector<Value> extents;
  for (auto [axis, group] : llvm::enumerate(op.getReassociationIndices()))
    if (op.getResultType().isDynamicDim(axis))
      extents.push_back(getProduct(b, op, group));
  Value empty =
      tensor::EmptyOp::create(b, op.getLoc(), op.getResultType(), extents);
  op.replaceAllUsesWith(empty);
  op.erase();
}

/// Takes the known extents of the result from its type.
void settleOutputShape(tensor::ExpandShapeOp op) {
  RankedTensorType type = op.getResultType();
  SmallVector<OpFoldResult> shape = op.getMixedOutputShape();
  for (auto [axis, extent] : llvm::enumerate(shape))
    if (!type.isDynamicDim(axis))
      extent = OpBuilder(op).getIndexAttr(type.getDimSize(axis));
  auto [numbers, values] = decomposeMixedValues(shape);
  op.setStaticOutputShape(numbers);
  op.getOutputShapeMutable().assign(values);
}

} // namespace

void codegen::prepareReshapes(Operation *root) {
  SmallVector<tensor::CollapseShapeOp> empties;
  root->walk([&](Operation *op) {
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
      settleOutputShape(expand);
    else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
      if (joinsNone(collapse))
        empties.push_back(collapse);
  });
  llvm::for_each(empties, replaceByEmpty);
}
