//===- LoopOrder.h - what an edit of loops must keep ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two accesses to one element, of which one writes, run in the order of the
// program (sch-3). An edit asks about the iterations whose order it changes.
// The answer is a proof, or the edit is refused with two iterations that meet,
// or because it is not known. Sums and the like that may be added in any order
// are left out (eff-3, mem-16).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_SCHEDULE_LOOPORDER_H
#define BROADLOOM_CODEGEN_SCHEDULE_LOOPORDER_H

#include "codegen/memory/MovableValues.h"
#include "legalize/memory/LoopAccesses.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseSet.h"

namespace broadloom::codegen {

/// "loop 'i'", or "the loop at p.mlir:4:5" without a name.
std::string describeLoop(mlir::scf::ForOp loop);

/// Loops with nothing but branches between them around `op`, the outermost
/// first.
llvm::SmallVector<mlir::scf::ForOp> getLoopsAround(mlir::Operation *op);

class LoopOrder {
public:
  /// Of the accesses in `loops`, which are in one function. Where they cannot
  /// be read, `because` says why.
  /// `known` has the effects of called functions, if they do not change
  /// meanwhile; without it they are read where the loops have calls.
  explicit LoopOrder(llvm::ArrayRef<mlir::scf::ForOp> loops,
                     const legalize::CallEffects *known = nullptr);

  using Access = legalize::LoopAccesses::Access;
  using Pairs =
      llvm::function_ref<bool(const Access &first, const Access &second)>;

  /// Whether no two of `pairs` touch one element in iterations of which the
  /// outer loops have `directions`; else `because` says what is known. The
  /// edit runs the second of such iterations first.
  bool mayReverse(const poly::Directions &directions, Pairs pairs);
  bool mayReverse(const poly::Directions &directions) {
    return mayReverse(directions,
                      [](const Access &, const Access &) { return true; });
  }

  /// What answers depend on.
  const legalize::LoopAccesses &getAccesses() const { return facts; }
  std::string because;

private:
  void findUpdates();
  bool compare(const Access &first, const Access &second,
               const poly::Directions &directions);
  std::string describe(const legalize::LoopAccesses::Conflict &conflict) const;

  legalize::ExtentRoots roots;
  std::unique_ptr<legalize::CallEffects> effects;
  legalize::LoopAccesses facts;
  /// Memory that is only updated, in any order; and such whose order counts,
  /// because it has floats.
  llvm::DenseSet<mlir::Value> updated, inOrder;
  size_t questions = 0;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_SCHEDULE_LOOPORDER_H
