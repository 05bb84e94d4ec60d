//===- SameShapes.h - which operands have a map's own shape -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each map of a function, the operands that are proved to have the map's
// shape. A pass that walks over the function anyway fills in and preserves this
// analysis, so that fusion need not walk again and can use what shape functions
// and calls give.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_INFER_ANALYSIS_SAMESHAPES_H
#define BROADLOOM_INFER_ANALYSIS_SAMESHAPES_H

#include "infer/analysis/ShapeAnalysis.h"

namespace broadloom::infer {

/// An analysis of MLIR's analysis manager, of a function.
class SameShapes {
public:
  /// An empty analysis.
  explicit SameShapes(mlir::Operation *) {}

  /// Records the operands of a map that come from maps, or from casts of such,
  /// and have the map's shape.
  void record(loom::MapOp map, ShapeAnalysis &analysis);
  /// Marks the analysis as complete.
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
