//===- FunctionPiece.h - operations that become a function ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A piece is some operations of one block of a function over memory. What it
// has in common with the rest are its inputs, which become arguments, and its
// outputs, which become results. Constants, and the addresses of globals, are
// copied into it, so that LLVM knows there what it knew.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MEMORY_FUNCTIONPIECE_H
#define BROADLOOM_CODEGEN_MEMORY_FUNCTIONPIECE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

#include <optional>

namespace broadloom::codegen {

/// The functions over memory of a program that has more than `longest`
/// operations in them; none of a shorter program.
llvm::SmallVector<mlir::func::FuncOp> findLongProgram(mlir::ModuleOp module,
                                                      size_t longest);

using Piece = llvm::SmallVector<mlir::Operation *>;

/// The operations of the piece with those in their regions.
llvm::DenseSet<mlir::Operation *> findInside(const Piece &piece);

/// Whether nothing in `op` depends on the function that it stands in: memory of
/// its block, the depth of its recursion, or a site of a profile.
bool canBecomePiece(mlir::Operation &op, const llvm::StringSet<> &recursive);

/// What is copied into each piece: a number, or memory that LLVM knows.
bool isCopied(mlir::Operation *op);

/// Whether `value` can be an argument of a function: as a word or less, or as
/// memory.
bool canBePassed(mlir::Value value);

struct PieceInterface {
  llvm::SetVector<mlir::Operation *> copied;
  llvm::SetVector<mlir::Value> inputs;
  llvm::SmallVector<mlir::Value> outputs;
};

/// What the piece needs and gives; nothing where no function can. Constants
/// that `isCopied` does not accept are inputs.
std::optional<PieceInterface>
findInterface(const Piece &piece,
              const llvm::DenseSet<mlir::Operation *> &inside,
              llvm::function_ref<bool(mlir::Operation *)> isCopied);

/// Makes a private function over memory without a body, which is not inlined.
/// `attributes` are LLVM's.
mlir::func::FuncOp
makePrivateFunction(mlir::Location loc, const llvm::Twine &name,
                    mlir::TypeRange inputs, mlir::TypeRange outputs,
                    llvm::ArrayRef<llvm::StringRef> attributes = {});

/// The same for a piece of that number: it would be part of a long function
/// again if it were inlined.
mlir::func::FuncOp
makePieceFunction(mlir::Location loc, unsigned number, mlir::TypeRange inputs,
                  mlir::TypeRange outputs,
                  llvm::ArrayRef<llvm::StringRef> attributes = {});

/// Moves the piece to a private function behind `from`, which is called in its
/// place, and returns the function. `attributes` are LLVM's.
mlir::func::FuncOp movePiece(const Piece &piece,
                             const llvm::DenseSet<mlir::Operation *> &inside,
                             const PieceInterface &interface,
                             llvm::ArrayRef<llvm::StringRef> attributes,
                             unsigned number, mlir::func::FuncOp from,
                             mlir::SymbolTable &symbols);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MEMORY_FUNCTIONPIECE_H
