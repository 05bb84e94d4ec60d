//===- GuardBuilder.h - guards, where they are to stand ---------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes the guard for one statement of a constraint: its condition, the values
// of its message, and its position. A guard that needs only arguments and lies
// on every path stands at the function's entry (rt-1); one in a loop whose
// values do not change in the loop stands before it, and passes if the loop has
// no iteration; any other stands as early in its block as its values allow.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_GUARDBUILDER_H
#define BROADLOOM_INFER_CONSTRAINTS_GUARDBUILDER_H

#include "infer/analysis/ConstraintAnswers.h"
#include "infer/constraints/ExtentEmitter.h"

namespace broadloom::infer {

class GuardBuilder {
public:
  GuardBuilder(mlir::FunctionOpInterface func, ShapeAnalysis &analysis)
      : analysis(analysis), emitter(func, analysis) {}

  /// The guard for a statement of `op`, a constraint over shapes; `never`: the
  /// guard always fails.
  void insert(mlir::Operation *op, const ConstraintAnswer &answered,
              const ShapeConstraint &constraint, bool never = false);
  /// The guard for a condition on values. It stands where the condition is
  /// computed, or earlier if it depends on extents alone.
  void insert(loom::ConstrainOp op);
  /// Emits the guard again as early as its shapes are available (rt-1). False
  /// if it reads data and stays where it is.
  bool hoist(loom::RequireFunctionOp op);

private:
  /// The position of a guard, and conditions under which it passes regardless.
  struct Site {
    EmissionPoint point;
    llvm::SmallVector<ConditionId> unless;
  };

  /// The position of the guard for `op`, whose values are available at
  /// `needed`.
  Site getSite(mlir::Operation *op, EmissionPoint needed);
  mlir::Value addUnless(const Site &site, mlir::Location loc,
                        mlir::Value condition);
  mlir::Value getSide(mlir::Location loc, Extent extent, EmissionPoint &needed);
  bool insertRank(loom::ConstrainOp op);
  void insertUnranked(mlir::Operation *op, const ConstraintAnswer &answered);
  mlir::Value getRank(mlir::Location loc, NodeId node);
  bool isOfExtents(loom::ConstrainOp op);
  mlir::StringAttr
  addOperands(loom::ConstrainOp op, llvm::SmallVector<mlir::Value> &values,
              llvm::function_ref<mlir::Value(mlir::Value extent)> show);

  ShapeAnalysis &analysis;
  ExtentEmitter emitter;
  llvm::DenseMap<NodeId, mlir::Value> ranks;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_GUARDBUILDER_H
