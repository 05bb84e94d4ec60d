//===- ProjectedBounds.h - bounds of loops in another order -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops that stand in each other, such as those of a triangle, have bounds that
// depend on the loops around them. In another order the bounds of each loop are
// a projection of the band's iterations on this loop and those around it.
//
// Invariant: loops with these bounds have the iterations of the band, each
// once. An outer loop may have iterations in which the loops inside have none.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_SCHEDULE_PROJECTEDBOUNDS_H
#define BROADLOOM_CODEGEN_SCHEDULE_PROJECTEDBOUNDS_H

#include "codegen/schedule/LoopEdit.h"
#include "legalize/memory/NestNumbers.h"
#include "poly/Relation.h"

namespace broadloom::codegen {

class ProjectedBounds {
public:
  /// Of loops that stand in each other with nothing beside them but arithmetic.
  /// Where the bounds cannot be read, `because` says why.
  ProjectedBounds(mlir::RewriterBase &b, llvm::ArrayRef<mlir::scf::ForOp> loops,
                  const InTiles &inTiles = InTiles());

  /// Finds the bounds of the loops in `order`. False, with `because`, if they
  /// are not known. Tiles need no first iterations.
  bool project(llvm::ArrayRef<int64_t> order, bool ofTiles = false);
  /// The first value and the end of the loop at `position` of the order, where
  /// the loops in front of it have `variables`.
  std::pair<mlir::Value, mlir::Value>
  compute(size_t position, llvm::ArrayRef<mlir::Value> variables);
  /// The step of the loop at that position.
  int64_t getStep(size_t position) const {
    return isEmpty ? 1 : placed[position].step;
  }
  /// In all loops: whether the program has an iteration with these variables.
  /// Null for always: a loop whose step is not 1 and whose first iteration
  /// depends on one that stands inside of it has numbers that are none.
  mlir::Value computeIsOfGrids(llvm::ArrayRef<mlir::Value> variables);
  /// The first multiple of `size` and the end of tiles which have all values of
  /// the loop at the first position.
  std::pair<mlir::Value, mlir::Value> computeTiles(int64_t size);

  std::string because;
  /// The loop that `because` is about.
  mlir::scf::ForOp culprit;

private:
  /// A loop as inequalities of its variable.
  struct Loop {
    poly::Form variable;
    poly::Rows lowers, uppers;
    int64_t step;
  };
  /// What the loop at one position of the order keeps.
  struct Placed {
    /// Of a loop whose step is not 1, `origin` has its first iteration.
    poly::Rows origin, rows;
    int64_t step;
    /// The first iteration, where it depends on loops inside.
    poly::Rows asked;
  };

  /// A number that a bound is the least or the greatest of, before it is read:
  /// `added` and `value`, or `added` and `expr`, which the map of `of` has.
  struct Open {
    mlir::Value value;
    mlir::AffineExpr expr;
    mlir::Operation *of;
    poly::Form added;
  };

  bool readBounds(mlir::scf::ForOp loop, mlir::Value bound, bool isUpper,
                  const poly::Form &variable, poly::Rows &rows);
  bool splitBound(const Open &bound, bool isUpper,
                  llvm::SmallVectorImpl<Open> &open);
  std::optional<poly::Form> readForm(mlir::Value value);
  std::optional<poly::Form> readForm(const Open &bound);
  bool isAffine(const poly::Form &form) const;
  bool dependsOnBand(const poly::Form &form) const;
  std::optional<poly::Row> removeQuotients(poly::Form form) const;
  bool refuse(const llvm::Twine &text, mlir::scf::ForOp loop);

  std::optional<size_t> getLast(const poly::Form &form) const;
  mlir::Value compute(const poly::Form &form);
  /// The least value of the variable at `position` for which the row holds, or
  /// the one behind the greatest.
  mlir::Value solve(const poly::Row &row, size_t position);
  llvm::SmallVector<mlir::Value> solveAll(const poly::Rows &rows,
                                          size_t position, bool ofUppers);
  mlir::Value getNumber(int64_t value);

  mlir::RewriterBase &b;
  llvm::SmallVector<mlir::scf::ForOp> loops;
  const mlir::Location loc;
  const legalize::ExtentRoots roots;
  legalize::NestNumbers numbers;
  std::vector<Loop> read;
  /// Values of the band's symbols that are read as they are.
  std::vector<std::pair<poly::Variable, mlir::Value>> opaque;

  /// Of the order: the loops are the outputs.
  poly::Relation relation{{}};
  std::vector<Placed> placed;
  /// Those of the program's loops.
  llvm::SmallVector<int64_t> steps;
  /// Whether the loops have no iterations.
  bool isEmpty = false;
  std::vector<mlir::Value> symbols, variables;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_SCHEDULE_PROJECTEDBOUNDS_H
