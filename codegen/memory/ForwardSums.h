//===- ForwardSums.h - sums of tiles where they belong ----------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs copy a tile of sums to a scratchpad, memory of a function's own, add
// to them there, and copy them back. Where nothing else has any of the sums'
// memory, that is the same as adding to the memory itself, so that the tile is
// one of a product in tiles (JoinTiles.h).
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_CODEGEN_MEMORY_FORWARDSUMS_H
#define BROADLOOM_CODEGEN_MEMORY_FORWARDSUMS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace broadloom::codegen {

/// Removes the copies of sums in `copy`, which is a copy of the nest `nest` of
/// the same function. Gives the scratchpads. The values are those of `nest`
/// where each element of the memory that it was copied from is at a place of
/// its own, which no other memory in the nest has.
std::vector<mlir::Value> forwardSums(mlir::scf::ForOp copy,
                                     mlir::scf::ForOp nest);

} // namespace broadloom::codegen

#endif // BROADLOOM_CODEGEN_MEMORY_FORWARDSUMS_H
