//===- RefineTypes.h - types that say what is known of shapes ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Refines the types of operands and results to what an analysis knows, with
// `tensor.cast` between values that may be refined and values that may not.
// Signatures and the arguments of regions and blocks keep their types. An
// operation that needs a better type gets it by a cast.
//
// Invariant: a cast to a better type stands after all constraints from which
// the type follows (rt-8).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_ANALYSIS_REFINETYPES_H
#define BROADLOOM_INFER_ANALYSIS_REFINETYPES_H

#include "infer/analysis/ShapeAnalysis.h"

namespace broadloom::infer {

/// The encoding that a shape function gives a tensor; null where that is none.
mlir::Attribute getEncoding(const ResultComponents &components);

class TypeRefiner {
public:
  /// What types get: all that is known, or ranks with all extents open.
  enum class Precision { Extents, Ranks };

  explicit TypeRefiner(ShapeAnalysis &analysis,
                       Precision precision = Precision::Extents)
      : analysis(analysis), precision(precision) {}

  /// Checks an operation; what it reports is dropped.
  using Verify = llvm::function_ref<llvm::LogicalResult(mlir::Operation *op)>;

  /// Whether `op` stays valid when its operands (see refineOperands) and
  /// results get their better types. Verifiers may require the types that the
  /// operation's own inference gives, or results of the operands' types.
  bool staysValid(mlir::Operation *op, const Outcome &outcome, bool casts,
                  Verify verifies);

  /// Gives operands the best available types: bypasses casts to less precise
  /// types, and with `casts` adds casts for what facts say.
  void refineOperands(mlir::Operation *op, bool casts);

  /// Gives operands of unknown rank the rank that is known.
  void rankOperands(loom::MapOp map);

  /// Makes `op` read the source of casts to less precise types.
  void bypassCasts(loom::ShapeOfOp op);

  /// Refines the result's type to its known shape. Users of the result get a
  /// cast to the old type. A type without a rank also gets `encoding`, which
  /// may be null. Returns whether the type changed.
  bool refineResult(mlir::OpResult result, mlir::Attribute encoding = {});

private:
  /// What types may show of a shape.
  Shape getShown(const Shape &shape) const;
  Shape getKnown(mlir::Value value);
  /// The type of a tensor with what is known; null if that is not better.
  mlir::Type getBetter(mlir::Value value);
  mlir::Value castOperand(mlir::Operation *op, mlir::Value value,
                          mlir::Type type);

  ShapeAnalysis &analysis;
  Precision precision;
  /// The last cast to a better type of each value.
  llvm::DenseMap<mlir::Value, mlir::Value> casts;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_ANALYSIS_REFINETYPES_H
