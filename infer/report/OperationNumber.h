//===- OperationNumber.h - which operation it was ------------- -*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For a report, each operation of the program gets a number before the
// legalizer. The number is kept in the operation's location, which all that is
// made from the operation inherits, so that what different passes find out of
// one operation comes together again, in program order.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_REPORT_POSITION_H
#define BROADLOOM_INFER_REPORT_POSITION_H

#include "mlir/IR/Operation.h"

namespace broadloom::infer {

/// Where the location says nothing of a number.
constexpr int64_t kNoOperationNumber = -1;

/// Numbers `op`, beside where its location says it is.
void setOperationNumber(mlir::Operation *op, int64_t number);
/// Numbers `root` and all operations in it, in program order, from 0.
void numberOperations(mlir::Operation *root);
int64_t getOperationNumber(mlir::Location location);
/// The name of `op`, or that of the operation of the program that it stands for
/// where numbers have been set.
llvm::StringRef getOriginalName(mlir::Operation *op);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_REPORT_POSITION_H
