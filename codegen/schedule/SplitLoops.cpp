//===- SplitLoops.cpp - reverse and distribute ----------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/schedule/LoopEdit.h"
#include "codegen/schedule/LoopParts.h"

#include "infer/functions/Origin.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;
using poly::Direction;
using poly::Directions;

// sch-6
Loops LoopEdit::reverse(scf::ForOp loop) {
  if (!checkForm(loop) || !checkCarriesNothing(loop))
    return {};
  std::unique_ptr<LoopOrder> order = open(loop);
  if (!order)
    return {};
  if (!order->mayReverse(poly::earlierAt(getLoopsAround(loop).size())))
    return refuse(order->because);
  Location loc = loop.getLoc();
  // The variable counts up, and what the body sees down from the last one.
  b.setInsertionPoint(loop);
  Value one = getNumber(1, loc), step = loop.getStep(),
        lower = loop.getLowerBound();
  Value last = make<arith::SubIOp>(loc, loop.getUpperBound(), one);
  if (!loop.getConstantStep()->isOne()) {
    Value distance = make<arith::SubIOp>(loc, last, lower);
    last = make<arith::AddIOp>(
        loc, lower,
        make<arith::MulIOp>(loc, make<arith::FloorDivSIOp>(loc, distance, step),
                            step));
  }
  Value sum = make<arith::AddIOp>(loc, lower, last);
  b.setInsertionPointToStart(loop.getBody());
  replaceVariable(loop, make<arith::SubIOp>(loc, sum, loop.getInductionVar()));
  setParts(loop, codegen::reverse(getParts(loop)));
  return {loop};
}

//===----------------------------------------------------------------------===//
// Distribute
//===----------------------------------------------------------------------===//

/// Loads and arithmetic run in each loop that needs them.
static bool isValue(Operation &op) {
  return op.getNumRegions() == 0 && (isPure(&op) || isa<memref::LoadOp>(op));
}

SmallVector<Operation *> codegen::getStatements(scf::ForOp loop) {
  SmallVector<Operation *> statements;
  for (Operation &op : loop.getBody()->without_terminator())
    if (!isValue(op))
      statements.push_back(&op);
  return statements;
}

namespace {

/// The operations of a loop's body by the loops that need them.
class Groups {
public:
  Groups(scf::ForOp loop) : statements(getStatements(loop)) {}

  const SmallVector<Operation *> statements;
  /// A statement of the first loop that gives a number to the second one.
  Operation *crossing = nullptr;

  void divide(scf::ForOp loop, size_t first) {
    for (auto [number, op] : llvm::enumerate(statements))
      needs[op] = number < first ? kFirst : kSecond;
    size_t count = loop.getBody()->getOperations().size();
    for (Operation &op : llvm::reverse(loop.getBody()->without_terminator())) {
      numbers[&op] = --count;
      unsigned &bits = needs[&op];
      for (Operation *user : op.getUsers()) {
        unsigned used = needs.lookup(getTop(user, op.getBlock()));
        if (isValue(op))
          bits |= used;
        else if (used & ~bits)
          crossing = &op;
      }
    }
  }

  static constexpr unsigned kFirst = 1, kSecond = 2;
  bool isIn(Operation *op, unsigned group) const {
    return needs.lookup(op) & group;
  }
  size_t getNumber(Operation *op) const { return numbers.lookup(op); }

  /// What of the block has `op`.
  static Operation *getTop(Operation *op, Block *block) {
    return block->findAncestorOpInBlock(*op);
  }

private:
  llvm::DenseMap<Operation *, unsigned> needs;
  llvm::DenseMap<Operation *, size_t> numbers;
};

} // namespace

// sch-8
Loops LoopEdit::distribute(scf::ForOp loop, int64_t statement) {
  if (!checkForm(loop) || !checkCarriesNothing(loop))
    return {};
  Groups groups(loop);
  int64_t count = groups.statements.size();
  if (count < 2)
    return refuse(describeLoop(loop) +
                      " has less than two statements to take apart",
                  loop);
  if (statement < 1 || statement >= count)
    return refuse(describeLoop(loop) + " has " + std::to_string(count) +
                      " statements, which a number from 1 to " +
                      std::to_string(count - 1) + " takes apart",
                  loop);
  groups.divide(loop, statement);
  if (groups.crossing)
    return refuse("'" + infer::getOrigin(groups.crossing).str() +
                      "' of the first loop gives a number that the second one "
                      "needs",
                  groups.crossing);
  std::unique_ptr<LoopOrder> order = open(loop);
  if (!order)
    return {};
  size_t numAround = getLoopsAround(loop).size();
  auto getTop = [&](const LoopOrder::Access &access) {
    return Groups::getTop(access.call ? access.call : access.op,
                          loop.getBody());
  };
  auto swaps = [&](const LoopOrder::Access &x, const LoopOrder::Access &y) {
    return groups.isIn(getTop(x), Groups::kSecond) &&
           groups.isIn(getTop(y), Groups::kFirst);
  };
  // A load that stands in front of a store may run behind it.
  auto swapsInIteration = [&](const LoopOrder::Access &x,
                              const LoopOrder::Access &y) {
    return swaps(x, y) &&
           groups.getNumber(getTop(x)) < groups.getNumber(getTop(y));
  };
  if (!order->mayReverse(poly::earlierAt(numAround), swaps) ||
      !order->mayReverse(Directions(numAround + 1, Direction::Equal),
                         swapsInIteration))
    return refuse(order->because);
  b.setInsertionPointAfter(loop);
  scf::ForOp second = makeLoop(loop, loop.getLowerBound(), loop.getUpperBound(),
                               loop.getStep());
  second.getInductionVar().setLoc(loop.getInductionVar().getLoc());
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), second.getInductionVar());
  Operation *end = second.getBody()->getTerminator();
  b.setInsertionPoint(end);
  // Loops that only the second one has stay what handles know them as.
  for (Operation &op :
       llvm::make_early_inc_range(loop.getBody()->without_terminator())) {
    if (!groups.isIn(&op, Groups::kSecond))
      continue;
    if (groups.isIn(&op, Groups::kFirst)) {
      b.clone(op, mapping);
      continue;
    }
    b.moveOpBefore(&op, end);
    op.walk([&](Operation *inner) {
      b.modifyOpInPlace(inner, [&] {
        for (OpOperand &operand : inner->getOpOperands())
          operand.set(mapping.lookupOrDefault(operand.get()));
      });
    });
  }
  nameLoop(second, ".2");
  return {loop, second};
}
