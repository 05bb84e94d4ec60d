//===- LoomLinearAlgebra.cpp - functions of matrices ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/LoomDialect.h"
#include "runtime/abi/LinearAlgebraKind.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace broadloom::loom;

int64_t LinearAlgebraOp::getBatchRank() {
  auto type = cast<ShapedType>(getOperand(0).getType());
  return type.getRank() - int64_t(getAxes(getForm(), 0).size());
}

/// Checks the type of each operand against its letters.
static LogicalResult verifyOperands(LinearAlgebraOp op) {
  const broadloom::LinearAlgebraForm &form = op.getForm();
  std::optional<int64_t> batch;
  Type element;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    auto type = dyn_cast<ShapedType>(operand.getType());
    int64_t axes = int64_t(broadloom::getAxes(form, i).size());
    if (!type || !type.hasRank() || type.getRank() < axes)
      return op.emitOpError("operand ")
             << i << " is of type " << operand.getType()
             << "; it has a rank of at least " << axes;
    if (batch.value_or(type.getRank() - axes) != type.getRank() - axes)
      return op.emitOpError("operand ")
             << i << " has " << type.getRank() - axes
             << " axes of a batch, but operand 0 has " << *batch;
    batch = type.getRank() - axes;
    if (broadloom::hasIndices(form, i)) {
      if (!type.getElementType().isInteger(32))
        return op.emitOpError("operand ")
               << i << " has elements of type " << type.getElementType()
               << "; they are i32";
      continue;
    }
    if (!element)
      element = type.getElementType();
    if (!element.isF32() && !element.isF64())
      return op.emitOpError("does not take elements of type ")
             << element << "; they are f32 or f64";
    if (type.getElementType() != element)
      return op.emitOpError("operand ")
             << i << " has elements of type " << type.getElementType()
             << ", but those ahead have " << element;
  }
  return success();
}

LogicalResult LinearAlgebraOp::verify() {
  std::optional<broadloom::LinearAlgebraKind> kind =
      broadloom::findLinearAlgebraKind(getKind());
  if (!kind)
    return emitOpError("has no kind '") << getKind() << "'";
  const broadloom::LinearAlgebraForm &form = getForm();
  int64_t inputs = int64_t(getInputs().size());
  int64_t inits = int64_t(getInits().size());
  if (inputs != form.numInputs || inits != form.numOperands - form.numInputs)
    return emitOpError("reads ")
           << inputs << " operands and writes " << inits << ", but '"
           << getKind() << "' reads " << form.numInputs << " and writes "
           << form.numOperands - form.numInputs;
  bool isTriangular = *kind == broadloom::LinearAlgebraKind::TriangularSolve;
  if (!isTriangular && (getUpper() || getUnit()))
    return emitOpError(
        "is 'upper' or 'unit', which only 'triangular_solve' is");
  if (getUnchecked() && !form.hasInfo)
    return emitOpError("is 'unchecked', but '")
           << getKind() << "' has no info to tell a failure by";
  return verifyOperands(*this);
}

void LinearAlgebraOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getOperation()->getOpOperands()) {
    if (!isa<BaseMemRefType>(operand.get().getType()))
      continue;
    if (operand.getOperandNumber() < getInputs().size())
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
    else
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}
