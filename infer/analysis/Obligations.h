//===- Obligations.h - what is left of an obligation ------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The questions that `loom.oblige_broadcast` and `loom.oblige_result` ask of
// the algebra, and what is known once they are answered (sf-11).
//
// Invariant: an answer belongs to the moment of asking. Facts learned since may
// prove what was open, so that each statement is asked again before it becomes
// a guard (rt-8).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_ANALYSIS_OBLIGATIONS_H
#define BROADLOOM_INFER_ANALYSIS_OBLIGATIONS_H

#include "infer/analysis/ShapeAnalysis.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace broadloom::infer {

/// One obligation operation, asked.
struct Inquiry {
  /// Of the operation that obliges.
  std::vector<ShapeInfo> operands;
  /// Their broadcast; for oblige_result, the shape that is compared.
  ShapeInfo inferred;
  /// The declared result, for oblige_result.
  std::optional<Shape> result;
  Answer answer;
  /// What must still hold, in order; empty unless the answer is unknown.
  std::vector<Obligation> open;
  /// What does not hold; set if and only if the answer is refuted.
  std::optional<Obligation> error;
};

/// Whether `op` is an obligation over shapes.
bool isShapeObligation(mlir::Operation *op);

/// The operation that obliges, as the user wrote it, e.g. `tosa.add`.
llvm::StringRef getObliger(mlir::Operation *obligation);

/// Why what an obligation of any kind asks for is a fact behind it.
std::string getFactOrigin(mlir::Operation *obligation);

/// Asks what is known of an obligation over shapes.
Inquiry inquire(ShapeAnalysis &analysis, mlir::Operation *op);

/// Asks again about one of its statements.
Answer askAgain(const ShapeAnalysis &analysis, const Inquiry &inquiry,
                const Obligation &obligation);

/// Why an obligation that was proved whole holds, with the fact that settled
/// it if there is one.
std::string explainProof(const ShapeAnalysis &analysis, const Inquiry &inquiry);

/// Records that a statement holds from here on; `origin` says why. rt-8
void establish(ShapeAnalysis &analysis, const Inquiry &inquiry,
               const Obligation &obligation, std::string_view origin = {});

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_ANALYSIS_OBLIGATIONS_H
