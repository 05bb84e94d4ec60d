//===- ClearArithmeticFlags.h - arithmetic without flags --------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_CLEARARITHMETICFLAGS_H
#define BROADLOOM_LEGALIZE_CLEARARITHMETICFLAGS_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::legalize {

/// Removes the flags `nsw`, `nuw` and `exact`, because overflow wraps and
/// division rounds (rt-13), those of fast-math (el-11), which additions and
/// multiplications in loops over memory keep as an attribute (mem-16), and the
/// rounding mode that is the default. Arithmetic that only constraints read
/// keeps `nsw`, which there means mathematical integers.
void clearArithmeticFlags(mlir::ModuleOp module);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_CLEARARITHMETICFLAGS_H
