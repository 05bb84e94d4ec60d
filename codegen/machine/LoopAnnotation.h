//===- LoopAnnotation.h - what LLVM is told of loops ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MACHINE_LOOPANNOTATION_H
#define BROADLOOM_CODEGEN_MACHINE_LOOPANNOTATION_H

#include "llvm/ADT/StringRef.h"

namespace broadloom::codegen {

/// The attribute of LLVM's dialect that upstream's patterns hand on from a loop
/// to the branch that closes it. That branch has it as a property.
inline constexpr llvm::StringLiteral kLoopAnnotation = "llvm.loop_annotation";

/// Of LLVM's metadata of a loop that a schedule has as vectors: what errors
/// call it. Before, that is the name of the location of the branch.
inline constexpr llvm::StringLiteral kLoopText = "loom.loop";

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MACHINE_LOOPANNOTATION_H
