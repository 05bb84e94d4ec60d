//===- Elementwise.cpp - one element-wise operation at legalization -------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/Elementwise.h"

#include "dialect/ShapeConversion.h"
#include "infer/functions/Origin.h"
#include "shape/Message.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;
using namespace broadloom::legalize;

SmallVector<Value>
legalize::getBroadcastingValues(BroadcastableOpInterface op) {
  SmallVector<Value> values;
  for (unsigned i : op.getBroadcastOperands())
    values.push_back(op->getOperand(i));
  return values;
}

VerifyOptions legalize::getVerifyOptions(DynamicToStatic policy) {
  VerifyOptions options;
  options.dynamicToStatic = policy;
  options.unrankedOperands = UnrankedOperands::Unknown;
  return options;
}

bool legalize::isAboutResult(const ShapeConstraint &constraint) {
  return constraint.kind == ShapeConstraint::Kind::ResultExtent ||
         constraint.kind == ShapeConstraint::Kind::ResultStatic ||
         constraint.kind == ShapeConstraint::Kind::ResultRank;
}

LogicalResult legalize::reportRefuted(Operation *op,
                                      const Verification &verification,
                                      ShapeList operands) {
  if (!verification.error)
    return success();
  ShapesOf results(op->getResultTypes());
  PlainSpelling spelling;
  std::string text =
      describe(*verification.error, {operands, verification.inferred, results},
               spelling);
  // A map may replace a user's operation.
  StringRef origin = infer::getOrigin(op);
  if (origin != op->getName().getStringRef())
    return op->emitError() << "'" << origin << "': " << text;
  return op->emitOpError(text);
}

Value legalize::toScalar(OpBuilder &builder, Location loc, Value value) {
  return fromScalar(builder, loc, value,
                    broadloom::getScalarType(value.getType()));
}

Value legalize::fromScalar(OpBuilder &builder, Location loc, Value scalar,
                           Type elementType) {
  if (scalar.getType() == elementType)
    return scalar;
  return UnrealizedConversionCastOp::create(builder, loc, elementType, scalar)
      .getResult(0);
}

FailureOr<Value> legalize::buildBody(OpBuilder &builder,
                                     const Elementwise &elementwise,
                                     ArrayRef<Element> elements) {
  BroadcastableOpInterface op = elementwise.op;
  Location loc = op->getLoc();
  SmallVector<Value> scalars(op->getNumOperands());
  SmallVector<Operation *> constants;
  auto place = [&](unsigned index, const Element &element) {
    assert(!element.constant != !element.value);
    if (element.constant) {
      auto constant = arith::ConstantOp::create(builder, loc, element.constant);
      constants.push_back(constant);
      scalars[index] = constant;
      return;
    }
    scalars[index] = toScalar(builder, loc, element.value);
  };
  for (auto [index, element] : llvm::zip(op.getBroadcastOperands(), elements))
    place(index, element);
  for (auto [index, element] :
       llvm::zip(op.getScalarOperands(), elementwise.scalars))
    place(index, element);

  FailureOr<Value> result = op.buildScalarBody(builder, loc, scalars);
  if (failed(result))
    return failure();
  // Erases unused constants, such as a shift of zero.
  for (Operation *constant : constants)
    if (constant->use_empty() && constant->getResult(0) != *result)
      constant->erase();
  return fromScalar(builder, loc, *result,
                    getElementTypeOrSelf(op->getResult(0).getType()));
}
