//===- FusePasses.h - fusion of maps ----------------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass loom-fuse-maps; driver/Pipeline orders it.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_FUSEPASSES_H
#define BROADLOOM_LOWER_FUSEPASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace broadloom::lower {

#define GEN_PASS_DECL
#include "lower/FusePasses.h.inc"

#define GEN_PASS_REGISTRATION
#include "lower/FusePasses.h.inc"

/// Most operands of a map that fusion makes: the code that cuts its body into
/// stages tracks dependence on operands in a word.
constexpr unsigned kMaxFusedOperands = 62;

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_FUSEPASSES_H
