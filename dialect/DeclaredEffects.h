//===- DeclaredEffects.h - effects that a function declares -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The attribute `loom.effects` where it is a dictionary of sets (ffi-4).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_DECLAREDEFFECTS_H
#define BROADLOOM_DIALECT_DECLAREDEFFECTS_H

#include "dialect/LoomDialect.h"
#include "poly/Relation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace broadloom::loom {

/// Whether an argument of the type is a number that sets may have.
bool isScalar(mlir::Type type);

/// What a list of sets says.
struct EffectKind {
  bool isWrite;
  /// Whether each call that returns has accessed all of it.
  bool isSure;

  bool operator==(EffectKind other) const {
    return isWrite == other.isWrite && isSure == other.isSure;
  }
};

/// In the order in which they are printed.
inline constexpr EffectKind kEffectKinds[] = {
    {false, true}, {true, true}, {false, false}, {true, false}};

/// "reads", "writes", "may_reads", "may_writes".
llvm::StringRef getKey(EffectKind kind);

struct DeclaredSet {
  EffectKind kind;
  /// Of the list.
  size_t number;
  AccessSetAttr access;
};

/// The sets that `func` declares, in the order of the kinds. None if it
/// declares none, or names a function.
llvm::SmallVector<DeclaredSet> getDeclaredSets(mlir::func::FuncOp func);

/// Whether no memory of the type has an element that is an output.
bool isOutside(const poly::Relation &relation, mlir::MemRefType type);

/// Whether the sets of `func`, if it declares some, are about arguments that it
/// has, are bounded, and are not twice there. Fails after an error.
llvm::LogicalResult verifyDeclaredSets(mlir::func::FuncOp func);

/// "entry 0 of 'reads' in 'loom.effects' of '@f'".
std::string describe(const DeclaredSet &set, mlir::func::FuncOp func);

} // namespace broadloom::loom

#endif // BROADLOOM_DIALECT_DECLAREDEFFECTS_H
