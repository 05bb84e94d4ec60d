//===- LoomContract.cpp - verifying sums of products, their shapes --------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/ContractFormula.h"
#include "dialect/LoomFusedReduction.h"
#include "runtime/contractions/Panels.h"
#include "shape/Message.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::loom;

FailureOr<broadloom::ContractionKind>
FieldParser<broadloom::ContractionKind>::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (failed(parser.parseKeyword(&name)))
    return failure();
  if (auto kind = broadloom::findContractionKind(name))
    return *kind;
  return parser.emitError(loc)
         << "there is no kind '" << name << "' of contractions; there are "
         << broadloom::joinWithAnd(
                {std::begin(broadloom::kContractionKindNames),
                 std::end(broadloom::kContractionKindNames)});
}

/// Checks that the window's attributes have an entry for each axis of the image
/// between the first and the last, or none.
static LogicalResult verifyWindow(ContractOp op, int64_t imageRank) {
  int64_t axes = op.getStrides().size();
  if (int64_t(op.getDilations().size()) != axes ||
      int64_t(op.getPads().size()) != 2 * axes)
    return op.emitOpError("has ")
           << axes << " strides, " << op.getDilations().size()
           << " dilations and " << op.getPads().size()
           << " pads; a window has one, one and two for each axis";
  if (axes != 0 && axes != imageRank - 2)
    return op.emitOpError("has a window of ")
           << axes << " axes and an image of " << imageRank
           << ", of which a window has all but the first and the last";
  auto least = [](ArrayRef<int64_t> numbers, int64_t least) {
    return llvm::all_of(numbers, [=](int64_t n) { return n >= least; });
  };
  if (!least(op.getStrides(), 1) || !least(op.getDilations(), 1) ||
      !least(op.getPads(), 0))
    return op.emitOpError(
        "strides and dilations must be positive, and pads not "
        "negative");
  // The sum of both is added to an extent.
  for (int64_t axis : llvm::seq(axes)) {
    int64_t before = op.getPads()[2 * axis], after = op.getPads()[2 * axis + 1];
    if (!llvm::checkedAdd(before, after))
      return op.emitOpError("has pads of ")
             << before << " and " << after << " along axis " << axis + 1
             << ", which are more than a number of 64 bits; give pads that an "
                "image can have";
  }
  return success();
}

/// Checks the groups of a contraction whose weight has the axes that it needs.
/// The number of all channels of the sums is known, so that code for a group's
/// is.
static LogicalResult verifyGroups(ContractOp op) {
  if (!op.getGroups())
    return success();
  int64_t groups = *op.getGroups(), axes = op.getStrides().size();
  if (groups < 1)
    return op.emitOpError("has ") << groups << " groups; it needs 1 or more";
  if (groups == 1)
    return success();
  if (op.getContractionKind() != ContractionKind::Products || axes == 0)
    return op.emitOpError("has groups, which only a contraction of kind "
                          "'products' with a window has");
  auto weight = cast<RankedTensorType>(op.getWeight().getType());
  ArrayRef<int64_t> shape = op.getPacked().value_or(weight.getShape());
  if (int64_t(shape.size()) != axes + 2)
    return op.emitOpError("has groups and a weight of rank ")
           << shape.size() << "; for a window of " << axes << " axes it needs "
           << axes + 2;
  int64_t channels = shape.back();
  if (ShapedType::isDynamic(channels))
    return op.emitOpError("has groups and a weight of type ")
           << weight << "; the extent of its last axis must be a number";
  if (channels % groups != 0)
    return op.emitOpError("has ")
           << groups << " groups, which do not divide the " << channels
           << " channels of the sums";
  return success();
}

/// Checks the axes of a weight that is not packed.
static LogicalResult verifyWeight(ContractOp op) {
  int64_t rank = cast<RankedTensorType>(op.getWeight().getType()).getRank();
  int64_t axes = op.getStrides().size();
  if (op.getPacked()) {
    ArrayRef<int64_t> packed = *op.getPacked();
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(op.getWeight().getType()).getShape();
    bool isGiven = int64_t(packed.size()) == axes + 2 &&
                   !isInPanels(shape.data(), rank, packed.data(), axes + 2);
    if (isGiven || (rank == 3 && int64_t(packed.size()) == axes + 2))
      return success();
    return op.emitOpError("has a packed weight of rank ")
           << rank << " that had " << op.getPacked()->size()
           << " axes; it needs rank 3 and must have had " << axes + 2;
  }
  int64_t wanted = axes + getNumChannelAxes(op.getContractionKind());
  if (rank == wanted ||
      (rank == wanted + 1 && !isByChannel(op.getContractionKind())))
    return success();
  return op.emitOpError("has a weight of rank ")
         << rank << "; for a window of " << axes << " axes it needs " << wanted;
}

