//===- ConstraintWords.cpp - a constraint's arithmetic in words -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/constraints/ConstraintWords.h"
#include "infer/numbers/NumberBounds.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::infer;

static bool isExact(Operation *op) {
  auto flags = dyn_cast<arith::ArithIntegerOverflowFlagsInterface>(op);
  return flags && flags.hasNoSignedWrap();
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

Checked ConstraintWords::getChecked(Value number) {
  if (auto it = numbers.find(number); it != numbers.end())
    return it->second;
  Checked made = makeChecked(number);
  numbers[number] = made;
  return made;
}

Checked ConstraintWords::makeReader(Operation *op) {
  Value result = op->getResult(0), fits;
  IRMapping mapping;
  bool isSame = true;
  for (Value operand : op->getOperands()) {
    Checked of = getChecked(operand);
    fits = checked.both(fits, of.fits);
    isSame &= of.value == operand;
    mapping.map(operand, of.value);
  }
  return {isSame ? result : builder.clone(*op, mapping)->getResult(0), fits};
}

Checked ConstraintWords::makeChecked(Value number) {
  Operation *op = number.getDefiningOp();
  if (!op)
    return {number, nullptr};
  if (isa<arith::FloorDivSIOp, arith::CeilDivSIOp, arith::DivSIOp,
          arith::RemSIOp, arith::RemUIOp, arith::MaxSIOp, arith::MinSIOp,
          arith::AndIOp, arith::IndexCastOp>(op) &&
      op->getResult(0).getType().isIntOrIndex())
    return makeReader(op);
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    Checked a = getChecked(select.getTrueValue()),
            b = getChecked(select.getFalseValue());
    Verdict chosen = getVerdict(select.getCondition());
    if (a.value == select.getTrueValue() && b.value == select.getFalseValue() &&
        chosen.holds == select.getCondition())
      return {number, nullptr};
    auto choose = [&](Value x, Value y) -> Value {
      return arith::SelectOp::create(builder, loc, chosen.holds, x, y);
    };
    Value fits;
    if (a.fits || b.fits)
      fits = choose(checked.orTrue(a.fits), checked.orTrue(b.fits));
    if (!chosen.isExact())
      fits = checked.both(
          fits, arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                      chosen.holds, chosen.mayHold));
    return {choose(a.value, b.value), fits};
  }
  if (!isExact(op))
    return {number, nullptr};
  Checked a = getChecked(op->getOperand(0)), b = getChecked(op->getOperand(1));
  bool isWord = infer::isWord(analysis.getNumbers(),
                              analysis.getScalars().getNumber(number));
  if (isa<arith::AddIOp>(op))
    return checked.add(a, b, isWord);
  if (isa<arith::SubIOp>(op))
    return checked.subtract(a, b, isWord);
  return checked.multiply(a, b, isWord);
}

//===----------------------------------------------------------------------===//
// Conditions
//===----------------------------------------------------------------------===//

Verdict ConstraintWords::getVerdict(Value condition) {
  if (auto it = verdicts.find(condition); it != verdicts.end())
    return it->second;
  Verdict made = makeVerdict(condition);
  verdicts[condition] = made;
  return made;
}

Verdict ConstraintWords::makeVerdict(Value condition) {
  Operation *op = condition.getDefiningOp();
  if (isa_and_nonnull<arith::AndIOp, arith::OrIOp>(op)) {
    Verdict a = getVerdict(op->getOperand(0)),
            b = getVerdict(op->getOperand(1));
    if (a.isExact() && b.isExact() && a.holds == op->getOperand(0) &&
        b.holds == op->getOperand(1))
      return checked.exactly(condition);
    return isa<arith::AndIOp>(op) ? checked.both(a, b) : checked.either(a, b);
  }
  if (isa_and_nonnull<arith::XOrIOp>(op) &&
      matchPattern(op->getOperand(1), m_One())) {
    Verdict of = getVerdict(op->getOperand(0));
    return of.isExact() && of.holds == op->getOperand(0)
               ? checked.exactly(condition)
               : checked.isNot(of);
  }
  auto compare = dyn_cast_or_null<arith::CmpIOp>(op);
  if (!compare || !(compare.getLhs().getType().isIndex() ||
                    compare.getLhs().getType().isInteger(64)))
    return checked.exactly(condition);
  Checked a = getChecked(compare.getLhs()), b = getChecked(compare.getRhs());
  if (a.value == compare.getLhs() && b.value == compare.getRhs())
    return checked.exactly(condition);
  return checked.compare(compare.getPredicate(), a, b);
}
