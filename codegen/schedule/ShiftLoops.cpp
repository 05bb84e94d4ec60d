//===- ShiftLoops.cpp - shift and skew ------------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both add a number to the variable of a loop. The order of iterations stays as
// it is, so that no dependence is asked about. What changes is which iterations
// a later edit takes together: those that are fused, in one tile, or that an
// interchange compares.
//
//===----------------------------------------------------------------------===//

#include "codegen/schedule/LoopEdit.h"
#include "codegen/schedule/LoopParts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;

/// The variable of `loop` becomes greater by `offset`, which stands in front of
/// it. Its body sees the numbers that it has seen before.
bool LoopEdit::addToVariable(scf::ForOp loop, Value offset) {
  Location loc = loop.getLoc();
  b.setInsertionPoint(loop);
  Value lower =
            joinParts(make<arith::AddIOp>(loc, loop.getLowerBound(), offset)),
        upper =
            joinParts(make<arith::AddIOp>(loc, loop.getUpperBound(), offset));
  b.modifyOpInPlace(loop, [&] {
    loop.setLowerBound(lower);
    loop.setUpperBound(upper);
  });
  b.setInsertionPointToStart(loop.getBody());
  replaceVariable(loop,
                  make<arith::SubIOp>(loc, loop.getInductionVar(), offset));
  // The new numbers fit 64 bits where the condition holds.
  return open(loop) != nullptr;
}

// sch-13
Loops LoopEdit::shift(scf::ForOp loop, int64_t by) {
  if (!checkForm(loop) || !checkCarriesNothing(loop) || !open(loop))
    return {};
  b.setInsertionPoint(loop);
  LoopParts parts = getParts(loop);
  if (parts.first == LoopParts::First::Zero)
    parts = parts.forgetFirst();
  auto add = [&](const std::string &text) {
    return text + (by < 0 ? " - " : " + ") + std::to_string(std::abs(by));
  };
  LoopParts shifted = parts.change(add);
  shifted.variable = parts.variable.change(add);
  setParts(loop, shifted);
  if (!addToVariable(loop, getNumber(by, loop.getLoc())))
    return {};
  return {loop};
}

// sch-14
Loops LoopEdit::skew(scf::ForOp outer, scf::ForOp loop, int64_t by) {
  if (!checkForm(outer) || !checkForm(loop) || !checkCarriesNothing(loop))
    return {};
  if (outer == loop || !llvm::is_contained(getLoopsAround(loop), outer))
    return refuse(
        describeLoop(loop) + " does not stand in " + describeLoop(outer), loop);
  if (!open(loop))
    return {};
  std::string times =
      std::abs(by) == 1 ? "" : std::to_string(std::abs(by)) + " * ";
  LoopParts parts = getParts(loop), added = getParts(outer);
  auto add = [&](const std::string &to, const std::string &part) {
    return to + (by < 0 ? " - " : " + ") + times + "(" + part + ")";
  };
  bool isVariable = parts.first == LoopParts::First::Variable &&
                    added.first == LoopParts::First::Variable;
  setParts(loop, LoopParts{parts.combine(added, add),
                           isVariable ? parts.first : parts.forgetFirst().first,
                           parts.variable.combine(added.variable, add)});
  b.setInsertionPoint(loop);
  Value offset = outer.getInductionVar();
  if (by != 1)
    offset = make<arith::MulIOp>(loop.getLoc(), offset,
                                 getNumber(by, loop.getLoc()));
  if (!addToVariable(loop, offset))
    return {};
  return {loop};
}
