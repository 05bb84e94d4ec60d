//===- ForwardCopies.h - copies that contractions do not need ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs copy tiles to a scratchpad: memory of a function's own. A kernel
// lays out its factors anyway. So a nest that is a contraction reads what was
// copied, and the copy is removed, where the copy is all that is written to the
// scratchpad, contractions alone read it, behind the copy and no more than it
// has written, and nothing changes what was copied before they have.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MEMORY_FORWARDCOPIES_H
#define BROADLOOM_CODEGEN_MEMORY_FORWARDCOPIES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace broadloom::codegen {

/// A nest that copies to a scratchpad.
struct ScratchCopy {
  mlir::Location nest;
  /// The memory, in words.
  std::string source, target;
  /// Why the copy is kept; empty if it was removed.
  std::string because;
  /// The scratchpad if the copy is kept; null otherwise.
  mlir::Value kept = {};
};

/// Removes the copies that contractions do not need from a function behind its
/// guards. Gives all copies.
std::vector<ScratchCopy> forwardCopies(mlir::func::FuncOp func);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MEMORY_FORWARDCOPIES_H
