//===- TosaConstraints.cpp - constraints of other TOSA --------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/TosaConstraints.h"

#include "import/structure/VerifyLoosely.h"
#include "infer/constraints/ConstraintWriter.h"
#include "infer/constraints/IndexConstraints.h"
#include "infer/functions/Origin.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Utils/ConversionUtils.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

/// The constraints of one operation of TOSA.
class TosaWriter {
public:
  TosaWriter(Operation *op, ShapeValues &shapes, bool ofExtents)
      : op(op), shapes(shapes), ofExtents(ofExtents),
        w(op, shapes, /*all=*/false) {}

  /// The extent of an axis of operand `operand` is that of another.
  void expectEqual(unsigned operand, int64_t axis, unsigned other,
                   int64_t otherAxis);
  /// The extent of an axis of operand `operand` is at least `least`.
  void expectAtLeast(unsigned operand, int64_t axis, int64_t least,
                     const Twine &why);
  /// The elements of operand `indices` are indices of an axis of another.
  void expectIndices(unsigned indices, unsigned operand, int64_t axis);
  /// The operand's elements are those of a shape with at most one -1.
  void expectElements(unsigned operand, ArrayRef<int64_t> shape);

private:
  /// Whether the operand has such an axis; if not, others refuse it.
  bool hasAxis(unsigned operand, int64_t axis) const {
    auto type = dyn_cast<RankedTensorType>(op->getOperand(operand).getType());
    return type && axis < type.getRank();
  }
  bool isOpen(unsigned operand, int64_t axis) const {
    return hasAxis(operand, axis) &&
           cast<RankedTensorType>(op->getOperand(operand).getType())
               .isDynamicDim(axis);
  }
  Index getExtent(unsigned operand, int64_t axis) {
    return w.getExtent(op->getOperand(operand), axis);
  }

  Operation *op;
  ShapeValues &shapes;
  /// Whether to write those of extents, and not only those of data.
  bool ofExtents;
  ConstraintWriter w;
};

} // namespace

static std::string nameAxis(unsigned operand, int64_t axis) {
  return "axis " + std::to_string(axis) + " of operand " +
         std::to_string(operand);
}

void TosaWriter::expectIndices(unsigned indices, unsigned operand,
                               int64_t axis) {
  Value values = op->getOperand(indices);
  if (hasAxis(operand, axis) && isa<RankedTensorType>(values.getType()))
    constrainIndices(w.getBuilder(), op, values,
                     w.materialise(getExtent(operand, axis)));
}

void TosaWriter::expectEqual(unsigned operand, int64_t axis, unsigned other,
                             int64_t otherAxis) {
  if (!ofExtents || !hasAxis(operand, axis) || !hasAxis(other, otherAxis) ||
      (!isOpen(operand, axis) && !isOpen(other, otherAxis)))
    return;
  // One shape is equal to itself.
  if (axis == otherAxis && shapes.get(op->getOperand(operand), op) ==
                               shapes.get(op->getOperand(other), op))
    return;
  // A constant that is compared and shown is there once.
  Value a = w.materialise(getExtent(operand, axis)),
        b = w.materialise(getExtent(other, otherAxis));
  w.constrain(w.equal(a, b),
              nameAxis(operand, axis) + " has extent {0} but " +
                  nameAxis(other, otherAxis) + " has {1}",
              {a, b});
}

void TosaWriter::expectAtLeast(unsigned operand, int64_t axis, int64_t least,
                               const Twine &why) {
  if (!ofExtents || least <= 0 || !isOpen(operand, axis))
    return;
  Index extent = getExtent(operand, axis);
  w.constrain(w.atMost(w.get(least), extent),
              nameAxis(operand, axis) + " has extent {0}, expected at least " +
                  Twine(least) + why,
              extent);
}

