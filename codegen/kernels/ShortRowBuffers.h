//===- ShortRowBuffers.h - what short rows keep between stages --*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The buffers of a kernel for short rows, which computes all stages for a group
// of rows. They are on the stack: for each value with one element per row a
// vector with the elements of the group, and for each reduction and row a
// vector of partial results.
//
// Invariant: the group has as many rows as a vector has lanes, so that the
// partial results form a square matrix, whose rows are reduced together by
// shuffles.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_KERNELS_SHORTROWBUFFERS_H
#define BROADLOOM_CODEGEN_KERNELS_SHORTROWBUFFERS_H

#include "codegen/kernels/RowKernelBase.h"
#include "codegen/kernels/RowPartition.h"
#include "runtime/abi/Abi.h"

namespace broadloom::codegen {

class ShortRowBuffers : protected RowKernelBase {
protected:
  /// The rows that go through all stages together, and the lanes of a vector.
  static constexpr int64_t kRows = BROADLOOM_SHORT_ROWS;
  static constexpr int64_t kLanes = BROADLOOM_SHORT_ROWS;
  /// The row whose partial results are neutral, behind those of the group.
  static constexpr int64_t kNeutral = kRows;

  ShortRowBuffers(mlir::OpBuilder &builder, mlir::Location loc,
                  const RowPartition &partition,
                  const llvm::DenseMap<mlir::Value, int32_t> &numbers)
      : RowKernelBase(builder, loc, 0), partition(partition), numbers(numbers) {
  }

  /// The function; the insertion point is in it.
  mlir::LLVM::LLVMFuncOp beginFunction(llvm::StringRef name);

  /// Allocates a buffer for each value that is read or computed.
  void allocateBuffers();

  bool isPerRow(mlir::Value value) const {
    return partition.perRow.contains(value);
  }

  using RowKernelBase::splat;
  mlir::Value splat(mlir::TypedAttr value);

  /// Loads a vector; only the lanes of `mask` if that is not null.
  mlir::Value loadVector(mlir::Type type, mlir::Value from,
                         mlir::Value mask = {});
  void storeVector(mlir::Value value, mlir::Value to, mlir::Value mask = {});
  /// Stores the first `count` lanes of a vector, fewer than all, as shorter
  /// vectors, each half as long as the one before. Where the target has no
  /// masks, storing chosen lanes takes AMD's processors tens of cycles.
  void storeFirst(mlir::Value value, mlir::Value to, mlir::Value count);

  /// Copies the elements of a value with one element per row between its buffer
  /// and memory, for `count` rows from `first` on.
  void copyPerRow(mlir::Value value, mlir::Value first, mlir::Value count,
                  bool toMemory);

  /// The address of the vector of partial results of row `row` of the group.
  mlir::Value partialsOf(loom::ReduceOp reduce, mlir::Value row);

  /// Combines the partial results of each row to one.
  void finish(loom::ReduceOp reduce);

  const RowPartition &partition;
  const llvm::DenseMap<mlir::Value, int32_t> &numbers;
  /// 0, and the lanes of a vector.
  mlir::Value zero, wide;
  /// The address of the vector of each value that has one element per row.
  llvm::DenseMap<mlir::Value, mlir::Value> perRow;

private:
  llvm::DenseMap<mlir::Value, mlir::Value> partials;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_KERNELS_SHORTROWBUFFERS_H
