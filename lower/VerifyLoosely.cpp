//===- VerifyLoosely.cpp - upstream's verifiers, less strict --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "lower/VerifyLoosely.h"

#include "dialect/LooseTypes.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tosa/IR/TosaOps.h"

using namespace mlir;
using namespace broadloom;

/// The operand that a slice is a part of, if `op` is one; its result has the
/// same type where it is a tensor.
static Value getWhole(Operation *op) {
  unsigned index = isa<tensor::ExtractSliceOp>(op) ? 0 : 1;
  if (!isa<tensor::ExtractSliceOp, tensor::InsertSliceOp,
           tensor::ParallelInsertSliceOp>(op) ||
      op->getNumOperands() <= index)
    return nullptr;
  return op->getOperand(index);
}

LogicalResult lower::verifyLoosely(Operation *op) {
  LooseTypes types;
  if (isa_and_nonnull<tosa::TosaDialect>(op->getDialect())) {
    loosenZeros(op, types);
  } else if (Value whole = getWhole(op);
             whole && llvm::count(op->getOperands(), whole) == 1) {
    // A tensor that is put into itself keeps the type of the part.
    auto any = [](int64_t extent) { return !ShapedType::isDynamic(extent); };
    types.loosen(whole, any);
    if (isa<tensor::InsertSliceOp>(op) && op->getNumResults() != 0)
      types.loosen(op->getResult(0), any);
  }
  return op->getName().verifyInvariants(op);
}
