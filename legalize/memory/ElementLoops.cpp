//===- ElementLoops.cpp - loops over all elements of memory ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/ElementLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace broadloom;

void legalize::forEachElement(
    OpBuilder &b, Location loc, Value memory,
    llvm::function_ref<void(OpBuilder &, ValueRange)> body) {
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  SmallVector<Value> lower, upper, steps;
  for (int64_t axis :
       llvm::seq<int64_t>(0, cast<MemRefType>(memory.getType()).getRank())) {
    lower.push_back(zero);
    upper.push_back(b.createOrFold<memref::DimOp>(loc, memory, axis));
    steps.push_back(one);
  }
  scf::buildLoopNest(b, loc, lower, upper, steps,
                     [&](OpBuilder &inner, Location, ValueRange indices) {
                       body(inner, indices);
                     });
}
