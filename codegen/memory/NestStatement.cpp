//===- NestStatement.cpp - what a nest does in its loops ------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the loops of a nest and the statement in the innermost one, which adds
// a product to a sum.
//
//===----------------------------------------------------------------------===//

#include "codegen/memory/MovableValues.h"
#include "codegen/memory/NestProduct.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// `value` before a conversion that keeps the number.
static Value withoutExtension(Value value) {
  Operation *op = value.getDefiningOp();
  return isa_and_nonnull<arith::ExtFOp, arith::ExtSIOp>(op) ? op->getOperand(0)
                                                            : value;
}

void NestOperand::take(memref::LoadOp load) {
  memory = load.getMemRef();
  indices = load.getIndices();
}

bool codegen::isZero(Value value) {
  return matchPattern(value, m_PosZeroFloat()) || matchPattern(value, m_Zero());
}

std::optional<NestFactor> NestFactor::get(ValueRange results) {
  if (results.size() != 1)
    return std::nullopt;
  NestFactor factor;
  factor.load = results[0].getDefiningOp<memref::LoadOp>();
  if (factor.load)
    return factor;
  auto branch = results[0].getDefiningOp<scf::IfOp>();
  if (!branch || branch.getNumResults() != 1 || !branch.elseBlock() ||
      branch.elseBlock()->without_terminator().begin() !=
          branch.elseBlock()->without_terminator().end())
    return std::nullopt;
  factor.condition = branch.getCondition();
  factor.otherwise = branch.elseYield().getOperand(0);
  factor.load =
      branch.thenYield().getOperand(0).getDefiningOp<memref::LoadOp>();
  bool isAlone = llvm::all_of(
      branch.thenBlock()->without_terminator(), [&](Operation &op) {
        return &op == factor.load.getOperation() || isMovable(op);
      });
  return factor.load && factor.load->getBlock() == branch.thenBlock() && isAlone
             ? std::optional(factor)
             : std::nullopt;
}

/// Whether the loop goes by steps of 1 between bounds that are the same in all
/// iterations.
bool NestProduct::hasKnownBounds(scf::ForOp loop) {
  return !loop.getUnsignedCmp() && loop.getInductionVar().getType().isIndex() &&
         matchPattern(loop.getStep(), m_One()) &&
         isInvariant(loop.getLowerBound()) && isInvariant(loop.getUpperBound());
}

/// Follows loops down to the statement.
bool NestProduct::descend(scf::ForOp nest) {
  for (scf::ForOp loop = nest; loop;) {
    loops.push_back(loop);
    if (!hasKnownBounds(loop) || !loop.getInitArgs().empty())
      return false;
    scf::ForOp inner;
    bool isAlone = true;
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (auto next = dyn_cast<scf::ForOp>(op)) {
        if (inner)
          return false;
        inner = next;
      } else if (auto store = dyn_cast<memref::StoreOp>(op);
                 store && !inner && !zeros && isZero(store.getValue())) {
        zeros = store;
        numAroundZeros = loops.size();
      } else {
        isAlone &= isMovable(op);
      }
    }
    if (inner && inner.getInitArgs().empty()) {
      if (!isAlone)
        return false;
      loop = inner;
      continue;
    }
    return inner ? !zeros && readCarried(inner, loop.getBody())
                 : readStatement(loop.getBody());
  }
  return false;
}

/// Reads `sums[...] += image[...] * weight[...]`, under conditions.
bool NestProduct::readStatement(Block *block) {
  memref::StoreOp store;
  unsigned numLoads = 0;
  while (block) {
    Block *next = nullptr;
    for (Operation &op : block->without_terminator()) {
      // Below a branch there is nothing more.
      if (next || store)
        return false;
      if (isa<scf::IfOp>(op) && NestFactor::get(op.getResults())) {
        ++numLoads;
      } else if (auto branch = dyn_cast<scf::IfOp>(op)) {
        if (branch.getNumResults() != 0 || branch.elseBlock() || numLoads)
          return false;
        conditions.push_back(branch.getCondition());
        next = branch.thenBlock();
      } else if (auto it = dyn_cast<memref::StoreOp>(op)) {
        store = it;
      } else if (isa<memref::LoadOp>(op)) {
        ++numLoads;
      } else if (!isMovable(op)) {
        return false;
      }
    }
    block = next;
  }
  if (!store || numLoads != 3)
    return false;
  Operation *added = store.getValue().getDefiningOp();
  if (!added || added->getNumOperands() != 2)
    return false;
  for (Value old : added->getOperands()) {
    auto load = old.getDefiningOp<memref::LoadOp>();
    if (load && load.getMemRef() == store.getMemRef() &&
        areSame(load.getIndices(), store.getIndices())) {
      sums.take(load);
      return readSum(store.getValue(), old);
    }
  }
  return false;
}

/// Reads a sum that the innermost loop carries and `around` stores.
bool NestProduct::readCarried(scf::ForOp inner, Block *around) {
  if (!hasKnownBounds(inner) || inner.getInitArgs().size() != 1)
    return false;
  memref::StoreOp store;
  memref::LoadOp first;
  for (Operation &op : around->without_terminator()) {
    if (&op == inner || isMovable(op))
      continue;
    auto load = dyn_cast<memref::LoadOp>(op);
    if (load && !first && !store)
      first = load;
    else if (auto it = dyn_cast<memref::StoreOp>(op); it && !store)
      store = it;
    else
      return false;
  }
  Value init = inner.getInitArgs()[0];
  if (!store || store.getValue() != inner.getResult(0) ||
      store->isBeforeInBlock(inner))
    return false;
  if (first) {
    if (init != first.getResult() || first.getMemRef() != store.getMemRef() ||
        !areSame(first.getIndices(), store.getIndices()))
      return false;
  } else if (!isZero(init)) {
    return false;
  }
  addsToMemory = bool(first);
  unsigned numLoads = 0;
  for (Operation &op : inner.getBody()->without_terminator()) {
    if (isa<memref::LoadOp>(op) || NestFactor::get(op.getResults()))
      ++numLoads;
    else if (!isMovable(op))
      return false;
  }
  loops.push_back(inner);
  sums.memory = store.getMemRef();
  sums.indices = store.getIndices();
  return numLoads == 2 &&
         readSum(inner.getYieldedValues()[0], inner.getRegionIterArgs()[0]);
}

/// Reads `old + a * b`.
bool NestProduct::readSum(Value value, Value old) {
  sum = value.getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(sum) ||
      (sum->getOperand(0) == old) == (sum->getOperand(1) == old))
    return false;
  product = sum->getOperand(sum->getOperand(0) == old ? 1 : 0).getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::MulIOp>(product))
    return false;
  for (unsigned i : {0, 1}) {
    auto factor = NestFactor::get(withoutExtension(product->getOperand(i)));
    if (!factor)
      return false;
    factors[i] = *factor;
  }
  sumType = value.getType();
  return factors[0].load != factors[1].load;
}