void TosaWriter::expectElements(unsigned operand, ArrayRef<int64_t> shape) {
  Value tensor = op->getOperand(operand);
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!ofExtents || !type || type.hasStaticShape())
    return;
  int64_t known = 1;
  bool isOpen = false, overflows = false;
  for (int64_t extent : shape) {
    if (extent < 0)
      isOpen = true;
    else
      overflows |= llvm::MulOverflow(known, extent, known);
  }
  // Types of such sizes have been refused; there is nothing to compare with.
  if (overflows)
    return;
  int64_t statically = 1;
  for (int64_t extent : type.getShape())
    if (!ShapedType::isDynamic(extent))
      overflows |= llvm::MulOverflow(statically, extent, statically);
  if (isOpen && known != 0 && !overflows && statically % known == 0)
    return;
  Index elements = w.get(1);
  for (int64_t axis : llvm::seq<int64_t>(0, type.getRank()))
    elements = w.multiply(elements, w.getExtent(tensor, axis));
  // No number of elements tells the open extent where the others give 0.
  if (!isOpen || known == 0)
    return w.constrain(w.equal(elements, w.get(known)),
                       "has an operand of {0} elements but a result of " +
                           Twine(known),
                       elements);
  w.constrain(w.equal(w.remainder(elements, known), w.get(0)),
              "has an operand of {0} elements, which is no multiple of " +
                  Twine(known),
              elements);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static int64_t getRank(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getRank() : 0;
}

static void constrainConcat(tosa::ConcatOp op, TosaWriter &writer) {
  for (unsigned i : llvm::seq<unsigned>(1, op->getNumOperands()))
    for (int64_t axis : llvm::seq<int64_t>(0, getRank(op->getOperand(0))))
      if (axis != int64_t(op.getAxis()))
        writer.expectEqual(0, axis, i, axis);
}

static void constrainSlice(tosa::SliceOp op, TosaWriter &writer) {
  SmallVector<int64_t> starts, sizes;
  if (!tosa::getConstShapeValues(op.getStart().getDefiningOp(), starts) ||
      !tosa::getConstShapeValues(op.getSize().getDefiningOp(), sizes))
    return;
  for (auto [axis, start, size] : llvm::enumerate(starts, sizes))
    writer.expectAtLeast(0, axis, start + std::max<int64_t>(size, 0),
                         " for the slice");
}

static void constrainReshape(tosa::ReshapeOp op, TosaWriter &writer) {
  SmallVector<int64_t> shape;
  if (tosa::getConstShapeValues(op.getShape().getDefiningOp(), shape))
    writer.expectElements(0, shape);
}

/// The window of a convolution or a pooling fits into the padded image.
static void constrainWindow(TosaWriter &writer, ArrayRef<int64_t> kernel,
                            ArrayRef<int64_t> pad, ArrayRef<int64_t> dilation) {
  for (auto [i, extent] : llvm::enumerate(kernel)) {
    if (ShapedType::isDynamic(extent) || pad.size() < 2 * i + 2)
      continue;
    int64_t reach = (extent - 1) * (i < dilation.size() ? dilation[i] : 1) + 1;
    writer.expectAtLeast(0, i + 1, reach - pad[2 * i] - pad[2 * i + 1],
                         " for the window");
  }
}

template <typename Op> static void constrainPool(Op op, TosaWriter &writer) {
  constrainWindow(writer, op.getKernel(), op.getPad(), {});
}

/// `kernelAxis` is the weight's first axis of the window, `channelAxis` that
/// of the input's channels.
template <typename Op>
static void constrainConvolution(Op op, TosaWriter &writer, int64_t kernelAxis,
                                 int64_t channelAxis) {
  int64_t last = getRank(op->getOperand(0)) - 1;
  writer.expectEqual(0, last, 1, channelAxis);
  auto weight = dyn_cast<RankedTensorType>(op->getOperand(1).getType());
  if (weight && weight.getRank() >= kernelAxis + last - 1)
    constrainWindow(writer, weight.getShape().slice(kernelAxis, last - 1),
                    op.getPad(), op.getDilation());
}

