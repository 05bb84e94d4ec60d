//===- OperationNumber.h - which operation it was ------------- -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For a report, each operation of the program gets a number before
// legalization. The number is part of the operation's location, which
// replacements inherit, so that the rows of different passes about one
// operation can be sorted in program order.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_REPORT_POSITION_H
#define BROADLOOM_INFER_REPORT_POSITION_H

#include "mlir/IR/Operation.h"

namespace broadloom::infer {

/// The number of a location without one.
constexpr int64_t kNoOperationNumber = -1;

/// Adds the number to the location of `op`.
void setOperationNumber(mlir::Operation *op, int64_t number);
/// Numbers `root` and all operations in it, in program order, from 0.
void numberOperations(mlir::Operation *root);
int64_t getOperationNumber(mlir::Location location);
/// The name of `op`, or that of the operation of the program from which it was
/// made, if numbers were set.
llvm::StringRef getOriginalName(mlir::Operation *op);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_REPORT_POSITION_H
