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

#ifndef BROADLOOM_IMPORT_USER_ATTRIBUTEARGUMENTS_H
#define BROADLOOM_IMPORT_USER_ATTRIBUTEARGUMENTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace broadloom::legalize {

/// The constant that argument `index` of `function`, a reference of `op`,
/// stands for. An error at `op` where it lacks the attribute and there is no
/// default, or where the attribute is not of the argument's type.
llvm::FailureOr<mlir::Value> makeAttributeValue(mlir::OpBuilder &builder,
                                                mlir::Operation *op,
                                                mlir::func::FuncOp function,
                                                unsigned index);

/// Whether what `inner`, an operation of the reference `function`, says of its
/// attributes can be (kTakenAttributes); else an error there.
llvm::LogicalResult checkTakenAttributes(mlir::Operation *inner,
                                         mlir::func::FuncOp function);

/// Gives `clone`, a copy of an operation of a reference of `op`, the attributes
/// of `op` that it takes. What `op` lacks stays as it is written. An error at
/// `op` where an attribute is of another kind than the one that it replaces, or
/// is one that the operation cannot have.
llvm::LogicalResult takeAttributes(mlir::Operation *clone, mlir::Operation *op);

} // namespace broadloom::legalize

#endif // BROADLOOM_IMPORT_USER_ATTRIBUTEARGUMENTS_H
