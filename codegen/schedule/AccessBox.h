//===- AccessBox.h - what a loop touches of a memref ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The elements of a memref that one execution of a loop touches, as the least
// and the greatest index of each axis. These are projections of the iterations
// on subscripts, in terms of the loops around the loop and of numbers in front
// of the nest.
//
// Invariant: all elements that the loop touches are in the box. The box may
// have others, also where the loop has no iterations, and indices that are
// outside of the memref.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_SCHEDULE_ACCESSBOX_H
#define BROADLOOM_CODEGEN_SCHEDULE_ACCESSBOX_H

#include "legalize/memory/LoopAccesses.h"
#include "poly/OutputBounds.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace broadloom::codegen {

class AccessBox {
public:
  /// Of the accesses of `loop` to `memory`, which is a memref in front of the
  /// nest. `facts` has been read from the outermost loop on.
  AccessBox(mlir::scf::ForOp loop, const legalize::LoopAccesses &facts,
            mlir::Value memory);

  /// How many indices of an axis there are at most: a constant, or the value of
  /// a form of symbols. Neither where that depends on loops.
  struct Size {
    std::optional<int64_t> constant;
    std::optional<poly::Form> form;
    bool isKnown() const { return constant || form; }
  };
  Size getSize(unsigned axis) const;
  /// Computes that form.
  mlir::Value compute(mlir::RewriterBase &b, const poly::Form &form) const;

  /// Whether the loop may store: false where no store surely ever runs.
  bool mayStore() const;

  /// The least index and the one behind the greatest, where `b` inserts, which
  /// is in the loops around the loop. Null where there is no bound.
  std::pair<mlir::Value, mlir::Value>
  compute(mlir::RewriterBase &b, unsigned axis, bool ofWritten) const;

private:
  /// The least index is the greatest of `lowers`, the greatest one the least of
  /// `uppers`.
  struct Interval {
    std::vector<poly::Bound> lowers, uppers;
  };
  struct Axis {
    std::vector<Interval> touched, written;
  };
  using Access = legalize::LoopAccesses::Access;

  void read(const Access &access, const legalize::LoopAccesses &facts);
  void add(const Access &access, const poly::Row &index, unsigned axis,
           poly::Rows rows);
  Interval getInterval(const poly::Rows &rows) const;
  std::optional<poly::Bound> getBound(const poly::Row &row, bool isUpper) const;
  bool isKnown(const poly::Form &form, bool ofSymbols) const;
  Size getDistance(const Interval &from, const Interval &to) const;
  mlir::Value compute(mlir::RewriterBase &b, const poly::Bound &bound,
                      bool isUpper) const;
  mlir::Value join(mlir::RewriterBase &b, llvm::ArrayRef<poly::Bound> bounds,
                   bool isUpper) const;

  mlir::scf::ForOp loop;
  llvm::SmallVector<mlir::scf::ForOp> around;
  llvm::SmallVector<legalize::NestSymbol> symbols;
  poly::Relation relation{{}};
  std::vector<Axis> axes;
  /// Whether some access has no bounds that are known.
  bool isOpen = false;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_SCHEDULE_ACCESSBOX_H
