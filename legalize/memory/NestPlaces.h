//===- NestPlaces.h - where the guards of loop nests stand ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The guard of a nest stands in front of all that writes memory, if it depends
// on arguments alone and a call reaches the nest whatever it has computed
// before (mem-2, rt-1). What branches decide between the guard and the nest,
// decides about the guard too.
//
// A guard that is about memory made in the function stands behind what makes
// it, unless memory may be freed between that and the nest.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_MEMORY_NESTPLACES_H
#define BROADLOOM_LEGALIZE_MEMORY_NESTPLACES_H

#include "legalize/memory/NestReader.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseSet.h"

namespace broadloom::legalize {

/// Whether a guard must stand in front of `op`. A failure changes nothing but
/// the outcome of the call, so that checks do not count.
bool mayWrite(mlir::Operation &op);

class NestPlaces {
public:
  /// With `hasChecks`, operations of the function that may fail have their
  /// checks already, which would stay behind: they do not move.
  explicit NestPlaces(mlir::func::FuncOp func, bool hasChecks = false);

  struct Place {
    /// The operation of the function's first block in front of which the guard
    /// stands.
    mlir::Operation *point;
    bool isAtEntry;
    /// The branches around it, the outermost first, and whether it is in
    /// the `else` of each.
    llvm::SmallVector<std::pair<mlir::Operation *, bool>> branches;
    /// The values that the guard and these branches need.
    llvm::SmallVector<mlir::Value> needed;
    /// The operation of the first block that has the nest.
    mlir::Operation *top;
  };

  /// The place of the guard for `accesses`; nothing where it is directly in
  /// front of the nest.
  std::optional<Place> find(mlir::Operation *nest,
                            llvm::ArrayRef<CheckedAccess> accesses) const;
  /// The place of what is checked for `op`, a nest or a call, and computed from
  /// `needed`, which may be directly in front of `op`.
  std::optional<Place> find(mlir::Operation *op,
                            llvm::SmallVector<mlir::Value> needed) const;

  /// Moves what the guard needs in front of its place, where the builder then
  /// inserts it.
  mlir::OpBuilder open(const Place &place);
  /// Copies it to another function instead, in which `mapping` has the
  /// arguments and what has been copied before.
  mlir::OpBuilder copy(const Place &place, mlir::OpBuilder b,
                       mlir::IRMapping &mapping) const;

private:
  /// The number of the allocation behind which a value can be computed, or one
  /// of these.
  enum : unsigned { kEntry = 0, kNever = ~0u };

  unsigned computeOrigin(mlir::Operation *op) const;
  unsigned getOrigin(mlir::Value value) const;
  mlir::Operation *getPoint(unsigned origin, mlir::Operation *top) const;
  bool mayFree(unsigned origin, mlir::Operation *top) const;
  llvm::SmallVector<mlir::Operation *>
  listNeeded(const Place &place,
             llvm::function_ref<bool(mlir::Operation *)> isKnown) const;

  mlir::Block &entry;
  bool hasChecks;
  /// By the order of the text, from 1 on.
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
  /// Of operations with results that need not stay where they are.
  llvm::DenseMap<mlir::Operation *, unsigned> origins;
  /// The first operation that may write, behind each origin.
  llvm::DenseMap<unsigned, mlir::Operation *> points;
  /// The numbers of operations that may free memory.
  std::vector<unsigned> frees;
  llvm::DenseSet<mlir::Operation *> raised;
};

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_MEMORY_NESTPLACES_H
