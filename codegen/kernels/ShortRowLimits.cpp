//===- ShortRowLimits.cpp - which programs get a kernel of short rows -----===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/kernels/ShortRowKernel.h"
#include "codegen/kernels/StripKernel.h"
#include "codegen/kernels/VectorClone.h"

using namespace mlir;
using namespace broadloom::codegen;
using broadloom::loom::ReduceOp;

static constexpr size_t kMaxOperations = 160;
static constexpr size_t kMaxReductions = 8;

bool broadloom::codegen::canBeShortRows(const RowPartition &partition) {
  auto isPlain = [](Type type) {
    return type.isIntOrFloat() && !type.isInteger(1);
  };
  auto arePlain = [&](ArrayRef<Value> values) {
    return llvm::all_of(values, [&](Value v) { return isPlain(v.getType()); });
  };
  size_t operations = 0, reduces = 0;
  for (const RowStage &stage : partition.stages) {
    operations += countExpanded(stage.operations);
    reduces += stage.reductions.size();
    if (!arePlain(stage.inputs) || !arePlain(stage.outputs) ||
        !llvm::all_of(stage.operations, canCloneAsVectors))
      return false;
    for (ReduceOp reduce : stage.reductions)
      for (Operation &op : reduce.getCombine().front().without_terminator()) {
        ++operations;
        if (!canCloneAsVectors(&op))
          return false;
      }
  }
  return operations <= kMaxOperations && reduces <= kMaxReductions;
}
