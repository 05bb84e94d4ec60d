//===- SparseTensor.h - where the values of sparse tensors are --*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format of sparse tensors in TensorFlow Lite models. A tensor of n axes, k
// of which are divided into blocks, has n + k dimensions: the number of a block
// along each axis, and then the offset in a block along each axis that has
// blocks. The values are the leaves of a tree with a level for each dimension,
// in any order of the dimensions. A node of a DENSE level has a child for each
// index, one of a SPARSE_CSR level has those that are written.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_IMPORT_TFLITE_SPARSETENSOR_H
#define BROADLOOM_IMPORT_TFLITE_SPARSETENSOR_H

#include "import/tflite/TfliteDialect.h"

#include "mlir/IR/Diagnostics.h"

namespace broadloom::tflite {

/// Where the values of a sparse tensor are in a dense one.
///
/// Invariant: has been checked as a whole, whatever it was made of: a walk over
/// the tree takes no more steps than there are nodes, stays inside of
/// what was given, and meets no offset twice.
class SparsePattern {
public:
  /// Reads the tree of a tensor of `shape`, whose number of elements is less
  /// than 2^63. Fails after one error where it is not sound.
  static mlir::FailureOr<SparsePattern>
  get(llvm::ArrayRef<int64_t> shape, SparsityParameterAttr sparsity,
      llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

  /// How many values the tensor has, those at the leaves.
  uint64_t getNumValues() const { return numValues; }

  /// Calls `visit` for each value, in their order, with its offset in the dense
  /// tensor in row-major order.
  void visit(llvm::function_ref<void(uint64_t offset)> visit) const;

private:
  struct Level {
    /// What the indices of this level are below.
    uint64_t extent;
    /// How many elements of the dense tensor lie between two indices.
    uint64_t stride;
    /// Of a SPARSE_CSR level; empty for DENSE.
    llvm::ArrayRef<int32_t> segments, indices;
    bool isDense() const { return segments.empty(); }
  };
  class Reader;

  llvm::SmallVector<Level> levels;
  uint64_t numValues = 1;
};

} // namespace broadloom::tflite

#endif // BROADLOOM_IMPORT_TFLITE_SPARSETENSOR_H
