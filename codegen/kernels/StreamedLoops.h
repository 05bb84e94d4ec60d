//===- StreamedLoops.h - kernels that store past the caches -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel of a few operations is bound by memory. If its result is larger than
// the caches (decision 6), it stores past them, in a second copy of its loop;
// other kernels compute into a buffer, which the runtime copies. On Intel's
// processors, kernels with one or two mathematical functions have such a copy
// too, and it prefetches operands (decision 35).
//
// Invariant: the copy is made after vectorisation, because LLVM does not
// vectorise loops with such stores if it cannot see their alignment.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_KERNELS_STREAMEDLOOPS_H
#define BROADLOOM_CODEGEN_KERNELS_STREAMEDLOOPS_H

#include "codegen/kernels/StagePartition.h"
#include "codegen/target/CodeTarget.h"

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Function;
class TargetMachine;
} // namespace llvm

namespace broadloom::codegen {

/// Attribute of kernels that get a second loop.
inline constexpr llvm::StringLiteral kStreamsAttribute = "loom-streams";

/// Whether the kernel of `stage` is bound by memory, or can prefetch while it
/// computes.
bool isWorthStreamedLoop(const Stage &stage, const VectorUnit &unit);

/// Adds the second loop to a vectorised strip kernel that has the attribute.
/// Does nothing for targets without such stores.
void addStreamedLoop(llvm::Function &kernel, const llvm::TargetMachine &target);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_KERNELS_STREAMEDLOOPS_H
