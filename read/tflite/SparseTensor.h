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
// index, a node of a SPARSE_CSR level only for the listed indices.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_READ_TFLITE_SPARSETENSOR_H
#define BROADLOOM_READ_TFLITE_SPARSETENSOR_H

#include "read/tflite/TfliteDialect.h"

#include "mlir/IR/Diagnostics.h"

namespace broadloom::read {

/// The positions of a sparse tensor's values in the dense tensor.
///
/// Invariant: has been checked as a whole, whatever it was made of: a walk over
/// the tree takes no more steps than there are nodes, stays inside of
/// what was given, and meets no offset twice.
class SparsePattern {
public:
  /// Reads the tree of a tensor of `shape`, whose number of elements is less
  /// than 2^63. Fails after one error if it is invalid.
  static mlir::FailureOr<SparsePattern>
  get(llvm::ArrayRef<int64_t> shape, SparsityParameterAttr sparsity,
      llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

  /// The number of values, which are at the leaves.
  uint64_t getNumValues() const { return numValues; }

  /// Calls `visit` for each value, in their order, with its offset in the dense
  /// tensor in row-major order.
  void visit(llvm::function_ref<void(uint64_t offset)> visit) const;

private:
  struct Level {
    /// The exclusive upper bound of this level's indices.
    uint64_t extent;
    /// The distance of two consecutive indices in elements of the dense tensor.
    uint64_t stride;
    /// The segments and indices of a SPARSE_CSR level; empty for DENSE.
    llvm::ArrayRef<int32_t> segments, indices;
    bool isDense() const { return segments.empty(); }
  };
  class Reader;

  llvm::SmallVector<Level> levels;
  uint64_t numValues = 1;
};

} // namespace broadloom::read

#endif // BROADLOOM_READ_TFLITE_SPARSETENSOR_H
