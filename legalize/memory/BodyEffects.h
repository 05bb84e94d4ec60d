//===- BodyEffects.h - what the body of a function does ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to EffectSets and BindExternals, which reads a body that has taken
// those of its calls.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_BODYEFFECTS_H
#define BROADLOOM_LEGALIZE_MEMORY_BODYEFFECTS_H

#include "legalize/memory/EffectSets.h"

namespace broadloom::legalize {

/// The effects of the body of `func`. `find` gives those of a called function,
/// or null if nothing is known of it. Calls read the first few sets of
/// each called function, and `moreSets`, which counts down, in all.
FunctionEffects readBodyEffects(
    mlir::func::FuncOp func, size_t &moreSets,
    llvm::function_ref<const FunctionEffects *(mlir::func::CallOp)> find);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_BODYEFFECTS_H
