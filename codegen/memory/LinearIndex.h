//===- LinearIndex.h - indices as sums of numbers ---------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An index as a sum of values times constants. The sum is that of integers only
// where its numbers are small, which is for the user of it to check.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MEMORY_LINEARINDEX_H
#define BROADLOOM_CODEGEN_MEMORY_LINEARINDEX_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Value.h"

#include <optional>
#include <vector>

namespace broadloom::codegen {

struct LinearIndex {
  /// Their factors are not 0.
  llvm::SmallVector<std::pair<mlir::Value, int64_t>, 4> terms;
  int64_t constant = 0;

  /// Nothing if `value` is no such sum, is a long one, or has large constants.
  static std::optional<LinearIndex> get(mlir::Value value);

  /// The sums of which `value` is the least: itself, or those of minima. None
  /// where one is no such sum.
  static std::vector<LinearIndex> getLeast(mlir::Value value);

  /// The factor of a value, or 0.
  int64_t getFactor(mlir::Value value) const;
  /// Adds another sum `factor` times, which is 1 or -1.
  void add(const LinearIndex &other, int64_t factor);
  /// Whether it has the same terms, in any order.
  bool isSame(const LinearIndex &other) const;

private:
  bool add(mlir::Value value, int64_t factor, unsigned depth);
  bool add(mlir::AffineExpr expr, mlir::Operation *affine, int64_t factor,
           unsigned depth);
  bool addConstant(int64_t number, int64_t factor);
  void dropZeros();
};

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MEMORY_LINEARINDEX_H
