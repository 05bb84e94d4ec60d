//===- GuardMessage.h - what guards and errors say --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The messages of shape/Message.h for one statement of a constraint: as an
// error of the compiler, and as a guard's template with the extents that fill
// it (rt-2).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_CONSTRAINTS_GUARDMESSAGE_H
#define BROADLOOM_INFER_CONSTRAINTS_GUARDMESSAGE_H

#include "infer/analysis/ConstraintAnswers.h"
#include "infer/report/ReportRow.h"

#include "mlir/IR/Location.h"

#include <string>
#include <vector>

namespace broadloom::infer {

/// A value that a template needs: an extent, or the rank or the shape of
/// `node`.
struct TemplateValue {
  enum class Kind { Extent, Rank, Shape };
  Kind kind;
  Extent extent;
  NodeId node = 0;
};

/// The template of a guard for `constraint`; `values` are those of {0}, {1},
/// ...
std::string makeTemplate(ShapeAnalysis &analysis,
                         const ConstraintAnswer &answered,
                         const ShapeConstraint &constraint,
                         std::vector<TemplateValue> &values);

/// The error that `constraint` does not hold, with the known extents; unknown
/// ones are `?`.
std::string makeError(ShapeAnalysis &analysis, const ConstraintAnswer &answered,
                      const ShapeConstraint &constraint);

/// The statement that `constraint` requires, in the same spelling.
std::string makeStatement(ShapeAnalysis &analysis,
                          const ConstraintAnswer &answered,
                          const ShapeConstraint &constraint);

/// The reason why `constraint` is proved, refuted or left to run time, for a
/// report.
std::string makeReason(ShapeAnalysis &analysis,
                       const ConstraintAnswer &answered,
                       const ShapeConstraint &constraint, const Answer &answer);

/// The same for a condition. In a statement, unknown numbers have the names of
/// their symbols; in an error they are `?` with their origin: `? (axis 0 of
/// argument 1)`.
std::string makeError(ShapeAnalysis &analysis, loom::ConstrainOp constrain);
std::string makeStatement(ShapeAnalysis &analysis, loom::ConstrainOp constrain);
std::string makeReason(ShapeAnalysis &analysis, loom::ConstrainOp constrain,
                       const Answer &answer);
/// The statement of a guard of the program itself.
std::string makeStatement(ShapeAnalysis &analysis, loom::RequireOp guard);

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_CONSTRAINTS_GUARDMESSAGE_H
