//===- ContractConstraints.cpp - constraints of sums of products ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/ConstraintWriter.h"
#include "infer/constraints/UpstreamConstraints.h"

#include "dialect/ContractFormula.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

namespace {

/// Writes the constraints on the operands of one contraction, axis by axis.
class ContractWriter {
public:
  ContractWriter(loom::ContractOp op, ConstraintWriter &w)
      : op(op), w(w), formula(op, w), image(op.getImage()),
        rank(cast<RankedTensorType>(image.getType()).getRank()) {}

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
    int64_t first = formula.getFirstWindowAxis();
    Index expected = formula.getWeight(first + op.getStrides().size());
    if (op.getNumGroups() != 1)
      expected = w.multiply(expected, w.get(op.getNumGroups()));
    w.constrain(w.equal(channels, expected),
                "the image has {0} channels but the weight is for {1}",
                {channels, expected});
    if (first == 0)
      return;
    Index images = w.getExtent(image, 0), parts = formula.getWeight(0);
    w.constrain(w.equal(images, parts),
                "there are {0} images but the weight has parts for {1}",
                {images, parts});
  }

  /// The extent of an axis of the sums.
  Index getSum(int64_t axis) {
    if (!formula.hasWindow(axis))
      return formula.getResult(axis);
    auto window = formula.getWindow(axis);
    w.constrain(w.both(w.atMost(w.get(1), window.kernel),
                       w.atMost(window.covered, window.padded)),
                "the kernel of {0} covers {1} along axis " + Twine(axis) +
                    ", but the padded image has {2}",
                {window.kernel, window.covered, window.padded});
    constrainRepeated(axis);
    return formula.getResult(axis, window);
  }

  /// bnd-2: what repeats elements needs one.
  void constrainRepeated(int64_t axis) {
    std::optional<loom::PaddingModeAttr> mode = op.getPaddingMode();
    int64_t before = op.getPads()[2 * (axis - 1)],
            after = op.getPads()[2 * (axis - 1) + 1];
    if (mode && before + after != 0)
      w.constrain(w.less(w.get(0), w.getExtent(image, axis)),
                  "axis " + Twine(axis) +
                      " has no elements, and padding of {0} and {1} by mode '" +
                      loom::stringifyBoundaryMode(mode->getValue()) +
                      "' needs one",
                  {w.get(before), w.get(after)});
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
  loom::ContractFormula<ConstraintWriter> formula;
  Value image;
  int64_t rank;
  SmallVector<Index> sums;
};

} // namespace

bool infer::constrainContraction(Operation *op, ConstraintWriter &writer) {
  auto contract = dyn_cast<loom::ContractOp>(op);
  if (contract)
    ContractWriter(contract, writer).constrain();
  return bool(contract);
}