void infer::constrainOperands(Operation *op, ShapeValues &shapes,
                              bool ofExtents) {
  TosaWriter writer(op, shapes, ofExtents);
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](tosa::ConcatOp concat) { constrainConcat(concat, writer); })
      .Case([&](tosa::SliceOp slice) { constrainSlice(slice, writer); })
      .Case([&](tosa::ReshapeOp reshape) { constrainReshape(reshape, writer); })
      .Case([&](tosa::MatMulOp) {
        writer.expectEqual(0, 0, 1, 0);
        writer.expectEqual(0, 2, 1, 1);
      })
      .Case([&](tosa::GatherOp) {
        writer.expectEqual(0, 0, 1, 0);
        writer.expectIndices(1, 0, 1);
      })
      .Case([&](tosa::ScatterOp) {
        writer.expectEqual(0, 0, 1, 0);
        writer.expectEqual(0, 0, 2, 0);
        writer.expectEqual(1, 1, 2, 1);
        writer.expectEqual(0, 2, 2, 2);
        writer.expectIndices(1, 0, 1);
      })
      .Case([&](tosa::AvgPool2dOp pool) { constrainPool(pool, writer); })
      .Case([&](tosa::MaxPool2dOp pool) { constrainPool(pool, writer); })
      .Case([&](tosa::Conv2DOp convolution) {
        constrainConvolution(convolution, writer, 1, 3);
      })
      .Case([&](tosa::Conv3DOp convolution) {
        constrainConvolution(convolution, writer, 1, 4);
      })
      .Case([&](tosa::DepthwiseConv2DOp convolution) {
        constrainConvolution(convolution, writer, 0, 2);
      })
      .Case([&](tosa::TransposeConv2DOp) { writer.expectEqual(0, 3, 1, 3); });
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// The shapes that upstream's inference gives; none where it has none.
static SmallVector<ShapedTypeComponents> inferResults(Operation *op) {
  SmallVector<ShapedTypeComponents> results;
  // It takes open channels for those of a zero point, and an open kernel for a
  // number. The shape function knows better.
  if (isa<tosa::TransposeConv2DOp>(op) &&
      !cast<ShapedType>(op->getOperand(1).getType()).hasStaticShape())
    return results;
  auto inference = dyn_cast<InferShapedTypeOpInterface>(op);
  if (!inference || legalize::isInferredWrongly(op) ||
      failed(inference.inferReturnTypeComponents(
          op->getContext(), op->getLoc(), op->getOperands(),
          op->getAttrDictionary(), op->getPropertiesStorage(), op->getRegions(),
          results)) ||
      results.size() != op->getNumResults())
    return {};
  return results;
}

/// `declared` with the extents that the operands give; null where it is no
/// ranked tensor or nothing is known.
static RankedTensorType asInferred(Type declared,
                                   const ShapedTypeComponents &inferred) {
  auto type = dyn_cast<RankedTensorType>(declared);
  return type && inferred.hasRank()
             ? RankedTensorType::get(inferred.getDims(), type.getElementType(),
                                     type.getEncoding())
             : RankedTensorType();
}

/// Whether `declared` says something that `inferred` leaves open.
static bool saysMore(Type declared, Type inferred) {
  return llvm::any_of(llvm::zip(cast<RankedTensorType>(declared).getShape(),
                                cast<RankedTensorType>(inferred).getShape()),
                      [](auto extents) {
                        auto [extent, known] = extents;
                        return ShapedType::isDynamic(known) &&
                               !ShapedType::isDynamic(extent);
                      });
}

LogicalResult
infer::settleResults(Operation *op, ShapeValues &shapes,
                     llvm::function_ref<void(Value, Value)> onRefined) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  for (auto [result, inferred] :
       llvm::zip(op->getResults(), inferResults(op))) {
    Type declared = result.getType();
    RankedTensorType type = asInferred(declared, inferred);
    if (!type || type == declared)
      continue;
    if (!tensor::CastOp::areCastCompatible(type, declared))
      return op->emitOpError("declares a result of type ")
             << declared << " but its operands give " << type;
    result.setType(type);
    auto cast = tensor::CastOp::create(builder, op->getLoc(), declared, result);
    result.replaceAllUsesExcept(cast, cast);
    Value shape = shapes.get(result, cast);
    builder.setInsertionPoint(cast);
    if (saysMore(declared, type))
      loom::ConstrainResultOp::create(builder, op->getLoc(),
                                      infer::getOrigin(op), shape, declared);
    else
      onRefined(cast, result);
    shapes.set(cast, shape);
    builder.setInsertionPointAfter(cast);
  }
  return success();
}
