//===- BlockOrder.h - the order in which blocks are visited -----*- C++ -*-===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BROADLOOM_LEGALIZE_BLOCKORDER_H
#define BROADLOOM_LEGALIZE_BLOCKORDER_H

#include "mlir/IR/Region.h"
#include "llvm/ADT/SmallVector.h"

namespace broadloom::legalize {

/// The blocks of `region`, which may be empty. A block comes after those that
/// dominate it, so that definitions precede uses.
llvm::SmallVector<mlir::Block *, 1>
getBlocksInDominanceOrder(mlir::Region &region);

} // namespace broadloom::legalize

#endif // BROADLOOM_LEGALIZE_BLOCKORDER_H
