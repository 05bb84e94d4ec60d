//===- Companion.h - the shape companion of a function ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A shape companion computes the shapes of a function's results, and fails
// where the function would, from the shapes of the arguments alone (abi-2). It
// takes one index for each extent that an argument's type leaves open and one
// `!loom.shape` for an argument whose rank it leaves open, and returns one
// index for each extent of a result, or its `!loom.shape`.
//
// Invariant: the attribute `loom.companion` of such a function is as
// writeCompanion makes it; readCompanion gives nothing for any other.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_QUERIES_COMPANION_H
#define BROADLOOM_INFER_QUERIES_COMPANION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace broadloom::infer {

/// What a companion says of one extent.
enum class Certainty : int32_t {
  Exact = 0,
  /// It is at most this: data decides.
  Bound = 1,
  /// Data decides, and nothing is known; the value is -1.
  Unknown = 2,
};

struct CompanionInfo {
  /// The name and type of the function that is accompanied, and whether
  /// whoever has the program can call it.
  llvm::StringRef of;
  mlir::FunctionType type;
  bool isPublic = false;
  /// One for each extent of each result; none for a result whose rank is known
  /// at run time only.
  llvm::SmallVector<std::optional<llvm::SmallVector<Certainty>>> results;
};

void writeCompanion(mlir::func::FuncOp companion, const CompanionInfo &info);
std::optional<CompanionInfo> readCompanion(mlir::func::FuncOp func);

/// The attribute of a function that has no companion: why.
constexpr llvm::StringLiteral kNoCompanion = "loom.no_companion";

/// Makes the companions of all functions in `module` that can have one, and
/// sets kNoCompanion on the others. They call each other where the functions
/// do.
void makeCompanions(mlir::ModuleOp module);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_QUERIES_COMPANION_H
