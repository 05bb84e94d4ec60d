//===- RefineTypes.h - types that say what is known of shapes ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes types of operands and results say what an analysis knows where they
// stand, with `tensor.cast` between those that may say it and those that may
// not. Signatures and the arguments of regions and blocks keep their types. An
// operation that needs a better type gets it by a cast.
//
// Invariant: a cast to a better type stands where what it says is known, so
// behind all constraints that it rests on (rt-8).
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
  explicit TypeRefiner(ShapeAnalysis &analysis) : analysis(analysis) {}

  /// Whether `op` stays valid when its operands and results get their better
  /// types. The verifiers of others may want the types that their own inference
  /// gives, or results tied to operands.
  bool staysValid(mlir::Operation *op, const Outcome &outcome);

  /// Gives operands the best types there are: past casts that are there for
  /// others, and where `casts`, with new casts for what facts say.
  void refineOperands(mlir::Operation *op, bool casts);

  /// Gives operands of unknown rank the rank that is known by now.
  void rankOperands(loom::MapOp map);

  /// Lets a shape query look past casts that say less of the shape.
  void bypassCasts(loom::ShapeOfOp op);

  /// Lets the result's type say its shape. Users of the result get a cast to
  /// the type that it had. A type without a rank gets `encoding` as well, which
  /// may be null. Whether there was anything to say.
  bool refineResult(mlir::OpResult result, mlir::Attribute encoding = {});

private:
  Shape getKnown(mlir::Value value);
  mlir::Value castOperand(mlir::Operation *op, mlir::Value value,
                          mlir::Type type);

  ShapeAnalysis &analysis;
  /// The last cast to a better type of each value.
  llvm::DenseMap<mlir::Value, mlir::Value> casts;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_ANALYSIS_REFINETYPES_H
