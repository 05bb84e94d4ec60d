//===- CountCheck.h - arrays with the elements of a set ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// set-2 and set-5: the caller's array has exactly the elements of the set for
// some value of its symbol.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_SETS_COUNTCHECK_H
#define BROADLOOM_LEGALIZE_SETS_COUNTCHECK_H

#include "dialect/LoomDialect.h"

namespace broadloom::legalize {

/// What must hold, and the message where it does not, with its numbers.
struct CountCheck {
  mlir::Value isExact;
  std::string message;
  llvm::SmallVector<mlir::Value> numbers;
};

/// Of an argument with `given` elements, for which the number of elements tells
/// `symbol` (SetFormulas::findSymbol).
CountCheck checkCount(mlir::OpBuilder &b, mlir::BlockArgument argument,
                      loom::SetShapeAttr set, mlir::Value given,
                      mlir::Value symbol);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_SETS_COUNTCHECK_H
