//===- LinalgProducts.cpp - sums of products of two tensors ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/contract/LinalgProducts.h"

#include "lower/contract/MakeContraction.h"
#include "lower/contract/Weights.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace broadloom;

namespace {

/// Some loops of an operation, by their numbers.
using Loops = SmallVector<unsigned>;

/// The loops of a product by the operands that they go through.
struct ProductLoops {
  /// Through both operands and the result.
  Loops batch;
  /// Through the first operand and the result, and through the second and it.
  Loops rows, columns;
  /// Through both operands.
  Loops summed;
};

/// `value` before its conversion to a wider type that keeps signed numbers.
Value withoutExtension(Value value) {
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp>(op) ? op->getOperand(0)
                                                            : value;
}

/// Whether `op` has the operands `a` and `b` in either order.
bool hasOperands(Operation *op, Value a, Value b) {
  return (op->getOperand(0) == a && op->getOperand(1) == b) ||
         (op->getOperand(0) == b && op->getOperand(1) == a);
}

/// Whether the body adds the product of the two elements to the third, and does
/// nothing else: any other operation may fail.
bool addsProduct(Block *body) {
  if (body->getNumArguments() != 3 ||
      body->getTerminator()->getNumOperands() != 1)
    return false;
  Operation *sum = body->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(sum))
    return false;
  Value old = body->getArgument(2);
  Value product = sum->getOperand(sum->getOperand(0) == old ? 1 : 0);
  Operation *factors = product.getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::MulIOp>(factors) ||
      !hasOperands(sum, old, product))
    return false;
  llvm::SmallDenseSet<Operation *> known = {sum, factors};
  SmallVector<Value> elements;
  for (Value factor : factors->getOperands()) {
    elements.push_back(withoutExtension(factor));
    if (elements.back() != factor)
      known.insert(factor.getDefiningOp());
  }
  Value first = body->getArgument(0), second = body->getArgument(1);
  return (elements == ArrayRef{first, second} ||
          elements == ArrayRef{second, first}) &&
         llvm::all_of(body->without_terminator(),
                      [&](Operation &op) { return known.contains(&op); });
}

bool hasEncoding(Value value) {
  return cast<RankedTensorType>(value.getType()).getEncoding() != nullptr;
}

/// Sorts the loops of `op`; nothing if one of them is of none of the four kinds
/// or is not what its kind says, or if there is nothing to add or no axis of
/// one operand alone.
std::optional<ProductLoops> sortLoops(linalg::LinalgOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!llvm::all_of(maps,
                    [](AffineMap map) { return map.isProjectedPermutation(); }))
    return std::nullopt;
  ProductLoops loops;
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    bool isIn[3];
    for (int i = 0; i < 3; ++i)
      isIn[i] = maps[i].isFunctionOfDim(unsigned(loop));
    if (isIn[2] != (type == utils::IteratorType::parallel))
      return std::nullopt;
    if (isIn[0] && isIn[1])
      (isIn[2] ? loops.batch : loops.summed).push_back(unsigned(loop));
    else if (isIn[2] && (isIn[0] || isIn[1]))
      (isIn[0] ? loops.rows : loops.columns).push_back(unsigned(loop));
    else
      return std::nullopt;
  }
  if (loops.summed.empty() || (loops.rows.empty() && loops.columns.empty()))
    return std::nullopt;
  return loops;
}

/// Where in `map` the loops are, one after the other.
SmallVector<int64_t> positionsIn(AffineMap map, ArrayRef<Loops> groups) {
  SmallVector<int64_t> order;
  for (const Loops &group : groups)
    for (unsigned loop : group)
      order.push_back(
          *map.getResultPosition(getAffineDimExpr(loop, map.getContext())));
  return order;
}

/// The extent of the axis that has these axes of `shape`.
int64_t joinExtents(ArrayRef<int64_t> shape) {
  return ShapedType::isDynamicShape(shape) ? ShapedType::kDynamic
                                           : ShapedType::getNumElements(shape);
}

/// Whether the known extents of each group fit 64 bits together. They need not
/// where a tensor has no elements.
bool canJoin(Value tensor, AffineMap map, ArrayRef<Loops> groups) {
  ArrayRef<int64_t> shape = cast<RankedTensorType>(tensor.getType()).getShape();
  for (const Loops &group : groups) {
    int64_t joined = 1;
    for (int64_t axis : positionsIn(map, group))
      if (!ShapedType::isDynamic(shape[axis]) &&
          llvm::MulOverflow(joined, shape[axis], joined))
        return false;
  }
  return true;
}

/// The extents of an operand each of whose groups of axes is one axis.
SmallVector<int64_t> joinedShape(ArrayRef<int64_t> shape,
                                 ArrayRef<Loops> groups) {
  SmallVector<int64_t> joined;
  for (const Loops &group : groups) {
    joined.push_back(joinExtents(shape.take_front(group.size())));
    shape = shape.drop_front(group.size());
  }
  return joined;
}

/// The axes of the groups that have any, one after the other.
SmallVector<ReassociationIndices> axesOf(ArrayRef<Loops> groups) {
  SmallVector<ReassociationIndices> axes;
  int64_t next = 0;
  for (const Loops &group : groups) {
    if (!group.empty())
      axes.push_back(
          llvm::to_vector(llvm::seq<int64_t>(next, next + group.size())));
    next += group.size();
  }
  return axes;
}

