//===- NestConditions.cpp - the conditions of a loop nest -----------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "legalize/memory/NestNumbers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace broadloom;
using namespace broadloom::legalize;

using Parts = std::vector<poly::Rows>;

std::optional<Parts> NestNumbers::compare(Operation *op, bool isTrue) {
  // The predicates of both dialects have one order but not one numbering.
  std::optional<arith::CmpIPredicate> predicate;
  if (auto cmp = dyn_cast<arith::CmpIOp>(op))
    predicate = cmp.getPredicate();
  else if (auto cmp = dyn_cast<index::CmpOp>(op))
    predicate = arith::symbolizeCmpIPredicate(
        index::stringifyIndexCmpPredicate(cmp.getPred()));
  if (!predicate)
    return std::nullopt;
  std::optional<NestNumbers::Bounded> a = get(op->getOperand(0)),
                                      b = get(op->getOperand(1));
  if (!a || !b)
    return std::nullopt;
  const poly::Form &x = a->form, &y = b->form;
  auto invert = [&](Parts whenTrue, Parts whenFalse) {
    return isTrue ? whenTrue : whenFalse;
  };
  Parts less = {{poly::isLess(x, y)}}, atLeast = {{poly::isAtMost(y, x)}},
        more = {{poly::isLess(y, x)}}, atMost = {{poly::isAtMost(x, y)}};
  switch (*predicate) {
  case arith::CmpIPredicate::eq:
    return invert({{poly::isZero(x - y)}}, {less[0], more[0]});
  case arith::CmpIPredicate::ne:
    return invert({less[0], more[0]}, {{poly::isZero(x - y)}});
  case arith::CmpIPredicate::slt:
    return invert(less, atLeast);
  case arith::CmpIPredicate::sle:
    return invert(atMost, more);
  case arith::CmpIPredicate::sgt:
    return invert(more, atMost);
  case arith::CmpIPredicate::sge:
    return invert(atLeast, less);
  case arith::CmpIPredicate::ult:
  case arith::CmpIPredicate::uge:
    // A negative number is larger than any other.
    if (!y.isConstant() || y.getConstant() < 0)
      return std::nullopt;
    if (isTrue == (*predicate == arith::CmpIPredicate::ult))
      return Parts{{less[0][0], poly::isNotNegative(x)}};
    return Parts{{poly::isLess(x, 0)}, atLeast[0]};
  default:
    return std::nullopt;
  }
}

std::optional<Parts> NestNumbers::getCondition(Value boolean, bool isTrue) {
  APInt constant;
  if (matchPattern(boolean, m_ConstantInt(&constant)))
    return constant.isZero() == isTrue ? Parts() : Parts{{}};
  Operation *op = boolean.getDefiningOp();
  std::optional<Parts> parts;
  if (isa_and_nonnull<arith::CmpIOp, index::CmpOp>(op)) {
    parts = compare(op, isTrue);
  } else if (isa_and_nonnull<arith::AndIOp, arith::OrIOp>(op)) {
    std::optional<Parts> a = getCondition(op->getOperand(0), isTrue),
                         b = getCondition(op->getOperand(1), isTrue);
    constexpr size_t kMaxParts = 16;
    if (a && b && a->size() * b->size() <= kMaxParts) {
      parts.emplace();
      if (isa<arith::AndIOp>(op) != isTrue) {
        llvm::append_range(*parts, *a);
        llvm::append_range(*parts, *b);
      } else {
        for (const poly::Rows &x : *a)
          for (const poly::Rows &y : *b)
            llvm::append_range(parts->emplace_back(x), y);
      }
    }
  } else if (isa_and_nonnull<arith::XOrIOp>(op) &&
             matchPattern(op->getOperand(1), m_One())) {
    return getCondition(op->getOperand(0), !isTrue);
  }
  if (parts || !isInFront(boolean))
    return parts;
  std::optional<NestNumbers::Bounded> symbol = getSymbol({boolean, -1});
  if (!symbol)
    return std::nullopt;
  return isTrue ? Parts{{poly::isAtMost(1, symbol->form)}}
                : Parts{{poly::isAtMost(symbol->form, 0)}};
}

std::optional<NestNumbers::Bounded> NestNumbers::choose(Operation *select) {
  std::vector<poly::Domain::Choice> alternatives;
  double size = 0;
  for (bool isTrue : {true, false}) {
    std::optional<NestNumbers::Bounded> value =
        get(select->getOperand(isTrue ? 1 : 2));
    std::optional<Parts> conditions =
        getCondition(select->getOperand(0), isTrue);
    if (!value || !conditions)
      return std::nullopt;
    size = std::max(size, value->size);
    for (poly::Rows &rows : *conditions)
      alternatives.push_back({value->form, std::move(rows)});
  }
  return Bounded{domain.addChoice("choice", alternatives), size};
}

void NestNumbers::assumeBranches() {
  unsigned numLeft = 4; // Many facts would make the nest too large for poly/.
  for (Operation *inner = nest, *op = nest->getParentOp();
       numLeft > 0 && op && !isa<func::FuncOp>(op);
       inner = op, op = op->getParentOp()) {
    auto branch = dyn_cast<scf::IfOp>(op);
    if (!branch)
      continue;
    Operation *cmp = branch.getCondition().getDefiningOp();
    if (!isa_and_nonnull<arith::CmpIOp, index::CmpOp>(cmp) ||
        !llvm::all_of(cmp->getOperands(), [&](Value v) { return isKnown(v); }))
      continue;
    std::optional<Parts> parts =
        compare(cmp, inner->getParentRegion() == &branch.getThenRegion());
    if (!parts || parts->size() != 1)
      continue;
    --numLeft;
    for (poly::Row &row : parts->front())
      domain.assume(std::move(row));
  }
}
