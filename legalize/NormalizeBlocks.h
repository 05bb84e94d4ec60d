//===- NormalizeBlocks.h - blocks as later passes expect them ---*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's conversions skip unreachable blocks, which then cannot be
// translated. Its bufferization assumes that each region of `scf` has one
// terminator that yields.
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_NORMALIZEBLOCKS_H
#define BROADLOOM_LEGALIZE_NORMALIZEBLOCKS_H

#include "mlir/IR/BuiltinOps.h"

namespace broadloom::legalize {

/// Erases the unreachable blocks of `module`, and gives each
/// `scf.execute_region` one yield.
void normalizeBlocks(mlir::ModuleOp module);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_NORMALIZEBLOCKS_H