/// For each group that has axes, its position and those of empty groups beside
/// it.
SmallVector<ReassociationIndices> withEmptyGroups(ArrayRef<Loops> groups) {
  SmallVector<ReassociationIndices> positions(1);
  bool hasAxes = false;
  for (auto [at, group] : llvm::enumerate(groups)) {
    if (!group.empty() && hasAxes)
      positions.push_back({});
    positions.back().push_back(at);
    hasAxes |= !group.empty();
  }
  return positions;
}

/// The operand whose axes are these groups, with one axis for each: of extent 1
/// for an empty group.
Value joinAxes(OpBuilder &b, Location loc, Value value,
               ArrayRef<Loops> groups) {
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape = joinedShape(type.getShape(), groups);
  auto joined = RankedTensorType::get(shape, type.getElementType());
  if (joined == type)
    return value;
  if (Value constant = lower::reshapeIfConstant(b, loc, value, joined))
    return constant;
  SmallVector<ReassociationIndices> axes = axesOf(groups);
  if (axes.size() != size_t(type.getRank()))
    value = tensor::CollapseShapeOp::create(b, loc, value, axes);
  if (axes.size() == groups.size())
    return value;
  SmallVector<OpFoldResult> extents(groups.size(), b.getIndexAttr(1));
  int64_t next = 0;
  for (auto [extent, group] : llvm::zip_equal(extents, groups))
    if (!group.empty())
      extent = tensor::getMixedSize(b, loc, value, next++);
  return tensor::ExpandShapeOp::create(b, loc, joined, value,
                                       withEmptyGroups(groups), extents);
}

/// The reverse: the tensor of this type whose axes are those of the groups, and
/// axes `order` of a tensor with the extents of `like`.
Value splitAxes(OpBuilder &b, Location loc, Value value, RankedTensorType type,
                ArrayRef<Loops> groups, ArrayRef<int64_t> order, Value like) {
  SmallVector<ReassociationIndices> axes = axesOf(groups);
  if (axes.size() != groups.size())
    value =
        tensor::CollapseShapeOp::create(b, loc, value, withEmptyGroups(groups));
  if (axes.size() == size_t(type.getRank()))
    return value;
  SmallVector<OpFoldResult> extents =
      applyPermutation(tensor::getMixedSizes(b, loc, like), order);
  return tensor::ExpandShapeOp::create(b, loc, type, value, axes, extents);
}

/// `operand`, whose axes `map` gives, with an axis for each group of loops.
Value arrange(OpBuilder &b, Location loc, Value operand, AffineMap map,
              ArrayRef<Loops> groups) {
  return joinAxes(
      b, loc, lower::permuteAxes(b, operand, positionsIn(map, groups)), groups);
}

} // namespace

Value lower::getFilled(Value zeros) {
  auto fill = zeros.getDefiningOp<linalg::FillOp>();
  return fill ? fill.getOutputs()[0] : zeros;
}

Value lower::contractProduct(IRRewriter &rewriter, linalg::LinalgOp op,
                             Value bias) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1 ||
      op->getNumResults() != 1 || !addsProduct(op.getBlock()))
    return {};
  Value a = op.getDpsInputs()[0], w = op.getDpsInputs()[1];
  Value destination = op.getDpsInits()[0];
  auto type = dyn_cast<RankedTensorType>(destination.getType());
  std::optional<ProductLoops> loops;
  if (!type || !isa<RankedTensorType>(a.getType()) ||
      !isa<RankedTensorType>(w.getType()) ||
      !isSummed(getElementTypeOrSelf(a), getElementTypeOrSelf(w),
                type.getElementType()) ||
      hasEncoding(a) || hasEncoding(w) || hasEncoding(destination) ||
      !(loops = sortLoops(op)))
    return {};
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<Loops> image = {loops->rows, loops->summed},
                     weight = {loops->summed, loops->columns},
                     result = {loops->rows, loops->columns};
  if (!loops->batch.empty())
    for (SmallVector<Loops> *groups : {&image, &weight, &result})
      groups->insert(groups->begin(), loops->batch);
  if (!canJoin(a, maps[0], image) || !canJoin(w, maps[1], weight) ||
      !canJoin(destination, maps[2], result))
    return {};

  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<int64_t> order = positionsIn(maps[2], result);
  SmallVector<int64_t> shape = applyPermutation(type.getShape(), order);
  auto typeOf = [&](ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, type.getElementType());
  };
  a = arrange(rewriter, loc, a, maps[0], image);
  w = arrange(rewriter, loc, w, maps[1], weight);
  if (bias)
    bias = arrange(rewriter, loc, bias, maps[2], result);
  Value sum =
      makeContraction(rewriter, loc, typeOf(joinedShape(shape, result)), a, w,
                      bias, {type.getElementType(), {}}, {{}, {}, {}});
  sum = splitAxes(rewriter, loc, sum, typeOf(shape), result, order,
                  getFilled(destination));
  return permuteAxes(rewriter, sum, invertPermutationVector(order));
}
