//===- VectorClone.cpp - operations on scalars as ones on vectors ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/VectorClone.h"
#include "scalar/IntegerDivision.h"
#include "scalar/MathFunctions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace broadloom;

size_t codegen::countExpanded(ArrayRef<Operation *> operations) {
  size_t count = 0;
  for (Operation *op : operations)
    count += scalar::isExpandedInline(op) ? scalar::getMathCost(op) : 1;
  return count;
}

bool codegen::canCloneAsVectors(Operation *op) {
  auto isPlain = [](Type type) { return type.isIntOrFloat(); };
  if (!llvm::all_of(op->getOperandTypes(), isPlain) ||
      !llvm::all_of(op->getResultTypes(), isPlain))
    return false;
  if (isa<arith::ConstantOp>(op) || scalar::isMathOnVectors(op))
    return true;
  // Vector units have no division of integers.
  return isa_and_nonnull<arith::ArithDialect>(op->getDialect()) &&
         op->hasTrait<OpTrait::Vectorizable>() &&
         scalar::getDivisionKind(op) == scalar::DivisionKind::None &&
         !isa<arith::RemFOp>(op);
}

static Value splat(OpBuilder &builder, arith::ConstantOp constant,
                   int64_t lanes) {
  auto type = VectorType::get({lanes}, constant.getType());
  return arith::ConstantOp::create(
      builder, constant.getLoc(),
      DenseElementsAttr::get(type, Attribute(constant.getValue())));
}

void codegen::cloneAsVectors(OpBuilder &builder, Operation *op, int64_t lanes,
                             IRMapping &mapping) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    mapping.map(constant.getResult(), splat(builder, constant, lanes));
    return;
  }
  OperationState state(op->getLoc(), op->getName());
  for (Value operand : op->getOperands()) {
    if (auto constant = operand.getDefiningOp<arith::ConstantOp>();
        constant && !mapping.contains(operand))
      mapping.map(operand, splat(builder, constant, lanes));
    state.operands.push_back(mapping.lookup(operand));
  }
  for (Type type : op->getResultTypes())
    state.types.push_back(VectorType::get({lanes}, type));
  state.attributes = op->getAttrs();
  Operation *made = builder.create(state);
  mapping.map(op->getResults(), made->getResults());
}
