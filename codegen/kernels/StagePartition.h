//===- StagePartition.h - cutting a map's body into stages ------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stage is a part of a map's body that becomes one strip kernel. Invariant:
// each stage reads only operands of the map and outputs of earlier stages, and
// every operation of the body other than constants is in exactly one stage.
//
// Two things end a stage. A costly value that depends on fewer operands than
// its user is stored, so that the runtime can evaluate it once per element of
// its own extents and not once per element of the result (decision 1). And a
// stage has a bounded number of operations, so that live values fit the
// registers and no kernel takes long to compile.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_KERNELS_STAGEPARTITION_H
#define BROADLOOM_CODEGEN_KERNELS_STAGEPARTITION_H

#include "mlir/IR/Block.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace broadloom::codegen {

/// A larger stage spills registers and takes long to compile.
constexpr size_t kMaxStageOperations = 96;
/// The limit of pointers of a stage, because LLVM compares every two pointers
/// of a loop.
constexpr size_t kMaxStagePointers = 24;

/// What is known of an operand's extents when the body is partitioned.
enum class OperandReach {
  /// One element, or a scalar: combining with it changes no extents.
  Scalar,
  /// Proved to have the result's extents.
  Full,
  /// Decided at run time, or proved to have fewer elements than the result.
  Open,
};

struct Stage {
  llvm::SmallVector<mlir::Operation *> operations;
  /// Body arguments and values of earlier stages, each once.
  llvm::SmallVector<mlir::Value> inputs;
  /// Values that later stages or the yield read.
  llvm::SmallVector<mlir::Value> outputs;
};

/// Partitions `body` (of a loom.map or loom.launch) into stages. `reach` has
/// one entry per body argument. Linear in the size of the body.
llvm::SmallVector<Stage>
partitionIntoStages(mlir::Block &body, llvm::ArrayRef<OperandReach> reach);

/// Rough cost of one element of a scalar operation, in additions.
unsigned getScalarCost(mlir::Operation *op);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_KERNELS_STAGEPARTITION_H