LogicalResult ContractOp::verify() {
  if (getInputs().size() < 2)
    return emitOpError("needs an image and a weight");
  if (getNumResults() == 0)
    return emitOpError("needs at least one result");
  auto image = dyn_cast<RankedTensorType>(getImage().getType());
  if (!image || image.getRank() < 2 ||
      !isa<RankedTensorType>(getWeight().getType()))
    return emitOpError("needs an image of rank 2 or more and a ranked weight");
  for (Value factor : {getImage(), getWeight()})
    if (getElementTypeOrSelf(factor).isUnsignedInteger())
      return emitOpError("has an image or a weight of type ")
             << factor.getType()
             << ", and takes integers as signed ones; convert unsigned ones to "
                "a wider signless type";
  ContractionKind kind = getContractionKind();
  if (isByChannel(kind) && getStrides().empty())
    return emitOpError("works channel by channel and needs a window");
  if (isPool(kind) && (getZeroPoints() || getPacked()))
    return emitOpError(
        "has no weights, and so neither zero points nor a packed "
        "weight");
  if (getZeroPoints() && getZeroPoints()->size() != 2)
    return emitOpError("has ")
           << getZeroPoints()->size() << " zero points; the image and the "
           << "weight have one each";
  for (Value result : getResults())
    if (cast<RankedTensorType>(result.getType()).getRank() != image.getRank())
      return emitOpError("has an image of rank ")
             << image.getRank() << " and a result of type " << result.getType()
             << "; all have the image's rank";
  for (Value input : getTailInputs())
    if (auto type = dyn_cast<ShapedType>(input.getType());
        type &&
        (!isa<RankedTensorType>(type) || type.getRank() > image.getRank()))
      return emitOpError("operand of type ")
             << type << " does not broadcast to a result of rank "
             << image.getRank();
  if (auto mode = getPaddingMode();
      mode && mode->getValue() == BoundaryMode::Constant)
    return emitOpError("has the padding mode 'constant'; what counts as 0 has "
                       "none, and others repeat elements");
  if (failed(verifyWindow(*this, image.getRank())) ||
      failed(verifyGroups(*this)))
    return failure();
  return verifyWeight(*this);
}

LogicalResult ContractOp::verifyRegions() {
  if (failed(verifyScalarBody(*this)))
    return failure();
  Block &body = getBodyBlock();
  if (body.getNumArguments() != getInputs().size() - 1)
    return emitOpError("has ")
           << getInputs().size() << " operands but its body has "
           << body.getNumArguments()
           << " arguments; it needs one for the sum and one for each operand "
              "but the first two";
  if (isPool(getContractionKind()) && !isa<FloatType>(getSumType()))
    return emitOpError("takes maxima or sums of floats, but its body's first "
                       "argument has type ")
           << getSumType();
  for (auto [argument, operand] :
       llvm::zip_equal(body.getArguments().drop_front(), getTailInputs()))
    if (argument.getType() != getElementTypeOrSelf(operand.getType()))
      return emitOpError("body argument ")
             << argument.getArgNumber() << " has type " << argument.getType()
             << " but its operand gives "
             << getElementTypeOrSelf(operand.getType());
  return verifyYield(*this, body);
}

namespace {
/// Emits numbers, or folds constants.
class Arithmetic {
public:
  using Number = OpFoldResult;

  Arithmetic(OpBuilder &b, Location loc) : b(b), loc(loc) {}

  OpFoldResult get(int64_t number) { return b.getIndexAttr(number); }
  OpFoldResult getExtent(Value tensor, int64_t axis) {
    return tensor::DimOp::create(b, loc, tensor, axis).getResult();
  }
  OpFoldResult add(OpFoldResult x, OpFoldResult y) {
    return emit<arith::AddIOp>(x, y);
  }
  OpFoldResult subtract(OpFoldResult x, OpFoldResult y) {
    return emit<arith::SubIOp>(x, y);
  }
  OpFoldResult multiply(OpFoldResult x, OpFoldResult y) {
    return emit<arith::MulIOp>(x, y);
  }
  OpFoldResult divide(OpFoldResult x, OpFoldResult y) {
    return emit<arith::DivSIOp>(x, y);
  }

private:
  template <typename Op> OpFoldResult emit(OpFoldResult x, OpFoldResult y) {
    return b.createOrFold<Op>(loc, getValueOrCreateConstantIndexOp(b, loc, x),
                              getValueOrCreateConstantIndexOp(b, loc, y));
  }

  OpBuilder &b;
  Location loc;
};
} // namespace

LogicalResult
ContractOp::reifyResultShapes(OpBuilder &b,
                              ReifiedRankedShapedTypeDims &reified) {
  auto type = cast<RankedTensorType>(getResult(0).getType());
  Arithmetic arithmetic(b, getLoc());
  ContractFormula formula(*this, arithmetic);
  SmallVector<OpFoldResult> extents;
  for (int64_t axis : llvm::seq<int64_t>(0, type.getRank()))
    extents.push_back(type.isDynamicDim(axis)
                          ? formula.getResult(axis)
                          : b.getIndexAttr(type.getDimSize(axis)));
  reified.assign(getNumResults(), extents);
  return success();
}
