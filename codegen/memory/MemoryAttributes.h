//===- MemoryAttributes.h - marks of operations on memory -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MEMORY_MEMORYATTRIBUTES_H
#define BROADLOOM_CODEGEN_MEMORY_MEMORYATTRIBUTES_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace broadloom::codegen {

/// Of a load or store: strides may be negative, so that address arithmetic must
/// not take them for unsigned numbers.
inline constexpr llvm::StringLiteral kOfAnyStrides = "loom.any_strides";
/// Of a load or store: lists of LLVM's scopes, in which it is, and of accesses
/// that it does not overlap with.
inline constexpr llvm::StringLiteral kAliasScopes = "loom.alias_scopes";
inline constexpr llvm::StringLiteral kNoAlias = "loom.noalias";
/// Of a `memref.alloca`: it has a slot on the stack.
inline constexpr llvm::StringLiteral kStackSlot = "loom.stack_slot";
/// Of memory, and of the operation that frees it, which belongs to a scope and
/// not to the program.
inline constexpr llvm::StringLiteral kOfScope = "loom.of_scope";
/// Of a `memref.get_global`: its memory has a block (BroadloomBlock).
inline constexpr llvm::StringLiteral kOfProgram = "loom.of_program";
/// The names of the blocks of globals begin so.
inline constexpr llvm::StringLiteral kBlockPrefix = "loom_block_";

/// Of a loop: there is another version of it for memory that does not overlap,
/// or it is that one.
inline constexpr llvm::StringLiteral kHasVersions = "loom.has_versions";
/// Of the branch that has a nest which a schedule has edited, and the nest as
/// it was.
inline constexpr llvm::StringLiteral kEdited = "loom.edited";
/// Of loops that a schedule has parallel, the place of this edit, and of those
/// in vectors, their elements and what errors call the loop.
inline constexpr llvm::StringLiteral kOnThreads = "loom.on_threads";
inline constexpr llvm::StringLiteral kVectorLanes = "loom.vector_lanes";
inline constexpr llvm::StringLiteral kVectorLoop = "loom.vector_loop";
/// Of a call of a function that has the iterations of a loop: they may run in
/// any order (broadloomRunLoop).
inline constexpr llvm::StringLiteral kParallelLoop = "loom.parallel_loop";

/// Of an LLVM function that was written as loops over memory.
inline constexpr llvm::StringLiteral kLoopsAttribute = "loom-loops";

/// Of a function over memory: the numbers of its arguments that are tensors.
inline constexpr llvm::StringLiteral kTensorArguments = "loom.tensor_arguments";

/// Marks all accesses in `op`, whose memory may be the caller's.
inline void allowAnyStrides(mlir::Operation *op) {
  op->walk([](mlir::Operation *access) {
    if (llvm::isa<mlir::memref::LoadOp, mlir::memref::StoreOp>(access))
      access->setAttr(kOfAnyStrides, mlir::UnitAttr::get(access->getContext()));
  });
}

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MEMORY_MEMORYATTRIBUTES_H
