//===- OperationTypes.h - the types that an operation has -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_OPERATIONTYPES_H
#define BROADLOOM_LEGALIZE_MEMORY_OPERATIONTYPES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace broadloom::legalize {

/// Whether an operand, a result, an argument of a block of `op`, or an argument
/// or result of the function that it is, has a type with the property.
inline bool mentionsType(mlir::Operation *op,
                         llvm::function_ref<bool(mlir::Type)> property) {
  if (llvm::any_of(op->getOperandTypes(), property) ||
      llvm::any_of(op->getResultTypes(), property))
    return true;
  if (auto function = llvm::dyn_cast<mlir::FunctionOpInterface>(op))
    if (llvm::any_of(function.getArgumentTypes(), property) ||
        llvm::any_of(function.getResultTypes(), property))
      return true;
  return llvm::any_of(op->getRegions(), [&](mlir::Region &region) {
    return llvm::any_of(region, [&](mlir::Block &block) {
      return llvm::any_of(block.getArgumentTypes(), property);
    });
  });
}

/// Whether `op` converts between signed, unsigned and signless types of the
/// same bits. arith has signless types only, so that the bodies of maps that
/// legalization makes, and of what upstream's `tosa-to-linalg` makes, have such
/// conversions.
inline bool changesSign(mlir::Operation *op) {
  if (!llvm::isa<mlir::UnrealizedConversionCastOp>(op) ||
      op->getNumOperands() != 1 || op->getNumResults() != 1)
    return false;
  auto from = llvm::dyn_cast<mlir::IntegerType>(op->getOperand(0).getType());
  auto to = llvm::dyn_cast<mlir::IntegerType>(op->getResult(0).getType());
  return from && to && from.getWidth() == to.getWidth() &&
         (from.isSignless() || to.isSignless());
}

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_OPERATIONTYPES_H
