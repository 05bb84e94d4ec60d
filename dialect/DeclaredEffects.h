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
  /// Whether it is surely written, and not read before by the same argument.
  bool isFirst = false;

  bool operator==(EffectKind other) const {
    return isWrite == other.isWrite && isSure == other.isSure &&
           isFirst == other.isFirst;
  }
};

/// What is read stands in front of what is written.
inline constexpr EffectKind kEffectKinds[] = {{false, true},
                                              {false, false},
                                              {true, true, true},
                                              {true, true},
                                              {true, false}};

/// "reads", "may_reads", "initializes", "writes", "may_writes".
llvm::StringRef getKey(EffectKind kind);

/// Words of `loom.effects` that are about whole calls (ffi-7).
struct EffectPromises {
  /// What a call returns and writes depends on its numbers and on what it is
  /// declared to read alone, and it does nothing else.
  bool isDeterministic = false;
  /// Calls may run at one time, where none writes what another one accesses.
  bool isReentrant = false;
  /// Each call that returns has accessed all that the summary surely does.
  bool isExact = false;
};
inline constexpr llvm::StringLiteral kDeterministic = "deterministic";
inline constexpr llvm::StringLiteral kReentrant = "reentrant";
inline constexpr llvm::StringLiteral kExact = "exact";
EffectPromises getPromises(mlir::func::FuncOp func);

/// The name of the function that tells the effects of `func` by its body
/// (ffi-1) or null: `loom.effects` itself, or `summary` in it.
mlir::FlatSymbolRefAttr getSummary(mlir::func::FuncOp func);
inline constexpr llvm::StringLiteral kSummary = "summary";
/// Whether `loom.effects` of `func` is sets.
bool declaresSets(mlir::func::FuncOp func);

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

/// Whether `loom.effects` of `func`, if it is a dictionary, has the lists and
/// words that there are, and whether the sets are about arguments that `func`
/// has, are bounded, and are not twice there. Fails after an error.
llvm::LogicalResult verifyDeclaredSets(mlir::func::FuncOp func);

/// "entry 0 of 'reads' in 'loom.effects' of '@f'".
std::string describe(const DeclaredSet &set, mlir::func::FuncOp func);

} // namespace broadloom::loom

#endif // BROADLOOM_DIALECT_DECLAREDEFFECTS_H
