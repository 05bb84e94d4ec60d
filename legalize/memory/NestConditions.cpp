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
#include "llvm/Support/SaveAndRestore.h"

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
  std::optional<Bounded> a = get(op->getOperand(0)), b;
  if (a)
    b = get(op->getOperand(1));
  if (!b)
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

/// The conjunctions in which both `a` and `b` hold, or one of them; nothing
/// where they are many.
static std::optional<Parts> combine(const Parts &a, const Parts &b, bool both) {
  constexpr size_t kMostParts = 16, kMostRows = 64;
  Parts parts;
  if (both) {
    if (a.size() * b.size() > kMostParts)
      return std::nullopt;
    for (const poly::Rows &x : a)
      for (const poly::Rows &y : b) {
        if (x.size() + y.size() > kMostRows)
          return std::nullopt;
        llvm::append_range(parts.emplace_back(x), y);
      }
    return parts;
  }
  if (a.size() + b.size() > kMostParts)
    return std::nullopt;
  llvm::append_range(parts, a);
  llvm::append_range(parts, b);
  return parts;
}

std::optional<Parts> NestNumbers::readCondition(Value boolean, bool isTrue) {
  APInt constant;
  if (matchPattern(boolean, m_ConstantInt(&constant)))
    return constant.isZero() == isTrue ? Parts() : Parts{{}};
  Operation *op = boolean.getDefiningOp();
  if (isa_and_nonnull<arith::CmpIOp, index::CmpOp>(op))
    return compare(op, isTrue);
  if (isa_and_nonnull<arith::AndIOp, arith::OrIOp>(op)) {
    std::optional<Parts> a = getCondition(op->getOperand(0), isTrue), b;
    if (a)
      b = getCondition(op->getOperand(1), isTrue);
    return b ? combine(*a, *b, isa<arith::AndIOp>(op) == isTrue) : std::nullopt;
  }
  if (isa_and_nonnull<arith::XOrIOp>(op) &&
      matchPattern(op->getOperand(1), m_One()))
    return getCondition(op->getOperand(0), !isTrue);
  if (isa_and_nonnull<arith::XOrIOp>(op)) {
    Parts either;
    for (bool isFirst : {true, false}) {
      std::optional<Parts> a = getCondition(op->getOperand(0), isFirst), b;
      if (a)
        b = getCondition(op->getOperand(1), isFirst != isTrue);
      std::optional<Parts> both =
          b ? combine(*a, *b, /*both=*/true) : std::nullopt;
      std::optional<Parts> joined =
          both ? combine(either, *both, /*both=*/false) : std::nullopt;
      if (!joined)
        return std::nullopt;
      either = std::move(*joined);
    }
    return either;
  }
  return std::nullopt;
}

/// Without rows that hold, and conjunctions that do not, by their constants.
static Parts dropConstants(Parts parts) {
  auto isConstant = [](const poly::Row &row) {
    return row.form.isExact() && row.form.isConstant();
  };
  auto holds = [](const poly::Row &row) {
    int64_t value = row.form.getConstant();
    return row.isZero ? value == 0 : value >= 0;
  };
  llvm::erase_if(parts, [&](const poly::Rows &rows) {
    return llvm::any_of(rows, [&](const poly::Row &row) {
      return isConstant(row) && !holds(row);
    });
  });
  for (poly::Rows &rows : parts)
    llvm::erase_if(rows, isConstant);
  return parts;
}

std::optional<Parts> NestNumbers::getCondition(Value boolean, bool isTrue) {
  std::pair<Value, unsigned> key(boolean, isTrue);
  if (auto it = conditions.find(key); it != conditions.end())
    return it->second;
  std::optional<Parts> parts;
  if (depth < kMostDepth) {
    llvm::SaveAndRestore deeper(depth, depth + 1);
    parts = readCondition(boolean, isTrue);
  }
  if (parts)
    parts = dropConstants(std::move(*parts));
  if (!parts && isInFront(boolean))
    if (std::optional<Bounded> symbol = getSymbol({boolean, -1}))
      parts = Parts{{isTrue ? poly::isAtMost(1, symbol->form)
                            : poly::isAtMost(symbol->form, 0)}};
  conditions[key] = parts;
  return parts;
}

std::optional<NestNumbers::Bounded> NestNumbers::choose(Operation *select) {
  std::vector<poly::Domain::Choice> alternatives;
  double size = 0;
  for (bool isTrue : {true, false}) {
    std::optional<Parts> parts = getCondition(select->getOperand(0), isTrue);
    if (!parts)
      return std::nullopt;
    if (parts->empty())
      continue;
    std::optional<Bounded> value = get(select->getOperand(isTrue ? 1 : 2));
    // Constants may decide it.
    if (!value || (parts->size() == 1 && parts->front().empty()))
      return value;
    size = std::max(size, value->size);
    for (poly::Rows &rows : *parts)
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
