//===- RowPartition.h - cutting reductions into stages ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Partitions the body of a launch over rows into stages. Each stage sweeps over
// the elements of a row once, or computes values once per row. A stage includes
// all reductions of the values that it computes; another sweep is needed only
// for values that depend on both the elements and a reduced value.
//
// Invariant: each stage reads only operands and values of earlier stages, and
// every operation of the body other than constants and indices is in a stage;
// an operation that is cheaper than storing its value is in each stage that
// needs it.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_KERNELS_ROWPARTITION_H
#define BROADLOOM_CODEGEN_KERNELS_ROWPARTITION_H

#include "dialect/LoomFusedReduction.h"

namespace broadloom::codegen {

struct RowStage {
  bool perRow = false;
  /// The operations other than reductions.
  llvm::SmallVector<mlir::Operation *> operations;
  llvm::SmallVector<loom::ReduceOp> reductions;
  /// Body arguments and values of earlier stages, each once.
  llvm::SmallVector<mlir::Value> inputs;
  /// Whether each input has one element per row.
  llvm::SmallVector<bool> inputsPerRow;
  /// Values, reductions aside, that later stages or the yield read.
  llvm::SmallVector<mlir::Value> outputs;
  /// A condition with one element per row, or null: an input. In rows where it
  /// does not hold the stage computes nothing but neutral elements, so that a
  /// kernel may leave them out.
  mlir::Value condition;
  /// Indices in the row that the stage uses. They are not among the operations,
  /// the inputs or the outputs.
  llvm::SmallVector<mlir::Value> indices;
};

struct RowPartition {
  std::vector<RowStage> stages;
  llvm::DenseMap<mlir::Value, loom::RowDependence> dependences;
  /// Values that have one element per row.
  llvm::DenseSet<mlir::Value> perRow;
};

/// Partitions `body`, of a launch over rows with at most 64 operands. `perRow`
/// says which operands are known to have extent 1 along the reduced axes.
/// Linear in the size of the body.
RowPartition partitionRows(mlir::Block &body, llvm::ArrayRef<bool> perRow);

/// The arguments of `body`, as bits, that are not known to have extent 1 along
/// the reduced axes but are likely to: they are combined only with reduced
/// values, such as the count by which a sum is divided for a mean. An argument
/// is included only if a costly value, or a result, would otherwise be computed
/// per element instead of per row.
uint64_t findLikelyPerRow(mlir::Block &body, llvm::ArrayRef<bool> perRow);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_KERNELS_ROWPARTITION_H
