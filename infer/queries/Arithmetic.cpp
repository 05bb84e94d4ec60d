//===- Arithmetic.cpp - the numbers that a shape query computes -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/queries/Translator.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexDialect.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

void Translator::compute(Operation *op) {
  if (op->getNumRegions() != 0 || op->getNumResults() == 0 ||
      !isa_and_nonnull<affine::AffineDialect, arith::ArithDialect,
                       index::IndexDialect>(op->getDialect()) ||
      !llvm::all_of(op->getResultTypes(),
                    [](Type type) { return type.isIntOrIndex(); }))
    return;
  if (IntegerAttr constant; matchPattern(op, m_Constant(&constant)) &&
                            isa<IndexType>(constant.getType())) {
    setScalar(op->getResult(0),
              emitter.getConstant(op->getLoc(), constant.getInt()));
    return;
  }
  IRMapping mapping;
  SmallVector<Value> operands;
  if (!getAll(op->getOperands(), operands) || !isMemoryEffectFree(op) ||
      !(certain || isSpeculatable(op)))
    return boundOf(op);
  mapping.map(op->getOperands(), operands);
  Operation *made = b.clone(*op, mapping);
  for (auto [result, value] :
       llvm::zip_equal(op->getResults(), made->getResults()))
    setScalar(result, value);
}

/// Sets the bound of an operation on extents, if it follows from their bounds.
void Translator::boundOf(Operation *op) {
  if (op->getNumOperands() != 2 || !op->getResult(0).getType().isIndex())
    return;
  Location loc = op->getLoc();
  Value x = op->getOperand(0), y = op->getOperand(1), bound;
  Value a = getBound(x), c = getBound(y);
  std::optional<int64_t> factor =
      c && getScalar(y) ? getConstantIntValue(c) : std::nullopt;
  if (isa<arith::AddIOp>(op) && a && c)
    bound = arith::AddIOp::create(b, loc, a, c);
  else if (isa<arith::SubIOp>(op) && a && getScalar(y))
    bound = arith::SubIOp::create(b, loc, a, c);
  else if (isa<arith::MulIOp>(op) && a && factor && *factor >= 0)
    bound = arith::MulIOp::create(b, loc, a, c);
  else if (isa<arith::DivSIOp>(op) && a && factor && *factor > 0)
    bound = arith::DivSIOp::create(b, loc, a, c);
  else if (isa<arith::MaxSIOp>(op) && a && c)
    bound = arith::MaxSIOp::create(b, loc, a, c);
  else if (isa<arith::MinSIOp>(op) && a && c)
    bound = arith::MinSIOp::create(b, loc, a, c);
  else if (isa<arith::MinSIOp>(op))
    bound = a ? a : c;
  if (bound)
    bounds[op->getResult(0)] = bound;
}
