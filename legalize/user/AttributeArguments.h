//===- AttributeArguments.h - attributes as values --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attributes of an operation, as its reference implementation reads them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_USER_ATTRIBUTEARGUMENTS_H
#define BROADLOOM_LEGALIZE_USER_ATTRIBUTEARGUMENTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace broadloom::legalize {

/// The constant for argument `index` of `function`, a reference of `op`. An
/// error at `op` if it lacks the attribute and there is no default, or if the
/// attribute does not have the argument's type.
llvm::FailureOr<mlir::Value> makeAttributeValue(mlir::OpBuilder &builder,
                                                mlir::Operation *op,
                                                mlir::func::FuncOp function,
                                                unsigned index);

/// Checks kTakenAttributes of `inner`, an operation of the reference
/// `function`, and reports an error there.
llvm::LogicalResult checkTakenAttributes(mlir::Operation *inner,
                                         mlir::func::FuncOp function);

/// Gives `clone`, a copy of an operation of a reference of `op`, the attributes
/// of `op` that it takes. Attributes that `op` lacks keep their values in the
/// text. An error at `op` if an attribute has another kind than the one that it
/// replaces, or is not allowed for the operation.
llvm::LogicalResult takeAttributes(mlir::Operation *clone, mlir::Operation *op);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_USER_ATTRIBUTEARGUMENTS_H
