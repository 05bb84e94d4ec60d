//===- SameShapes.h - which operands have a map's own shape -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each map of a function, which of its operands are proved to have its own
// shape where it stands. A pass that walks over the function anyway fills it in
// and preserves it, so that fusion need not walk again, and knows what shape
// functions and calls say.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_ANALYSIS_SAMESHAPES_H
#define BROADLOOM_INFER_ANALYSIS_SAMESHAPES_H

#include "infer/analysis/ShapeAnalysis.h"

namespace broadloom::infer {

/// An analysis of MLIR's analysis manager, of a function.
class SameShapes {
public:
  /// Nothing is known yet.
  explicit SameShapes(mlir::Operation *) {}

  /// Records what is known now of a map's operands that come from maps, or from
  /// casts of such.
  void record(loom::MapOp map, ShapeAnalysis &analysis);
  /// Says that all maps have been recorded.
  void setComplete() { complete = true; }
  bool isComplete() const { return complete; }

  /// Whether an operand of a map has the map's shape.
  bool isSame(mlir::OpOperand &operand) const;

private:
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<bool, 4>> operands;
  bool complete = false;
};

} // namespace broadloom::infer

#endif // BROADLOOM_INFER_ANALYSIS_SAMESHAPES_H
