//===- ContractConstraints.cpp - constraints of sums of products ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/ConstraintWriter.h"
#include "infer/constraints/UpstreamConstraints.h"

#include "dialect/WindowFormula.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

/// Writes the constraints on the operands of one contraction, axis by axis.
class ContractWriter {
public:
  ContractWriter(loom::ContractOp op, ConstraintWriter &w)
      : op(op), w(w), image(op.getImage()), window(op.getStrides().size()),
        rank(cast<RankedTensorType>(image.getType()).getRank()) {
    auto weight = cast<RankedTensorType>(op.getWeight().getType());
    if (auto packed = op.getPacked())
      for (int64_t extent : *packed)
        weightExtents.push_back(w.get(extent));
    else
      for (int64_t axis : llvm::seq(weight.getRank()))
        weightExtents.push_back(w.getExtent(op.getWeight(), axis));
    first = weightExtents.size() - window -
            getNumChannelAxes(op.getContractionKind());
  }

  void constrain() {
    if (!isPool(op.getContractionKind()))
      constrainWeight();
    for (int64_t axis : llvm::seq(rank))
      sums.push_back(getSum(axis));
    for (auto [i, operand] : llvm::enumerate(op.getTailInputs()))
      if (auto type = dyn_cast<RankedTensorType>(operand.getType()))
        for (int64_t axis : llvm::seq(type.getRank()))
          constrainOperand(i + 2, operand, axis, rank - type.getRank());
    for (Value result : op.getResults())
      for (int64_t axis : llvm::seq(rank))
        w.constrainResult(cast<RankedTensorType>(result.getType()), axis,
                          sums[axis]);
  }

private:
  void constrainWeight() {
    Index channels = w.getExtent(image, rank - 1);
    Index expected = weightExtents[first + window];
    w.constrain(w.equal(channels, expected),
                "the image has {0} channels but the weight is for {1}",
                {channels, expected});
    if (first == 0)
      return;
    Index images = w.getExtent(image, 0), parts = weightExtents[0];
    w.constrain(w.equal(images, parts),
                "there are {0} images but the weight has parts for {1}",
                {images, parts});
  }

  /// The extent of an axis of the sums.
  Index getSum(int64_t axis) {
    bool isChannel = axis == rank - 1;
    if (isChannel && !isPool(op.getContractionKind()))
      return weightExtents.back();
    if (isChannel || axis == 0 || window == 0)
      return w.getExtent(image, axis);
    int64_t i = axis - 1;
    loom::WindowFormula formula(op, i, w);
    Index kernel = weightExtents[first + i];
    Index covered = formula.getCovered(kernel);
    Index padded = formula.getPadded(w.getExtent(image, axis));
    w.constrain(w.both(w.atMost(w.get(1), kernel), w.atMost(covered, padded)),
                "the kernel of {0} covers {1} along axis " + Twine(axis) +
                    ", but the padded image has {2}",
                {kernel, covered, padded});
    return formula.getNumPositions(padded, covered);
  }

  void constrainOperand(size_t number, Value operand, int64_t axis,
                        int64_t missing) {
    Index extent = w.getExtent(operand, axis), sum = sums[axis + missing];
    w.constrain(w.either(w.equal(extent, w.get(1)), w.equal(extent, sum)),
                "axis " + Twine(axis) + " of operand " + Twine(number) +
                    " has extent {0}, which does not broadcast to the {1} of "
                    "the sums",
                {extent, sum});
  }

  loom::ContractOp op;
  ConstraintWriter &w;
  Value image;
  /// Axes of the window and of the image.
  int64_t window, rank;
  /// Extents of the weight before it was packed; the number of its axes before
  /// the window.
  SmallVector<Index> weightExtents;
  int64_t first;
  SmallVector<Index> sums;
};

} // namespace

bool infer::constrainContraction(Operation *op, ConstraintWriter &writer) {
  auto contract = dyn_cast<loom::ContractOp>(op);
  if (contract)
    ContractWriter(contract, writer).constrain();
  return bool(contract);
}
