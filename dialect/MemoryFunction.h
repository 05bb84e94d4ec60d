//===- MemoryFunction.h - functions over memory -----------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function is over tensors or over memory. Legalization marks those over
// memory; later passes of either kind look at the mark alone.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_MEMORYFUNCTION_H
#define BROADLOOM_DIALECT_MEMORYFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace broadloom::loom {

inline constexpr llvm::StringLiteral kMemoryFunction = "loom.memory";

/// The function that tells what a function of another library reads and writes
/// (ffi-1), or sets of elements (ffi-4).
inline constexpr llvm::StringLiteral kEffects = "loom.effects";
/// Of a function of another library: how it gets memory, as "pointers" or as
/// "descriptors".
inline constexpr llvm::StringLiteral kConvention = "loom.convention";
/// Of a function that tells the effects of a well-known one, and of those that
/// it calls: messages name that one, and the place of its declaration (ffi-2).
inline constexpr llvm::StringLiteral kKnownEffects = "loom.known_effects";

/// Of an access that a guard in front of its loops covers.
inline constexpr llvm::StringLiteral kChecked = "loom.checked";
/// Of an access that stands for its check alone.
inline constexpr llvm::StringLiteral kCheckOnly = "loom.check_only";

/// Of a store that combines an element with a number, where several elements
/// may have one place (mem-17).
inline constexpr llvm::StringLiteral kAccumulates = "loom.accumulates";

/// Of the branch that finds the failing access of a nest. A program takes it to
/// fail, or where its numbers are too large for the guard in front of the nest.
inline constexpr llvm::StringLiteral kFindsFailure = "loom.finds_failure";

/// Of an addition or a multiplication of floats in a loop over memory: the
/// flags of fast-math that the program gives it (mem-16, sch-3).
inline constexpr llvm::StringLiteral kFastMath = "loom.fastmath";

/// Of a loop: the name by which a schedule finds it (sch-2).
inline constexpr llvm::StringLiteral kLoopName = "loom.loop";

/// Of memory that an edit of a schedule has made: what it has a copy of, as
/// errors call that. And of the loops that copy elements (sch-19).
inline constexpr llvm::StringLiteral kCopyOf = "loom.copy_of";
inline constexpr llvm::StringLiteral kCopies = "loom.copies";

/// Of arithmetic that an edit of a schedule has put in front of a loop: its
/// result is no number of which nothing is known.
inline constexpr llvm::StringLiteral kOfBounds = "loom.of_bounds";

/// Whether `summary`, a function with a body or with sets, can tell the effects
/// of `func`: it has the same arguments, and the same results where both have
/// some. Memory that a body only loads, stores and asks for its extents, or
/// that sets are about, may be of another layout, other extents and another
/// space.
bool fitsEffects(mlir::func::FuncOp func, mlir::func::FuncOp summary);

/// Whether `op` is, or stands in, a function of a program over memory.
inline bool isOverMemory(mlir::Operation *op) {
  auto func = llvm::dyn_cast<mlir::func::FuncOp>(op);
  if (!func)
    func = op->getParentOfType<mlir::func::FuncOp>();
  return func && func->hasAttr(kMemoryFunction);
}

/// The functions of `module` that are over memory.
llvm::SmallVector<mlir::func::FuncOp> getMemoryFunctions(mlir::ModuleOp module);

} // namespace broadloom::loom

#endif // BROADLOOM_DIALECT_MEMORYFUNCTION_H
