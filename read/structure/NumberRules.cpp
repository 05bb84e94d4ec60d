//===- NumberRules.cpp - rules of TOSA about numbers ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/structure/NumberRules.h"

#include "dialect/ElementBytes.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/Dialect/Tosa/Utils/ConversionUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::read;

static Type getElement(Value value) {
  return getElementTypeOrSelf(value.getType());
}

/// The number of a constant of one element.
static std::optional<int64_t> readConstant(Value value) {
  ElementsAttr constant;
  if (!matchPattern(value, m_Constant(&constant)) ||
      constant.getNumElements() != 1)
    return std::nullopt;
  if (auto numbers = dyn_cast<DenseIntElementsAttr>(constant))
    return (*numbers.begin()).getSExtValue();
  if (auto numbers = dyn_cast<DenseFPElementsAttr>(constant))
    return (*numbers.begin()).isZero() ? 0 : 1;
  return std::nullopt;
}

/// Only integers of 8 bits have a zero point other than 0; unsigned integers of
/// 16 bits may also have 32768.
static LogicalResult checkZeroPoint(Operation *op, StringRef what, Value point,
                                    Value of, bool isUnsigned = false) {
  Type element = getElement(of);
  std::optional<int64_t> value = readConstant(point);
  if (!value || *value == 0 || element.isInteger(8))
    return success();
  bool isUnsigned16 = isUnsigned && element.isInteger(16);
  if (isUnsigned16 && uint16_t(*value) == 32768)
    return success();
  InFlightDiagnostic error = op->emitOpError("has the ")
                             << what << " zero point ";
  if (isa<IntegerType>(element))
    error << (isUnsigned16 ? uint16_t(*value) : *value);
  else
    error << "of " << getElement(point) << " that is not 0";
  return error << ", but elements of " << (isUnsigned16 ? "unsigned " : "")
               << element << "; it must be 0"
               << (isUnsigned16 ? " or 32768" : "");
}

template <typename Op> static LogicalResult checkPool(Op op) {
  if (failed(checkZeroPoint(op, "input", op.getInputZp(), op.getInput())))
    return failure();
  return checkZeroPoint(op, "output", op.getOutputZp(), op.getOutput());
}

template <typename Op> static LogicalResult checkConvolution(Op op) {
  if (failed(checkZeroPoint(op, "input", op.getInputZp(), op.getInput())))
    return failure();
  return checkZeroPoint(op, "weight", op.getWeightZp(), op.getWeight());
}

static LogicalResult check(tosa::MatMulOp op) {
  if (failed(checkZeroPoint(op, "first", op.getAZp(), op.getA())))
    return failure();
  return checkZeroPoint(op, "second", op.getBZp(), op.getB());
}

/// The contradiction between the rescale's types and flags; empty if there is
/// none.
static StringRef findContradiction(tosa::RescaleOp op) {
  Type from = getElement(op.getInput()), to = getElement(op.getOutput());
  bool isFrom = op.getInputUnsigned(), isTo = op.getOutputUnsigned();
  if (isFrom && isTo)
    return "'input_unsigned' and 'output_unsigned' are both set; set at most "
           "one";
  if (isFrom && (from.isInteger(32) || from.isInteger(48)))
    return "'input_unsigned' is set; only inputs of 8 and 16 bits are unsigned";
  if (isTo && to.isInteger(32))
    return "'output_unsigned' is set; only results of 8 and 16 bits are "
           "unsigned";
  if (isFrom && to.isInteger(32))
    return "'input_unsigned' is set; an unsigned input is rescaled to 8 or 16 "
           "bits";
  if (isTo && (from.isInteger(32) || from.isInteger(48)))
    return "'output_unsigned' is set; an unsigned result is rescaled from 8 or "
           "16 bits";
  if (op.getScale32() && from.isInteger(48))
    return "'scale32' is set; 48 bits times 32 have no accumulator, so give "
           "multipliers of 16 bits";
  if (!op.getScale32() &&
      op.getRoundingMode() == tosa::RoundingMode::DOUBLE_ROUND)
    return "'rounding_mode' is DOUBLE_ROUND, which needs 'scale32'";
  auto type = dyn_cast<RankedTensorType>(op.getInput().getType());
  if (op.getPerChannel() && type && type.getRank() == 0)
    return "'per_channel' is set, but the input has no axis";
  return {};
}

/// A constant shift that no rescale can have. Many shifts may be a resource.
static std::optional<int64_t> findWrongShift(Value shifts) {
  ElementsAttr constant;
  if (!matchPattern(shifts, m_Constant(&constant)) ||
      !constant.getElementType().isInteger(8))
    return std::nullopt;
  std::optional<ArrayRef<char>> bytes = broadloom::getElementBytes(constant);
  if (!bytes)
    return std::nullopt;
  const auto *wrong = llvm::find_if(*bytes, [](char byte) {
    auto shift = static_cast<signed char>(byte);
    return shift < 2 || shift > 62;
  });
  if (wrong == bytes->end())
    return std::nullopt;
  return static_cast<signed char>(*wrong);
}

static LogicalResult check(tosa::RescaleOp op) {
  if (StringRef found = findContradiction(op); !found.empty())
    return op.emitOpError("from ")
           << getElement(op.getInput()) << " to " << getElement(op.getOutput())
           << ": " << found;
  if (std::optional<int64_t> shift = findWrongShift(op.getShift()))
    return op.emitOpError("has the shift ")
           << *shift << "; it must be from 2 to 62";
  if (failed(checkZeroPoint(op, "input", op.getInputZp(), op.getInput(),
                            op.getInputUnsigned())))
    return failure();
  return checkZeroPoint(op, "output", op.getOutputZp(), op.getOutput(),
                        op.getOutputUnsigned());
}

