//===- ShortRowLimits.cpp - which programs get a kernel of short rows -----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/ShortRowKernel.h"
#include "codegen/kernels/VectorClone.h"
#include "codegen/layout/Storage.h"

using namespace mlir;
using namespace broadloom::codegen;
using broadloom::loom::ReduceOp;

static constexpr size_t kMaxShortRowOperations = 160;
static constexpr size_t kMaxReductions = 8;

bool broadloom::codegen::canBeShortRows(const RowPartition &partition) {
  // Numbers whose bits are all that memory has of them, or bits.
  auto isPlain = [](Value value) {
    Type type = value.getType();
    return type.isInteger(1) ||
           (type.isIntOrFloat() &&
            type.getIntOrFloatBitWidth() == 8 * getStorageBytes(type));
  };
  size_t operations = 0, reduces = 0;
  for (const RowStage &stage : partition.stages) {
    operations += countExpanded(stage.operations);
    reduces += stage.reductions.size();
    if (!llvm::all_of(stage.inputs, isPlain) ||
        !llvm::all_of(stage.outputs, isPlain) ||
        !llvm::all_of(stage.operations, canCloneAsVectors))
      return false;
    for (ReduceOp reduce : stage.reductions) {
      // Partial results are shuffled, which takes long on bits.
      if (reduce.getType().isInteger(1))
        return false;
      for (Operation &op : reduce.getCombine().front().without_terminator()) {
        ++operations;
        if (!canCloneAsVectors(&op))
          return false;
      }
    }
  }
  return operations <= kMaxShortRowOperations && reduces <= kMaxReductions;
}
