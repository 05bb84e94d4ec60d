//===- ShapeTransfer.cpp - shapes through tensor and linalg ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomBoundary.h"
#include "infer/analysis/ShapeAnalysis.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/NumberArithmetic.h"
#include "infer/numbers/SymbolExtents.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

Number ShapeAnalysis::getExtentNumber(Value value, int64_t axis) {
  Shape shape = getInfo(value).shape;
  if (!shape.isRanked() || axis < 0 || axis >= int64_t(shape.rank()))
    return numbers.unknownWord({0, Bounds::kNone});
  return numberOf(numbers, shape[axis]);
}

//===----------------------------------------------------------------------===//
// Shapes as values
//===----------------------------------------------------------------------===//

bool ShapeAnalysis::visitShape(Operation *op) {
  if (auto shapeOf = dyn_cast<loom::ShapeOfOp>(op)) {
    setInfo(shapeOf.getShape(), getInfo(shapeOf.getTensor()));
    return true;
  }
  if (auto rank = dyn_cast<loom::RankOp>(op)) {
    if (Shape shape = getInfo(rank.getShape()).shape; shape.isRanked())
      scalars.setNumber(rank, Number(int64_t(shape.rank())));
    return true;
  }
  if (auto extent = dyn_cast<loom::ExtentOp>(op)) {
    ShapeInfo info = getInfo(extent.getShape());
    int64_t axis = extent.getAxis();
    if (!info.shape.isRanked()) {
      if (axis < 0)
        scalars.setNumber(
            extent, numberOf(numbers, getExtentFromRight(info.node, axis)));
      return true;
    }
    int64_t rank = info.shape.rank();
    if (axis < 0)
      axis += rank;
    // bcast-1
    scalars.setNumber(extent, axis < 0 || axis >= rank
                                  ? Number(1)
                                  : getExtentNumber(extent.getShape(), axis));
    return true;
  }
  if (auto shapeOf = dyn_cast<shape::ShapeOfOp>(op)) {
    if (!isa<ShapedType>(shapeOf.getArg().getType()))
      return false;
    Shape shape = getInfo(shapeOf.getArg()).shape;
    std::vector<Number> list;
    for (size_t axis = 0; shape.isRanked() && axis < shape.rank(); ++axis)
      list.push_back(numberOf(numbers, shape[axis]));
    if (shape.isRanked())
      scalars.setList(shapeOf.getResult(), std::move(list));
    return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

namespace {
/// The extents of the result of one operation; nothing where they are not known
/// or too large.
class TensorExtents {
public:
  using Extents = std::optional<SmallVector<Number>>;

  TensorExtents(ShapeAnalysis &analysis)
      : analysis(analysis), numbers(analysis.getNumbers()) {}

  Extents get(Operation *op) {
    return llvm::TypeSwitch<Operation *, Extents>(op)
        .Case<tensor::EmptyOp>(
            [&](auto it) { return ofSizes(it.getMixedSizes()); })
        .Case<tensor::ExpandShapeOp>(
            [&](auto it) { return ofSizes(it.getMixedOutputShape()); })
        .Case<tensor::GenerateOp>([&](auto it) {
          return ofType(it.getType(), it.getDynamicExtents());
        })
        .Case<tensor::SplatOp>([&](auto it) {
          return ofType(cast<RankedTensorType>(it.getType()),
                        it.getDynamicSizes());
        })
        .Case<tensor::CollapseShapeOp, tensor::ExtractSliceOp, tensor::PadOp,
              tensor::ConcatOp, tensor::ReshapeOp, loom::BoundaryOp>(
            [&](auto it) { return of(it); })
        .Default([](Operation *) { return std::nullopt; });
  }

private:
  SmallVector<Number> ofSizes(ArrayRef<OpFoldResult> sizes) {
    SmallVector<Number> extents;
    for (OpFoldResult size : sizes)
      extents.push_back(analysis.getScalars().getNumber(size));
    return extents;
  }

  SmallVector<Number> ofType(RankedTensorType type, ValueRange dynamic) {
    SmallVector<Number> extents;
    for (int64_t extent : type.getShape()) {
      if (!ShapedType::isDynamic(extent)) {
        extents.push_back(Number(extent));
        continue;
      }
      extents.push_back(analysis.getScalars().getNumber(dynamic.front()));
      dynamic = dynamic.drop_front();
    }
    return extents;
  }

  SmallVector<Number> ofValue(Value value) {
    SmallVector<Number> extents;
    for (Extent extent : analysis.getInfo(value).shape)
      extents.push_back(numberOf(numbers, extent));
    return extents;
  }

  Extents of(tensor::CollapseShapeOp op) {
    SmallVector<Number> source = ofValue(op.getSrc()), extents;
    for (const ReassociationIndices &group : op.getReassociationIndices()) {
      std::optional<Number> product(1);
      for (int64_t axis : group)
        product = multiply(numbers, product, source[axis]);
      if (!product)
        return std::nullopt;
      extents.push_back(*product);
    }
    return extents;
  }

  Extents of(tensor::ExtractSliceOp op) {
    SmallVector<Number> sizes = ofSizes(op.getMixedSizes()), extents;
    llvm::SmallBitVector dropped = op.getDroppedDims();
    for (auto [axis, size] : llvm::enumerate(sizes))
      if (!dropped.test(axis))
        extents.push_back(size);
    return extents;
  }

  Extents of(tensor::PadOp op) {
    return ofPadding(ofValue(op.getSource()), op.getMixedLowPad(),
                     op.getMixedHighPad());
  }

  Extents of(loom::BoundaryOp op) {
    SmallVector<Number> spread = ofValue(op.getSource());
    for (auto [extent, more] : llvm::zip(spread, op.getInterior())) {
      // As many as getSpreadExtent() emits.
      auto sum = subtract(numbers, multiply(numbers, extent, Number(more + 1)),
                          Number(more));
      if (!sum)
        return std::nullopt;
      extent = maximum(numbers, *sum, Number(0));
    }
    return ofPadding(spread, op.getMixedLow(), op.getMixedHigh());
  }

  Extents ofPadding(SmallVector<Number> extents, ArrayRef<OpFoldResult> before,
                    ArrayRef<OpFoldResult> behind) {
    SmallVector<Number> low = ofSizes(before), high = ofSizes(behind);
    for (auto [extent, before, after] : llvm::zip_equal(extents, low, high))
      if (auto sum = add(numbers, extent, add(numbers, before, after)))
        extent = *sum;
      else
        return std::nullopt;
    return extents;
  }

  Extents of(tensor::ConcatOp op) {
    SmallVector<Number> extents = ofValue(op.getInputs().front());
    std::optional<Number> sum = extents[op.getDim()];
    for (Value input : op.getInputs().drop_front())
      sum = add(numbers, sum, ofValue(input)[op.getDim()]);
    if (!sum)
      return std::nullopt;
    extents[op.getDim()] = *sum;
    return extents;
  }

  Extents of(tensor::ReshapeOp op) {
    auto list = analysis.getScalars().getList(op.getShape());
    if (!list)
      return std::nullopt;
    return SmallVector<Number>(list->begin(), list->end());
  }

  ShapeAnalysis &analysis;
  Numbers &numbers;
};
} // namespace

/// Whether no tensor of the shape is of the type.
bool ShapeAnalysis::contradicts(ShapedType type, const Shape &shape) const {
  if (shape.rank() != size_t(type.getRank()))
    return true;
  return llvm::any_of(llvm::enumerate(shape), [&](auto it) {
    auto [axis, extent] = it;
    Extent known = getProver().resolve(extent);
    return !type.isDynamicDim(axis) && known.isFixed() &&
           known != Extent::fixed(type.getDimSize(axis));
  });
}

void ShapeAnalysis::visitCast(Value source, Value cast) {
  // A cast changes the type, not the shape.
  ShapeInfo info = getInfo(source);
  auto result = mlir::cast<ShapedType>(cast.getType());
  if (!result.hasRank())
    return setInfo(cast, info);
  if (!info.shape.isRanked())
    info.shape = viewWithRank(info.node, result.getRank());
  // A cast to another shape fails, so that code after it is unreachable. That
  // code gets the result's type as it is.
  if (contradicts(result, info.shape))
    return setUnknown(cast);
  setInfo(cast, info);
  for (auto [axis, extent] : llvm::enumerate(info.shape))
    if (extent.isSymbol() && !result.isDynamicDim(axis))
      learn(equal(numbers, numberOf(numbers, extent),
                  Number(result.getDimSize(axis))),
            "by a cast's type");
}

bool ShapeAnalysis::visitTensor(Operation *op) {
  if (auto dim = dyn_cast<tensor::DimOp>(op)) {
    if (std::optional<int64_t> axis = dim.getConstantIndex())
      if (getInfo(dim.getSource()).shape.isRanked())
        scalars.setNumber(dim, getExtentNumber(dim.getSource(), *axis));
    return true;
  }
  if (auto cast = dyn_cast<tensor::CastOp>(op)) {
    scalars.visit(op);
    visitCast(cast.getSource(), cast.getResult());
    return true;
  }
  // Of tensors with ranks, shape functions tell it.
  if (auto identity = dyn_cast<tosa::IdentityOp>(op);
      identity && isa<UnrankedTensorType>(identity.getInput1().getType()) &&
      isa<UnrankedTensorType>(identity.getType())) {
    setSame(identity, identity.getInput1());
    return true;
  }
  // The scalar analysis computes the elements of a list of integers.
  if (isa<tensor::FromElementsOp, tensor::ExtractOp>(op)) {
    scalars.visit(op);
    return true;
  }
  if (auto extents = TensorExtents(*this).get(op)) {
    setNumbers(op->getResult(0), *extents);
    return true;
  }
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op)) {
    setSame(insert.getResult(), insert.getDest());
    return true;
  }
  if (auto destination = dyn_cast<DestinationStyleOpInterface>(op)) {
    for (OpOperand &init : destination.getDpsInitsMutable())
      if (isa<TensorType>(init.get().getType()))
        setSame(destination.getTiedOpResult(&init), init.get());
    return true;
  }
  if (OpTrait::hasElementwiseMappableTraits(op) &&
      isa<TensorType>(op->getResult(0).getType())) {
    for (Value operand : op->getOperands())
      if (isa<TensorType>(operand.getType())) {
        for (Value result : op->getResults())
          setSame(result, operand);
        return true;
      }
  }
  return false;
}