/// Reports that a number of a resize is not in [least, most).
static LogicalResult checkRange(tosa::ResizeOp op, StringRef what,
                                unsigned axis, int64_t number, int64_t least,
                                int64_t end) {
  if (number >= least && number < end)
    return success();
  return op.emitOpError("has the ")
         << what << " " << number << " along axis " << axis + 1
         << "; it must be from " << least << " to " << end - 1;
}

static LogicalResult check(tosa::ResizeOp op) {
  constexpr int64_t kLargest = 16384, kLargestScale = 1 << 11;
  for (Value image : {Value(op.getInput()), Value(op.getOutput())})
    if (auto type = dyn_cast<RankedTensorType>(image.getType());
        type && type.getRank() == 4)
      for (unsigned axis : {1u, 2u})
        if (type.getDimSize(axis) >= kLargest)
          return op.emitOpError("has an image of type ")
                 << type << "; heights and widths must be less than "
                 << kLargest;
  SmallVector<int64_t> scale, offset, border;
  if (!tosa::getConstShapeValues(op.getScale().getDefiningOp(), scale) ||
      !tosa::getConstShapeValues(op.getOffset().getDefiningOp(), offset) ||
      !tosa::getConstShapeValues(op.getBorder().getDefiningOp(), border) ||
      scale.size() != 4 || offset.size() != 2 || border.size() != 2)
    return success();
  for (unsigned axis : {0u, 1u}) {
    int64_t n = scale[2 * axis], d = scale[2 * axis + 1];
    if (failed(checkRange(op, "numerator", axis, n, 1, kLargestScale + 1)) ||
        failed(checkRange(op, "denominator", axis, d, 1, 16 * n)) ||
        failed(checkRange(op, "offset", axis, offset[axis], -n, 16 * n)) ||
        failed(checkRange(op, "border", axis, border[axis], -16 * n, n)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Branches and loops
//===----------------------------------------------------------------------===//

/// Reports values that are passed as values of another type.
static LogicalResult checkPassed(Operation *op, StringRef what, TypeRange given,
                                 StringRef as, TypeRange taken) {
  if (given.size() != taken.size())
    return op->emitOpError("has ")
           << given.size() << " " << what << ", but " << taken.size() << " "
           << as << "; there must be as many";
  for (auto [i, from, to] : llvm::enumerate(given, taken))
    if (getElementTypeOrSelf(from) != getElementTypeOrSelf(to) ||
        failed(verifyCompatibleShape(from, to)))
      return op->emitOpError("has ")
             << what << " of which number " << i << " is of type " << from
             << ", but " << as << " of which it is of type " << to
             << "; they must agree";
  return success();
}

/// The types that a region yields; empty if it has no terminator.
static TypeRange getYielded(Region &region) {
  if (region.empty() || region.front().empty())
    return {};
  return region.front().back().getOperandTypes();
}

/// A region that captures outer values has no arguments.
static LogicalResult checkTaken(Operation *op, TypeRange given, StringRef as,
                                Region &region) {
  if (region.empty() || region.getNumArguments() == 0)
    return success();
  return checkPassed(op, "inputs", given, as, region.getArgumentTypes());
}

static LogicalResult check(tosa::IfOp op) {
  TypeRange inputs = TypeRange(op->getOperandTypes()).drop_front();
  Region &yes = op.getThenGraph(), &no = op.getElseGraph();
  if (failed(checkTaken(op, inputs, "arguments of its first branch", yes)) ||
      failed(checkTaken(op, inputs, "arguments of its second branch", no)) ||
      failed(checkPassed(op, "results", op->getResultTypes(),
                         "results of its first branch", getYielded(yes))))
    return failure();
  return checkPassed(op, "results", op->getResultTypes(),
                     "results of its second branch", getYielded(no));
}

static LogicalResult check(tosa::WhileOp op) {
  TypeRange inputs = op->getOperandTypes();
  Region &condition = op.getCondGraph(), &body = op.getBodyGraph();
  for (Type type : getYielded(condition))
    if (!getElementTypeOrSelf(type).isInteger(1))
      return op.emitOpError("computes its condition as ")
             << type << "; the condition must be one i1";
  if (failed(checkTaken(op, inputs, "arguments of its condition", condition)) ||
      failed(checkTaken(op, inputs, "arguments of its body", body)) ||
      failed(checkPassed(op, "inputs", inputs, "results of its body",
                         getYielded(body))))
    return failure();
  return checkPassed(op, "inputs", inputs, "results", op->getResultTypes());
}

LogicalResult read::checkNumberRules(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<tosa::AvgPool2dOp>([](auto it) { return checkPool(it); })
      .Case<tosa::Conv2DOp, tosa::Conv3DOp, tosa::DepthwiseConv2DOp,
            tosa::TransposeConv2DOp>(
          [](auto it) { return checkConvolution(it); })
      .Case<tosa::IfOp, tosa::MatMulOp, tosa::RescaleOp, tosa::ResizeOp,
            tosa::WhileOp>([](auto it) { return check(it); })
      .Default([](Operation *) { return success(); });
}
