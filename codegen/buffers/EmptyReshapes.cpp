//===- EmptyReshapes.cpp - reshapes of no elements ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/buffers/EmptyReshapes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

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

} // namespace

void codegen::replaceEmptyReshapes(Operation *root) {
  SmallVector<tensor::CollapseShapeOp> reshapes;
  root->walk([&](tensor::CollapseShapeOp op) {
    if (joinsNone(op))
      reshapes.push_back(op);
  });
  for (tensor::CollapseShapeOp op : reshapes) {
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
}
