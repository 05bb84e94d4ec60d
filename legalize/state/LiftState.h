//===- LiftState.h - variables as arguments and results ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the pass loom-lift-state leaves of `tosa.variable`: each function takes
// the variables that it reads or writes after its other arguments, and returns
// those that it writes after its other results. So variables are ordinary
// values for later passes, a failing call changes none, and the caller keeps
// them between calls (driver/State.h, decision 27).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_STATE_LIFTSTATE_H
#define BROADLOOM_LEGALIZE_STATE_LIFTSTATE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Operation.h"

#include <string>

namespace broadloom::legalize {

/// A variable that a function takes.
struct LiftedVariable {
  std::string name;
  bool isWritten;
  /// Null for zeros.
  mlir::ElementsAttr initial;
};

/// The contents of `loom.state` of `function` (dialect/VariableName.h).
llvm::SmallVector<LiftedVariable> getState(mlir::Operation *function);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_STATE_LIFTSTATE_H
