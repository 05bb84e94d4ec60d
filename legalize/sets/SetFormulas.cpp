//===- SetFormulas.cpp - places of the points of a set as values ----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/sets/SetFormulas.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

Value SetFormulas::get(int64_t number) {
  return arith::ConstantIndexOp::create(b, loc, number);
}

Value SetFormulas::compute(poly::Monomial monomial, ValueRange values) {
  Value product = values[monomial.getFactor(0)];
  for (unsigned i = 1; i < monomial.getDegree(); ++i)
    product = make<arith::MulIOp>(product, values[monomial.getFactor(i)]);
  return product;
}

Value SetFormulas::compute(const poly::Rising &piece, ValueRange values) {
  Value of = make<arith::MaxSIOp>(compute(piece.of, values), get(0));
  Value product = of;
  for (unsigned i = 1; i < piece.power; ++i)
    product = make<arith::MulIOp>(product, make<arith::AddIOp>(of, get(i)));
  return product;
}

/// What the divisor divides anyway is outside the division, so that places
/// along the innermost axis are seen to follow one another.
Value SetFormulas::compute(const poly::CountFormula &formula,
                           ValueRange values) {
  Value whole = get(0), divided;
  auto append = [&](Value term, int64_t coefficient) {
    bool isWhole = coefficient % formula.divisor == 0;
    Value scaled = make<arith::MulIOp>(
        term, get(isWhole ? coefficient / formula.divisor : coefficient));
    Value &sum = isWhole ? whole : divided;
    sum = sum ? make<arith::AddIOp>(sum, scaled) : scaled;
  };
  for (const poly::Form::Term &term : formula.polynomial.getTerms())
    append(compute(term.monomial, values), term.coefficient);
  for (const poly::Rising &piece : formula.pieces)
    append(compute(piece, values), piece.coefficient);
  if (int64_t constant = formula.polynomial.getConstant())
    append(get(1), constant);
  if (!divided)
    return whole;
  Value quotient = formula.divisor == 2
                       ? make<arith::ShRSIOp>(divided, get(1))
                       : make<arith::DivSIOp>(divided, get(formula.divisor));
  return make<arith::AddIOp>(whole, quotient);
}

Value SetFormulas::compute(const poly::Form &form, ValueRange values) {
  return compute(poly::CountFormula{form}, values);
}

Value SetFormulas::computeFirst(const poly::Interval &interval,
                                ValueRange values) {
  Value first;
  for (const poly::Form &lower : interval.lowers) {
    Value bound = compute(lower, values);
    first = first ? make<arith::MaxSIOp>(first, bound) : bound;
  }
  return first;
}

Value SetFormulas::computeEnd(const poly::Interval &interval,
                              ValueRange values) {
  Value end;
  for (const poly::Form &upper : interval.uppers) {
    Value bound = compute(upper + 1, values);
    end = end ? make<arith::MinSIOp>(end, bound) : bound;
  }
  return end;
}

Value SetFormulas::holds(const poly::Rows &rows, ValueRange values) {
  Value all;
  for (const poly::Row &row : rows) {
    Value one = arith::CmpIOp::create(b, loc,
                                      row.isZero ? arith::CmpIPredicate::eq
                                                 : arith::CmpIPredicate::sge,
                                      compute(row.form, values), get(0));
    all = all ? make<arith::AndIOp>(all, one) : one;
  }
  return all;
}

Value SetFormulas::findSymbol(const poly::PackedSet &packed, Value count) {
  Value low = get(0), high = get((int64_t(1) << packed.bits) - 1);
  auto loop = scf::WhileOp::create(
      b, loc, TypeRange{low.getType(), high.getType()}, ValueRange{low, high},
      [](OpBuilder &inner, Location at, ValueRange range) {
        Value isOpen = arith::CmpIOp::create(
            inner, at, arith::CmpIPredicate::slt, range[0], range[1]);
        scf::ConditionOp::create(inner, at, isOpen, range);
      },
      [&](OpBuilder &inner, Location at, ValueRange range) {
        SetFormulas within(inner, at);
        Value middle = within.make<arith::ShRSIOp>(
            within.make<arith::AddIOp>(range[0], range[1]), within.get(1));
        Value isLess =
            arith::CmpIOp::create(inner, at, arith::CmpIPredicate::slt,
                                  within.compute(packed.count, middle), count);
        Value next = within.make<arith::AddIOp>(middle, within.get(1));
        scf::YieldOp::create(
            inner, at,
            ValueRange{
                arith::SelectOp::create(inner, at, isLess, next, range[0]),
                arith::SelectOp::create(inner, at, isLess, range[1], middle)});
      });
  return loop.getResult(0);
}
