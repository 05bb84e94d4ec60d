//===- CountCheck.cpp - arrays with the elements of a set -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/sets/CountCheck.h"

#include "dialect/ArgumentName.h"
#include "legalize/sets/SetFormulas.h"
#include "shape/Message.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

CountCheck legalize::checkCount(OpBuilder &b, BlockArgument argument,
                                loom::SetShapeAttr set, Value given,
                                Value symbol) {
  Location loc = argument.getLoc();
  SetFormulas formulas(b, loc);
  const poly::CountFormula &formula = set.getPacked().count;
  Value before = formulas.make<arith::MaxSIOp>(
      formulas.make<arith::SubIOp>(symbol, formulas.get(1)), formulas.get(0));
  Value fewer = formulas.compute(formula, before),
        count = formulas.compute(formula, symbol);
  Value isExact =
      arith::CmpIOp::create(b, loc, arith::CmpIPredicate::eq, count, given);
  std::string message = escapeTemplate(loom::getArgumentText(argument)) +
                        " has {0} elements, but the shape " +
                        escapeTemplate(set.getText().str()) +
                        " has {1} where " +
                        set.getSet().getSignature().symbols.front() +
                        " is {2} and {3} where it is {4}";
  return {isExact, message, {given, fewer, before, count, symbol}};
}
