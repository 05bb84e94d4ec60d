//===- UpstreamDefects.cpp - what upstream's verifiers miss ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "read/structure/UpstreamDefects.h"

#include "read/structure/AffineOperands.h"
#include "read/structure/NumberRules.h"
#include "scalar/AffineExpansion.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::read;

/// Upstream's verifier reads the extent of a negative axis.
static LogicalResult check(tensor::ConcatOp op) {
  auto type = dyn_cast<RankedTensorType>(op.getType());
  auto axis = static_cast<int64_t>(op.getDim());
  if (type && axis >= 0 && axis < type.getRank())
    return success();
  return op.emitOpError("concatenates along axis ")
         << axis << ", but its result is of type " << op.getType();
}

/// Upstream's verifier truncates indices to 32 bits.
static LogicalResult checkGroups(Operation *op, ArrayAttr groups, Type type) {
  auto expanded = dyn_cast<RankedTensorType>(type);
  for (Attribute group : groups)
    for (Attribute index : cast<ArrayAttr>(group)) {
      int64_t axis = cast<IntegerAttr>(index).getInt();
      if (!expanded || axis < 0 || axis >= expanded.getRank())
        return op->emitOpError("groups axis ")
               << axis << " of type " << type << ", which has no such axis";
    }
  return success();
}

/// Upstream's verifiers accept any divisor in a map, but its lowerings require
/// at least 1. Computed divisors get guards (rt-11).
static LogicalResult checkDivisors(Operation *op) {
  AffineExpr bad;
  auto look = [&](AffineExpr expression) {
    if (!bad)
      bad = broadloom::scalar::findBadDivision(expression);
  };
  op->getAttrDictionary().walk([&](Attribute attribute) {
    if (auto map = dyn_cast<AffineMapAttr>(attribute))
      llvm::for_each(map.getValue().getResults(), look);
    else if (auto set = dyn_cast<IntegerSetAttr>(attribute))
      llvm::for_each(set.getValue().getConstraints(), look);
  });
  if (!bad)
    return success();
  std::string text;
  llvm::raw_string_ostream(text) << bad;
  auto by = cast<AffineConstantExpr>(cast<AffineBinaryOpExpr>(bad).getRHS());
  return op->emitOpError("has a map with '")
         << text << "', whose divisor is " << by.getValue()
         << ", expected at least 1";
}

/// Upstream's verifier takes a switch whose cases have no numbers, or the same
/// one twice, and its lowering crashes or fails.
static LogicalResult check(cf::SwitchOp op) {
  std::optional<DenseIntElementsAttr> numbers = op.getCaseValues();
  if (!numbers && !op.getCaseDestinations().empty())
    return op.emitOpError("has cases, but no 'case_values' to choose them by");
  if (!numbers)
    return success();
  llvm::SmallDenseSet<APInt> seen;
  for (const APInt &number : *numbers)
    if (!seen.insert(number).second)
      return op.emitOpError("has the case ")
             << toString(number, 10, /*Signed=*/true)
             << " twice; leave out one of them";
  return success();
}

/// Upstream's verifier compares `output_shape` with the operand, and not with
/// the type of the result.
static LogicalResult check(tensor::ExpandShapeOp op) {
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type)
    return op.emitOpError("gives ")
           << op->getResult(0).getType() << ", expected a tensor of known rank";
  ArrayRef<int64_t> shape = op.getStaticOutputShape();
  if (failed(checkGroups(op, op.getReassociation(), type)))
    return failure();
  // The verifier refuses a list of another length.
  if (shape.size() != size_t(type.getRank()))
    return success();
  for (auto [axis, extent] : llvm::enumerate(shape))
    if (!ShapedType::isDynamic(extent) && !type.isDynamicDim(axis) &&
        extent != type.getDimSize(axis))
      return op.emitOpError("has extent ")
             << extent << " on axis " << axis << " of 'output_shape', but "
             << type.getDimSize(axis) << " in type " << type;
  return success();
}

LogicalResult read::checkBeforeVerifier(Operation *op) {
  if (isa_and_nonnull<affine::AffineDialect, linalg::LinalgDialect>(
          op->getDialect()) &&
      (failed(checkDivisors(op)) || failed(checkAffineOperands(op))))
    return failure();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<cf::SwitchOp, tensor::ConcatOp, tensor::ExpandShapeOp>(
          [](auto it) { return check(it); })
      .Case<tensor::CollapseShapeOp>([](auto it) {
        return checkGroups(it, it.getReassociation(), it.getSrcType());
      })
      .Default([](Operation *it) { return checkNumberRules(it); });
}
