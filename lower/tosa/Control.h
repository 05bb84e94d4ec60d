//===- Control.h - branches and loops of TOSA -------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `tosa.cond_if` and `tosa.while_loop` to `scf`. Upstream's patterns fail if
// one is nested in another.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_TOSA_CONTROL_H
#define BROADLOOM_LOWER_TOSA_CONTROL_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::lower {

/// Replaces all branches and loops of TOSA in `module`.
void lowerControl(mlir::ModuleOp module);

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_TOSA_CONTROL_H
