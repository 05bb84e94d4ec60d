//===- RowKernelBase.h - what builders of kernels over rows share -*- C++ -*-=//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The common parts of functions on rows: the addresses of values, the distances
// of their elements, and arithmetic on addresses. Invariant: pointers and
// distances are loaded in the entry block, before the computation.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_KERNELS_ROWKERNELBASE_H
#define BROADLOOM_CODEGEN_KERNELS_ROWKERNELBASE_H

#include "codegen/kernels/KernelParts.h"
#include "codegen/layout/AbiTypes.h"
#include "dialect/LoomDialect.h"

namespace broadloom::codegen {

class RowKernelBase {
protected:
  /// `numWritten` is the number of outputs and accumulators, which overlap no
  /// other memory.
  RowKernelBase(mlir::OpBuilder &builder, mlir::Location loc,
                size_t numWritten);

  /// Begins an internal function of `kind`, whose first arguments are an array
  /// of pointers and one of distances. Loads `numPointers` and `numSteps`
  /// elements of these into `bases` and `steps`; the insertion point is after
  /// the loads.
  mlir::LLVM::LLVMFuncOp begin(const abi::Call &kind, llvm::StringRef name,
                               size_t numPointers, size_t numSteps);

  mlir::Value constant(int64_t value);
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value multiply(mlir::Value x, mlir::Value y);
  mlir::Value compare(mlir::LLVM::ICmpPredicate predicate, mlir::Value x,
                      mlir::Value y);
  /// The address of element `index` from `base` on.
  mlir::Value element(mlir::Type storage, mlir::Value base, mlir::Value index);

  /// A loop from `from` to `to`, which may be empty. `compute` gets the counter
  /// and the carried values, initially `init`, and returns the new ones.
  using LoopBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::Value counter, mlir::ValueRange carried)>;
  llvm::SmallVector<mlir::Value> loop(mlir::Value from, mlir::Value to,
                                      mlir::Value step, mlir::ValueRange init,
                                      LoopBody compute);

  /// array[i]
  mlir::Value loadNumber(mlir::Value array, size_t i);
  /// `value` in all lanes.
  mlir::Value splat(mlir::Value value, int64_t lanes);
  /// 0, 1, 2, ... as integers of `bits` bits.
  mlir::Value laneNumbers(int64_t lanes, unsigned bits = 64);
  /// Loads the BroadloomReductionIndex at `address`.
  void loadRowIndex(mlir::Value address);

  /// Whether any element of a vector of i1 holds.
  mlir::Value isAny(mlir::Value conditions);

  /// Converts a vector of values of `type` from its form in memory.
  mlir::Value fromStorageVector(mlir::Value stored, mlir::Type type);

  mlir::OpBuilder &b;
  mlir::Location loc;
  AliasScopes scopes;
  mlir::Type ptr, i64;
  llvm::SmallVector<mlir::Value> bases, steps;
  mlir::Value indexBase, indexPerLane, indexPerStep;
};

/// The combination of two vectors, element by element.
mlir::Value combineVectors(mlir::OpBuilder &builder, loom::ReduceOp reduce,
                           mlir::Value left, mlir::Value right);

/// Four vectors that each consist of groups of `size` partial results become
/// one vector, with a quarter of the partial results in each group, in the
/// order of the vectors. Groups are combined in halves.
mlir::Value combineFour(mlir::OpBuilder &builder, mlir::Location loc,
                        loom::ReduceOp reduce,
                        llvm::ArrayRef<mlir::Value> vectors, int64_t size);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_KERNELS_ROWKERNELBASE_H
