//===- LoomAccess.h - how a map reads its operands --------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_DIALECT_LOOMACCESS_H
#define BROADLOOM_DIALECT_LOOMACCESS_H

#include "dialect/LoomDialect.h"

namespace broadloom::loom {

/// Checks that `kinds`, if `op` has them, has an entry for each of `operands`,
/// with as many axes as the operand if both have a rank.
mlir::LogicalResult verifyKinds(mlir::Operation *op,
                                std::optional<mlir::ArrayAttr> kinds,
                                mlir::ValueRange operands);

/// Whether operand `index` of `map`, a tensor, is known to have the map's
/// shape, by types or by kinds.
bool hasShapeOfMap(MapOp map, unsigned index);

} // namespace broadloom::loom

#endif // BROADLOOM_DIALECT_LOOMACCESS_H
