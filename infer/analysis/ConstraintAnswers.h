//===- ConstraintAnswers.h - what is left of a constraint -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decides `loom.constrain_broadcast` and `loom.constrain_result` by the
// algebra, and records the facts that hold after them (sf-11).
//
// Invariant: an answer holds for the facts at the time of the query. Later
// facts may prove an open statement, so that each statement is decided again
// before it becomes a guard (rt-8).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_ANALYSIS_CONSTRAINTANSWERS_H
#define BROADLOOM_INFER_ANALYSIS_CONSTRAINTANSWERS_H

#include "infer/analysis/ShapeAnalysis.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace broadloom::infer {

/// What is known of one constraint operation.
struct ConstraintAnswer {
  /// The operands of the constraint operation.
  std::vector<ShapeInfo> operands;
  /// Their broadcast; for constrain_result, the shape that is compared.
  ShapeInfo inferred;
  /// The declared result, for constrain_result.
  std::optional<Shape> result;
  Answer answer;
  /// The open statements, in order; empty unless the answer is unknown.
  std::vector<ShapeConstraint> open;
  /// The refuted statement; set if and only if the answer is refuted.
  std::optional<ShapeConstraint> error;
};

/// Whether `op` is a constraint over shapes.
bool isShapeConstraint(mlir::Operation *op);

/// The user's operation that the constraint belongs to, e.g. `tosa.add`.
llvm::StringRef getConstrainedOperation(mlir::Operation *constraint);

/// The origin of the facts that a constraint of any kind establishes.
std::string getFactOrigin(mlir::Operation *constraint);

/// Decides a constraint over shapes with the current facts.
ConstraintAnswer answerConstraint(ShapeAnalysis &analysis, mlir::Operation *op);

/// Decides one of its statements again.
Answer answerAgain(const ShapeAnalysis &analysis,
                   const ConstraintAnswer &answered,
                   const ShapeConstraint &constraint);

/// The reason for which a constraint was proved as a whole, with the fact that
/// decided it if there is one.
std::string explainProof(const ShapeAnalysis &analysis,
                         const ConstraintAnswer &answered);

/// Records that a statement holds from here on; `origin` says why. rt-8
void establish(ShapeAnalysis &analysis, const ConstraintAnswer &answered,
               const ShapeConstraint &constraint, std::string_view origin = {});

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_ANALYSIS_CONSTRAINTANSWERS_H
