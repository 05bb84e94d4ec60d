//===- MapPlaces.h - the results of layouts that are maps -------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What MemoryLayouts asks of maps with quotients and remainders. Indices are
// enumerated, up to a limit.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_MAPPLACES_H
#define BROADLOOM_DIALECT_MAPPLACES_H

#include "dialect/MemoryLayouts.h"

#include "mlir/IR/AffineMap.h"

namespace broadloom::loom {

/// Whether all divisors are positive numbers.
bool dividesByPositive(mlir::AffineMap map);

/// Whether two elements have the same results, if that is known.
struct Sharing {
  bool isKnown = true;
  std::optional<SharedPlace> shared = std::nullopt;
};

/// Divisors of `map` are positive.
Sharing findSharing(llvm::ArrayRef<int64_t> shape, mlir::AffineMap map);

/// The least and the largest result of one expression, if that is known.
std::optional<std::pair<int64_t, int64_t>>
getRange(llvm::ArrayRef<int64_t> shape, mlir::AffineExpr expr);

} // namespace broadloom::loom

#endif // BROADLOOM_DIALECT_MAPPLACES_H
