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
#include "llvm/ADT/DenseSet.h"

namespace broadloom::legalize {

class NestPlaces {
public:
  explicit NestPlaces(mlir::func::FuncOp func);

  struct Place {
    /// The operation of the function's first block in front of which the guard
    /// stands.
    mlir::Operation *point;
    bool isAtEntry;
    /// The branches around the nest, the outermost first, and whether it is in
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

  /// Moves what the guard needs in front of its place, where the builder then
  /// inserts it.
  mlir::OpBuilder open(const Place &place);

private:
  /// The number of the allocation behind which a value can be computed, or one
  /// of these.
  enum : unsigned { kEntry = 0, kNever = ~0u };

  unsigned computeOrigin(mlir::Operation *op) const;
  unsigned getOrigin(mlir::Value value) const;
  mlir::Operation *getPoint(unsigned origin, mlir::Operation *top) const;
  bool mayFree(unsigned origin, mlir::Operation *top) const;
  void raise(const Place &place);

  mlir::Block &entry;
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
