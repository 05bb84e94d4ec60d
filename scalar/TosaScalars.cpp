//===- TosaScalars.cpp - operands that do not broadcast -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "scalar/Emitter.h"
#include "scalar/TosaRules.h"

#include "mlir/Dialect/Tosa/IR/TosaOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace broadloom;

static Type getElementType(Value value) {
  return cast<TensorType>(value.getType()).getElementType();
}

namespace {

/// The rule for an operand that does not broadcast.
struct ScalarRule {
  StringRef name;
  Type elementType;
  /// The allowed values: 0 alone, [0, 63], or any.
  enum { Zero, ShiftRange, Any } values;
};

} // namespace

static ScalarRule getScalarRule(Operation *op, unsigned index) {
  Type type = getElementType(op->getOperand(0));
  if (isa<tosa::MulOp>(op)) {
    bool isI32 = type.isSignlessInteger(32) || type.isSignedInteger(32);
    return {"shift", IntegerType::get(op->getContext(), 8),
            isI32 ? ScalarRule::ShiftRange : ScalarRule::Zero};
  }
  return {index == 1 ? "input zero-point" : "output zero-point", type,
          type.isInteger(8) ? ScalarRule::Any : ScalarRule::Zero};
}

TypedAttr broadloom::getConstantElement(Value value) {
  Operation *producer = value.getDefiningOp();
  if (!producer || !producer->hasTrait<OpTrait::ConstantLike>())
    return {};
  for (StringRef name : {"values", "value"}) {
    auto elements =
        dyn_cast_or_null<DenseElementsAttr>(producer->getAttr(name));
    if (!elements || elements.getType() != value.getType() ||
        elements.getNumElements() != 1)
      continue;
    if (isa<FloatType, IntegerType, IndexType>(elements.getElementType()))
      return cast<TypedAttr>(*elements.value_begin<Attribute>());
  }
  return {};
}

/// Whether a constant's value is allowed.
static bool isAllowed(TypedAttr constant, const ScalarRule &rule) {
  if (rule.values == ScalarRule::Any)
    return true;
  if (auto value = dyn_cast<FloatAttr>(constant))
    return value.getValue().isZero();
  const APInt &value = cast<IntegerAttr>(constant).getValue();
  return rule.values == ScalarRule::Zero ? value.isZero() : value.ult(64);
}

LogicalResult broadloom::verifyScalarOperand(Operation *op, unsigned index) {
  ScalarRule rule = getScalarRule(op, index);
  Value operand = op->getOperand(index);
  auto type = cast<TensorType>(operand.getType());
  if (type.getElementType() != rule.elementType)
    return op->emitOpError()
           << rule.name << " has element type " << type.getElementType()
           << ", expected " << rule.elementType;
  // An unknown extent is checked at run time.
  if (auto ranked = dyn_cast<RankedTensorType>(type))
    if (ranked.getRank() > 1 ||
        (ranked.getRank() == 1 && !ranked.isDynamicDim(0) &&
         ranked.getDimSize(0) != 1))
      return op->emitOpError()
             << rule.name << " has type " << type
             << ", expected one element (rank 0, or rank 1 and extent 1)";
  TypedAttr constant = getConstantElement(operand);
  if (!constant || isAllowed(constant, rule))
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError() << rule.name << " ";
  if (auto value = dyn_cast<IntegerAttr>(constant))
    diagnostic << llvm::toString(value.getValue(), 10,
                                 !rule.elementType.isUnsignedInteger());
  else
    diagnostic << constant;
  if (rule.values == ScalarRule::ShiftRange)
    return diagnostic << " is outside [0, 63]";
  return diagnostic << " must be 0 for element type "
                    << getElementType(op->getOperand(0));
}

/// An i1: whether a run-time scalar's value is allowed.
static Value emitCondition(scalar::Emitter &e, Value given,
                           const ScalarRule &rule) {
  using Predicate = arith::CmpIPredicate;
  Value bits = given;
  if (rule.values == ScalarRule::ShiftRange)
    return e.compare(Predicate::ult, bits, e.integer(bits.getType(), 64));
  if (isa<FloatType>(given.getType())) {
    // Matches both zeros: no bit but the sign's is set.
    Type type = e.intType(given.getType().getIntOrFloatBitWidth());
    bits = e.bitAnd(e.bitcast(given, type), e.maxInteger(type, false));
  }
  return e.compare(Predicate::eq, bits, e.integer(bits.getType(), 0));
}

void broadloom::buildTosaScalarConstraints(
    Operation *op, OpBuilder &builder, Location loc, ValueRange scalars,
    SmallVectorImpl<ScalarConstraint> &constraints) {
  unsigned first = getNumBroadcastOperands(op);
  for (auto [i, given] : llvm::enumerate(scalars)) {
    unsigned index = first + i;
    ScalarRule rule = getScalarRule(op, index);
    // A constant has been verified.
    if (rule.values == ScalarRule::Any ||
        getConstantElement(op->getOperand(index)))
      continue;
    scalar::Emitter e(builder, loc);
    Type i64 = e.intType(64);
    Value value = given;
    if (value.getType().isIndex())
      value = e.make<arith::IndexCastOp>(i64, value);

    ScalarConstraint &constraint = constraints.emplace_back();
    constraint.condition = emitCondition(e, value, rule);
    llvm::raw_string_ostream message(constraint.message);
    message << rule.name;
    if (!isa<FloatType>(value.getType())) {
      message << " {0}";
      constraint.values.push_back(
          e.resize(value, i64, rule.elementType.isUnsignedInteger()));
    }
    if (rule.values == ScalarRule::ShiftRange)
      message << " is outside [0, 63]";
    else
      message << " must be 0 for element type '"
              << getElementType(op->getOperand(0)) << "'";
  }
}
