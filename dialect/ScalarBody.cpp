//===- ScalarBody.cpp - what operations of a scalar body read -------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialect/ScalarBody.h"

#include "mlir/IR/Block.h"

using namespace mlir;
using namespace broadloom;

SmallVector<Value, 4> loom::getReads(Operation *op) {
  SmallVector<Value, 4> reads(op->getOperands());
  Block *body = op->getBlock();
  for (Region &region : op->getRegions())
    region.walk([&](Operation *inner) {
      for (Value operand : inner->getOperands())
        if (operand.getParentBlock() == body)
          reads.push_back(operand);
    });
  return reads;
}

SmallVector<Operation *, 4> loom::getReaders(Block &body, ValueRange values) {
  SmallVector<Operation *, 4> readers;
  for (Value value : values)
    for (Operation *user : value.getUsers())
      readers.push_back(body.findAncestorOpInBlock(*user));
  return readers;
}
