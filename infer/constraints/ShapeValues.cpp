//===- ShapeValues.cpp - the shape of each tensor, as a value -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/ShapeValues.h"

#include "shape/Broadcast.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;
using loom::ShapeType;

Value ShapeValues::get(Value tensor, Operation *user) {
  if (Value shape = shapes.lookup(tensor))
    return shape;
  OpBuilder builder(user);
  Block *block = nullptr;
  if (auto argument = dyn_cast<BlockArgument>(tensor)) {
    block = argument.getOwner();
    if (Operation *before = last.lookup(block))
      builder.setInsertionPointAfter(before);
    else
      builder.setInsertionPointToStart(block);
  } else if (Operation *def = tensor.getDefiningOp();
             def->getNumSuccessors() == 0) {
    builder.setInsertionPointAfter(def);
  }
  auto type =
      ShapeType::get(user->getContext(), cast<ShapedType>(tensor.getType()));
  auto shape = loom::ShapeOfOp::create(builder, tensor.getLoc(), type, tensor);
  made.push_back(shape);
  if (block)
    last[block] = shape;
  set(tensor, shape);
  return shape;
}

/// Whether all extents are 1: broadcasting with a shape of at least this rank
/// then gives that shape.
static bool isAllOnes(ShapeType type) {
  return type.getRanked() &&
         llvm::all_of(type.getExtents(), [](int64_t n) { return n == 1; });
}

Value ShapeValues::broadcast(OpBuilder &builder, Location loc,
                             ArrayRef<Value> operands) {
  SmallVector<Value> distinct;
  int64_t rank = 0;
  for (Value operand : operands) {
    if (llvm::is_contained(distinct, operand))
      continue;
    distinct.push_back(operand);
    rank = std::max(rank, cast<ShapeType>(operand.getType()).getRank());
  }
  // A shape of ones does not change the broadcast if another shape has the full
  // rank.
  auto isLarge = [&](Value shape) {
    auto type = cast<ShapeType>(shape.getType());
    return type.getRanked() && type.getRank() == rank && !isAllOnes(type);
  };
  if (llvm::any_of(distinct, isLarge))
    llvm::erase_if(distinct, [](Value shape) {
      return isAllOnes(cast<ShapeType>(shape.getType()));
    });
  if (distinct.size() == 1)
    return distinct.front();

  std::vector<Shape> owned;
  std::vector<ShapeView> views;
  for (Value shape : distinct) {
    auto type = cast<ShapeType>(shape.getType());
    owned.push_back(type.getRanked()
                        ? Shape::fromIntegers(type.getExtents().data(),
                                              type.getExtents().size())
                        : Shape::unranked());
  }
  views.assign(owned.begin(), owned.end());
  BroadcastOptions options;
  options.listConstraints = false;
  Shape result = broadloom::broadcast(views, staticProver(), options).refined();
  SmallVector<int64_t> extents;
  for (Extent extent : result)
    extents.push_back(extent.isFixed() ? extent.value() : ShapedType::kDynamic);
  auto type = ShapeType::get(builder.getContext(), result.isRanked(), extents);
  auto op = loom::BroadcastOp::create(builder, loc, type, distinct);
  made.push_back(op);
  return op;
}
