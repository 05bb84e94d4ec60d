//===- OverflowFlags.cpp - what a program says of overflow ----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "import/legalize/OverflowFlags.h"
#include "dialect/LoomDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Iterators.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace broadloom;

/// The arithmetic that only constraints read: users' operations have
/// constraints before legalization.
static llvm::DenseSet<Operation *>
findArithmeticOfConstraints(ModuleOp module) {
  llvm::DenseSet<Operation *> found;
  // Visits users first, from the end of each block.
  module.walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (isa_and_nonnull<arith::ArithDialect>(op->getDialect()) &&
        !op->use_empty() && llvm::all_of(op->getUsers(), [&](Operation *user) {
          return isa<loom::ConstrainOp>(user) || found.contains(user);
        }))
      found.insert(op);
  });
  return found;
}

void legalize::clearOverflowFlags(ModuleOp module) {
  llvm::DenseSet<Operation *> kept = findArithmeticOfConstraints(module);
  module.walk([&](arith::ArithIntegerOverflowFlagsInterface op) {
    if (!kept.contains(op) &&
        op.getOverflowAttr().getValue() != arith::IntegerOverflowFlags::none)
      op->setAttr(op.getIntegerOverflowAttrName(),
                  arith::IntegerOverflowFlagsAttr::get(
                      op->getContext(), arith::IntegerOverflowFlags::none));
  });
}
