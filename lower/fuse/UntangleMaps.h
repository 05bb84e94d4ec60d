//===- UntangleMaps.h - values that hold on to maps -------------*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What stands between maps and is none keeps them apart: casts that only change
// what a type says, and shape values. Afterwards maps read the results of maps
// as they are, and the shape of a map's result is made from its operands'.
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
