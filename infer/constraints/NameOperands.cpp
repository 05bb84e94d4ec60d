//===- NameOperands.cpp - of which operands a message is ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/NameOperands.h"
#include "infer/constraints/ExtentOrigins.h"
#include "infer/numbers/SymbolExtents.h"

#include "shape/Message.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

/// Messages leave out the shape of a single number, such as a zero point.
static bool isNumber(Value value, const Shape &shape) {
  return shape.isRanked() && matchPattern(value, m_Constant()) &&
         llvm::all_of(shape, [](Extent extent) { return extent.isFixed(1); });
}

/// `extents` gets the values of {0}, {1}, ... in the text.
static std::string writeOperands(ShapeAnalysis &analysis, Operation *op,
                                 std::vector<Datum> &extents) {
  std::vector<OperandText> operands;
  for (auto [number, value] : llvm::enumerate(op->getOperands())) {
    if (!isa<TensorType>(value.getType()))
      continue;
    const ShapeInfo &info = analysis.getInfo(value);
    if (isNumber(value, info.shape))
      continue;
    OperandText &operand = operands.emplace_back();
    operand.number = static_cast<int64_t>(number);
    operand.shape = "*";
    if (info.shape.isRanked())
      operand.shape = writeShape(info.shape.rank(), [&](size_t axis) {
        extents.push_back(numberOf(analysis.getNumbers(), info.shape[axis]));
        return "{" + std::to_string(extents.size() - 1) + "}";
      });
    operand.origin = escapeTemplate(describeNode(analysis, info.node));
  }
  return broadloom::describeOperands(operands);
}

/// An operation with many operands, such as a long concatenation, has many
/// constraints. Messages that each name all operands would be too long.
static constexpr unsigned kMostNamed = 8;

void infer::nameOperands(ShapeAnalysis &analysis, Operation *op,
                         Outcome &outcome) {
  if (op->getNumOperands() > kMostNamed)
    return;
  std::vector<Datum> extents;
  std::string text;
  for (Constraint &constraint : outcome.constraints) {
    if (constraint.truth == Truth::Proved)
      continue;
    if (text.empty())
      text = writeOperands(analysis, op, extents);
    constraint.operands = text;
    constraint.extents = extents;
  }
}
