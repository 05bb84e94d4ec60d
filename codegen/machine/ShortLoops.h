//===- ShortLoops.h - loops of few iterations -------------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's vectoriser leaves loops behind its own one that run for the rest of
// the iterations. Nothing in the IR says that they are few, but they begin
// where a multiple of the vector's length ends, or at 0 where a branch has
// found too few iterations for a vector.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MACHINE_SHORTLOOPS_H
#define BROADLOOM_CODEGEN_MACHINE_SHORTLOOPS_H

#include <cstdint>

namespace llvm {
class Value;
} // namespace llvm

namespace broadloom::codegen {

/// Whether a counter that grows from `first` by `step`, which is positive,
/// surely meets `bound` within so many steps.
bool meetsSoon(const llvm::Value *first, const llvm::Value *bound, int64_t step,
               int64_t steps);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINE_SHORTLOOPS_H
