//===- Passes.h - fusion of maps --------------------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The passes that fuse; driver/passes/Pipeline orders them.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_FUSE_PASSES_H
#define BROADLOOM_LOWER_FUSE_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace broadloom::lower {

#define GEN_PASS_DECL
#include "lower/fuse/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "lower/fuse/Passes.h.inc"

/// The most operands of a fused map: the partition into stages tracks
/// dependence on operands in a word.
constexpr unsigned kMaxFusedOperands = 62;

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_FUSE_PASSES_H
