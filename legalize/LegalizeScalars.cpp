//===- LegalizeScalars.cpp - legalizing operands of no shape --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/functions/Origin.h"
#include "legalize/Legalizer.h"
#include "legalize/TosaConstants.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;
using namespace broadloom::legalize;

void Legalizer::addScalars(OpBuilder &builder, Elementwise &elementwise) {
  BroadcastableOpInterface op = elementwise.op;
  bool allConstant = true;
  for (unsigned index : op.getScalarOperands()) {
    Element &element = elementwise.scalars.emplace_back();
    element.constant = getSplatScalar(op->getOperand(index));
    if (element.constant)
      continue;
    element.value = extractScalar(builder, op, index);
    allConstant = false;
  }
  if (!allConstant && options.constraints)
    constrainScalars(builder, elementwise);
}

/// Whether the type has one element.
static bool hasOneElement(TensorType type) {
  return type.hasStaticShape() && type.getNumElements() == 1;
}

Value Legalizer::extractScalar(OpBuilder &builder, Operation *op,
                               unsigned index) {
  Location loc = op->getLoc();
  Value operand = op->getOperand(index);
  auto type = cast<TensorType>(operand.getType());
  if (!hasOneElement(type)) {
    if (options.constraints)
      constrainOneElement(builder, op, index);
    SmallVector<int64_t> ones(type.hasRank() ? type.getRank() : 1, 1);
    type = RankedTensorType::get(ones, type.getElementType());
    operand = tensor::CastOp::create(builder, loc, type, operand);
  }
  SmallVector<Value> indices;
  if (type.getRank() != 0)
    indices.assign(type.getRank(),
                   arith::ConstantIndexOp::create(builder, loc, 0));
  return tensor::ExtractOp::create(builder, loc, operand, indices);
}

void Legalizer::constrainOneElement(OpBuilder &builder, Operation *op,
                                    unsigned index) {
  Location loc = op->getLoc();
  Value shape = shapes.get(op->getOperand(index), op);
  auto type = cast<loom::ShapeType>(shape.getType());
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value condition;
  SmallVector<Value> values;
  auto expectOne = [&](Value value) {
    Value holds = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        value, one);
    condition =
        condition
            ? arith::AndIOp::create(builder, loc, condition, holds).getResult()
            : holds;
    values.push_back(value);
  };
  std::string message = "operand " + std::to_string(index);
  Type indexType = builder.getIndexType();
  if (!type.getRanked()) {
    expectOne(loom::RankOp::create(builder, loc, indexType, shape));
    expectOne(loom::ExtentOp::create(builder, loc, indexType, shape, -1));
    message +=
        " has rank {0} and last extent {1}, expected rank 1 and extent 1";
  } else {
    message += " has shape ";
    for (auto [axis, extent] : llvm::enumerate(type.getExtents())) {
      message += axis ? "x" : "";
      if (!ShapedType::isDynamic(extent)) {
        message += std::to_string(extent);
        continue;
      }
      message += "{" + std::to_string(values.size()) + "}";
      expectOne(loom::ExtentOp::create(builder, loc, indexType, shape, axis));
    }
    message += ", expected one element";
  }
  loom::ConstrainOp::create(builder, loc, infer::getOrigin(op), condition,
                            message, values);
}

void Legalizer::constrainScalars(OpBuilder &builder, Elementwise &elementwise) {
  BroadcastableOpInterface op = elementwise.op;
  Location loc = op->getLoc();
  SmallVector<Value> scalars;
  for (const Element &element : elementwise.scalars) {
    if (element.constant) {
      auto constant = arith::ConstantOp::create(builder, loc, element.constant);
      made.push_back(constant);
      scalars.push_back(constant);
      continue;
    }
    scalars.push_back(toScalar(builder, loc, element.value));
    if (scalars.back() != element.value)
      made.push_back(scalars.back().getDefiningOp());
  }
  SmallVector<ScalarConstraint> constraints;
  op.getScalarConstraints(builder, loc, scalars, constraints);
  for (const ScalarConstraint &constraint : constraints)
    loom::ConstrainOp::create(builder, loc, infer::getOrigin(op),
                              constraint.condition, constraint.message,
                              constraint.values);
}
