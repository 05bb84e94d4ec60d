//===- LoopConditions.cpp - when an answer about loops holds --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/memory/LoopConditions.h"

#include "codegen/memory/ApartMemory.h"
#include "legalize/memory/NestGuard.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace broadloom;
using legalize::both;
using legalize::NestSymbol;

Value codegen::addFits(OpBuilder &b, Location loc, Value all,
                       const NestSymbol &symbol, int bits) {
  auto getConstant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  return both(b, loc, all,
              legalize::isWithin(b, loc,
                                 legalize::computeSymbol(b, loc, symbol), bits,
                                 getConstant));
}

Value codegen::computeHolds(OpBuilder &b, Operation *nest,
                            const legalize::LoopAccesses &accesses,
                            const NestMemory &memory) {
  Location loc = nest->getLoc();
  Value all;
  for (const NestSymbol &symbol : accesses.limited)
    all = addFits(b, loc, all, symbol, accesses.bits);
  all = both(b, loc, all, legalize::computeInside(b, nest, accesses.guards));
  for (const auto &[memref, isWritten] : memory)
    if (isWritten)
      all = both(b, loc, all, computeInjective(b, loc, memref));
  return both(b, loc, all, computeApart(b, loc, memory));
}
