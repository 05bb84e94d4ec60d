//===- ContractTail.h - what is computed of sums of products ----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The begin and the end of a contraction's kernel: its arguments, and the body,
// computed on sums in registers. A body of operations that vectors support is
// computed vector by vector; for others the sums are stored and the body is
// computed element by element.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_KERNELS_CONTRACTTAIL_H
#define BROADLOOM_CODEGEN_KERNELS_CONTRACTTAIL_H

#include "codegen/kernels/ContractKernel.h"
#include "codegen/kernels/RowKernelBase.h"

namespace broadloom::codegen {

class ContractTail : protected RowKernelBase {
protected:
  ContractTail(mlir::OpBuilder &builder, mlir::Location loc,
               const ContractShape &shape, mlir::Block &body);

  /// Begins the function and loads the tile's fields; the insertion point is
  /// after the loads.
  mlir::LLVM::LLVMFuncOp beginTile(llvm::StringRef name);
  mlir::Value field(abi::Tile::Field which) const { return fields[which]; }

  /// Computes the body of the sums of `rows` rows from `first` on and of the
  /// channels from `channel` on, and stores its results; `masks` select the
  /// valid lanes of each vector; empty if all are valid.
  void storeResults(llvm::ArrayRef<mlir::Value> sums, int64_t rows,
                    mlir::Value first, mlir::Value channel,
                    llvm::ArrayRef<mlir::Value> masks);

  /// The address of an element to prefetch, which may lie beyond the tensor.
  mlir::Value addressAhead(mlir::Type type, mlir::Value base,
                           mlir::Value index);
  /// Prefetches what a tile some tiles after that of `rows` rows from `first`
  /// on writes, and what it reads of operands that have elements for each row.
  /// A panel's channels of consecutive rows are no lines that follow each
  /// other, which the processor would fetch by itself.
  void prefetchTensors(int64_t rows, mlir::Value first, mlir::Value channel);

  mlir::Type sumType() const { return body.getArgument(0).getType(); }
  mlir::Type vectorOf(mlir::Type element) const {
    return mlir::VectorType::get({shape.tile.lanes}, element);
  }
  /// For each vector of a tile, which of its lanes are less than `channels`.
  llvm::SmallVector<mlir::Value> makeMasks(mlir::Value channels);

  /// Loads the elements from `base` + `offset` on; only those of `mask` if that
  /// is not null. `isResult` says that the first result is written there.
  mlir::Value loadVector(mlir::Type type, mlir::Value base, mlir::Value offset,
                         mlir::Value mask, bool isResult = false);
  /// One element in all lanes.
  mlir::Value loadSplat(mlir::Type type, mlir::Value base, mlir::Value offset,
                        bool isResult);
  mlir::Value loadScalar(mlir::Type type, mlir::Value base, mlir::Value offset,
                         bool isResult = false);

  /// Emits a branch to the code of `yes` or of `no`; the insertion point is
  /// after both.
  void branch(mlir::Value condition, llvm::function_ref<void()> yes,
              llvm::function_ref<void()> no);

  /// The same for code that computes values of the types of `values`.
  llvm::SmallVector<mlir::Value>
  choose(mlir::Value condition, mlir::ValueRange values,
         llvm::function_ref<llvm::SmallVector<mlir::Value>()> yes,
         llvm::function_ref<llvm::SmallVector<mlir::Value>()> no);

  /// The number of sums of a row at the insertion point.
  int64_t width() const { return vectors * shape.tile.lanes; }

  const ContractShape &shape;
  mlir::Block &body;
  /// Vectors of sums that each row of a tile has, at the insertion point.
  int64_t vectors;

private:
  /// Says what a load of an operand does not overlap.
  void applyScopes(mlir::LLVM::LoadOp load, bool isResult) const;
  /// The mask of the valid lanes of the vector whose first channel is `first`.
  mlir::Value makeMask(mlir::Value first);
  /// How many lanes the mask of a vector of the panel has where that is known
  /// when the kernel is compiled; else 0.
  int64_t knownLanes(int64_t vector) const;
  /// Emits the body for one vector of sums. `known` as of knownLanes.
  void storeVectors(mlir::Value sums, mlir::Value row, mlir::Value channel,
                    mlir::Value mask, int64_t known = 0);
  /// Stores the sums, row by row.
  void storeSums(llvm::ArrayRef<mlir::Value> sums);
  void storeVectorsInLoop(llvm::ArrayRef<mlir::Value> sums, int64_t rows,
                          mlir::Value first, mlir::Value channel,
                          llvm::ArrayRef<mlir::Value> masks);
  void storeElements(llvm::ArrayRef<mlir::Value> sums, int64_t rows,
                     mlir::Value first, mlir::Value channel,
                     llvm::ArrayRef<mlir::Value> masks);
  void storeScalars(mlir::IRMapping &mapping, mlir::Value row,
                    mlir::Value channel);
  /// Stores the lanes of `mask`, or all lanes where that is null. If their
  /// number is `known`, which 0 means it is not, they are stored as a few
  /// shorter vectors (ShortRowBuffers.h says why).
  void storeVector(mlir::Value value, mlir::Value base, mlir::Value offset,
                   mlir::Value mask, size_t result, int64_t known);
  /// The offset of an element of `tensor`; results are numbered after operands.
  mlir::Value offsetOf(size_t tensor, mlir::Value row, mlir::Value channel);

  llvm::SmallVector<mlir::Operation *> operations;
  bool isOfVectors, isLight;
  llvm::SmallVector<mlir::Value> fields;
  /// The sums of a tile, for bodies that are computed in a loop.
  mlir::Value memory, channels;
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_KERNELS_CONTRACTTAIL_H
