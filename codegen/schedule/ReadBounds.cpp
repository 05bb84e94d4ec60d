//===- ReadBounds.cpp - bounds of loops as inequalities -------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "codegen/schedule/ProjectedBounds.h"

#include "poly/FormVariables.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::codegen;
using legalize::NestNumbers;
using poly::Form;
using poly::Row;
using poly::Rows;

/// Adds the numbers of which `bound`, an upper one, is the least, or a lower
/// one the greatest; with what is added to that number. False if it is none.
bool ProjectedBounds::splitBound(const Open &bound, bool isUpper,
                                 SmallVectorImpl<Open> &open) {
  auto addValue = [&](Value value, const Form &added) {
    open.push_back({value, {}, nullptr, added});
  };
  if (bound.expr) {
    unsigned numDims = getMap(bound.of).getNumDims();
    if (auto dim = dyn_cast<AffineDimExpr>(bound.expr))
      addValue(bound.of->getOperand(dim.getPosition()), bound.added);
    else if (auto symbol = dyn_cast<AffineSymbolExpr>(bound.expr))
      addValue(bound.of->getOperand(numDims + symbol.getPosition()),
               bound.added);
    else if (auto sum = dyn_cast<AffineBinaryOpExpr>(bound.expr);
             sum && sum.getKind() == AffineExprKind::Add)
      for (auto [part, other] : {std::pair(sum.getLHS(), sum.getRHS()),
                                 std::pair(sum.getRHS(), sum.getLHS())})
        if (std::optional<Form> added = readForm({{}, other, bound.of, {}})) {
          open.push_back({{}, part, bound.of, bound.added + *added});
          return true;
        }
    return !isa<AffineBinaryOpExpr, AffineConstantExpr>(bound.expr);
  }
  Operation *op = bound.value.getDefiningOp();
  if (isUpper ? isa_and_nonnull<arith::MinSIOp>(op)
              : isa_and_nonnull<arith::MaxSIOp>(op)) {
    for (Value operand : op->getOperands())
      addValue(operand, bound.added);
    return true;
  }
  bool isChoice = isUpper ? isa_and_nonnull<affine::AffineMinOp>(op)
                          : isa_and_nonnull<affine::AffineMaxOp>(op);
  if (isChoice || isa_and_nonnull<affine::AffineApplyOp>(op)) {
    for (AffineExpr expr : getMap(op).getResults())
      open.push_back({{}, expr, op, bound.added});
    return true;
  }
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op))
    return false;
  Value x = op->getOperand(0), y = op->getOperand(1);
  bool isSum = isa<arith::AddIOp>(op);
  if (std::optional<Form> added = readForm(y)) {
    addValue(x, isSum ? bound.added + *added : bound.added - *added);
    return true;
  }
  std::optional<Form> added = isSum ? readForm(x) : std::nullopt;
  if (added)
    addValue(y, bound.added + *added);
  return added.has_value();
}

bool ProjectedBounds::readBounds(scf::ForOp loop, Value value, bool isUpper,
                                 const Form &variable, Rows &rows) {
  constexpr size_t kMostBounds = 32;
  SmallVector<Open> open = {{value, {}, nullptr, Form()}};
  for (size_t i = 0; i < open.size(); ++i) {
    Open bound = open[i];
    Operation *op = bound.value ? bound.value.getDefiningOp() : nullptr;
    bool isChoice =
        isa_and_nonnull<arith::MinSIOp, arith::MaxSIOp, affine::AffineMinOp,
                        affine::AffineMaxOp>(op);
    if (isChoice && open.size() <= kMostBounds &&
        splitBound(bound, isUpper, open))
      continue;
    std::optional<Form> form = readForm(bound);
    if (!form && open.size() <= kMostBounds && splitBound(bound, isUpper, open))
      continue;
    std::optional<Row> row;
    if (form)
      row = removeQuotients(isUpper ? *form + bound.added - variable - 1
                                    : variable - *form - bound.added);
    if (!row)
      return refuse("a bound of " + describeLoop(loop) +
                        " is not affine in the loops around it",
                    loop);
    rows.push_back(std::move(*row));
  }
  return true;
}

bool ProjectedBounds::dependsOnBand(const Form &form) const {
  const poly::Space &space = numbers.domain.getSpace();
  return poly::hasVariable(space, form, [&](poly::Variable variable) {
    return !space.getQuotient(variable) && space.isUnknown(variable);
  });
}

/// Whether `form` has no products, and no unknowns but the loops.
bool ProjectedBounds::isAffine(const Form &form) const {
  const poly::Space &space = numbers.domain.getSpace();
  return poly::isAffine(space, form, [&](poly::Variable variable) {
    return !space.isUnknown(variable) ||
           llvm::any_of(read, [&](const Loop &loop) {
             return loop.variable.contains(variable);
           });
  });
}

std::optional<Form> ProjectedBounds::readForm(const Open &bound) {
  if (!bound.expr)
    return readForm(bound.value);
  std::optional<NestNumbers::Bounded> number = numbers.get(
      bound.expr, getMap(bound.of).getNumDims(), bound.of->getOperands());
  return number && isAffine(number->form) ? std::optional(number->form)
                                          : std::nullopt;
}

std::optional<Form> ProjectedBounds::readForm(Value value) {
  if (std::optional<NestNumbers::Bounded> number = numbers.get(value);
      number && isAffine(number->form))
    return number->form;
  if (!loops.front().isDefinedOutsideOfLoop(value))
    return std::nullopt;
  for (auto &[variable, known] : opaque)
    if (known == value)
      return Form::variable(variable);
  Form symbol = numbers.domain.addSymbol("number");
  if (!symbol.isExact())
    return std::nullopt;
  opaque.push_back({poly::getVariable(symbol), value});
  return symbol;
}

/// `form` >= 0 without quotients of loops: `q + r >= 0` holds, where q is the
/// quotient of e by d rounded down, if and only if `e + d r >= 0`, and
/// `r - q >= 0` if and only if `d r - e + d - 1 >= 0`.
std::optional<Row> ProjectedBounds::removeQuotients(Form form) const {
  constexpr unsigned kMostRounds = 16;
  for (unsigned round = 0; round < kMostRounds && form.isExact(); ++round) {
    const poly::Space::Quotient *quotient = nullptr;
    poly::Variable divided = 0;
    for (const Form::Term &term : form.getTerms()) {
      divided = term.monomial.getFactor(0);
      quotient = numbers.domain.getSpace().getQuotient(divided);
      if (quotient && dependsOnBand(quotient->numerator))
        break;
      quotient = nullptr;
    }
    if (!quotient)
      return poly::isNotNegative(std::move(form));
    auto [factor, rest] = form.split(divided);
    int64_t sign = factor.getConstant();
    if (sign != 1 && sign != -1)
      return std::nullopt;
    form = Form::combine(quotient->divisor, rest, sign, quotient->numerator);
    if (sign < 0)
      form = form + (quotient->divisor - 1);
  }
  return std::nullopt;
}
