//===- UntangleMaps.h - values that hold on to maps -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Casts that only change static extents, and shape values, between maps prevent
// fusion. Afterwards maps read the results of maps directly, and the shape of a
// map's result is computed from its operands'.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LOWER_FUSE_UNTANGLEMAPS_H
#define BROADLOOM_LOWER_FUSE_UNTANGLEMAPS_H

#include "mlir/IR/Block.h"

namespace broadloom::lower {

/// Untangles the maps of one block, whose nested blocks have been untangled.
/// Linear in the size of the block.
void untangleMaps(mlir::Block &block);

} // namespace broadloom::lower

#endif // BROADLOOM_LOWER_FUSE_UNTANGLEMAPS_H
