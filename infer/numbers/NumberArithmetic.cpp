//===- NumberArithmetic.cpp - arithmetic of numbers -----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/NumberArithmetic.h"
#include "infer/numbers/BoundArithmetic.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/NumberBounds.h"

#include <algorithm>
#include <iterator>

using namespace broadloom;
using namespace broadloom::infer;

/// Constants and factors within the range that arithmetic has.
static std::optional<Number> getConstant(__int128 value) {
  return fits(value) ? std::optional(Number(static_cast<int64_t>(value)))
                     : std::nullopt;
}

std::optional<Number> infer::add(Numbers &numbers, const Number &a,
                                 const Number &b) {
  __int128 constant = static_cast<__int128>(a.constant) + b.constant;
  if (a.isConstant() && b.isConstant())
    return getConstant(constant);
  Number sum(saturate(constant));
  bool isExact = fits(constant);
  auto x = a.terms.begin(), y = b.terms.begin();
  while (x != a.terms.end() || y != b.terms.end()) {
    if (y == b.terms.end() || (x != a.terms.end() && x->atoms < y->atoms)) {
      sum.terms.push_back(*x++);
    } else if (x == a.terms.end() || y->atoms < x->atoms) {
      sum.terms.push_back(*y++);
    } else {
      __int128 factor = static_cast<__int128>(x->factor) + y->factor;
      isExact &= fits(factor);
      if (factor != 0)
        sum.terms.push_back({x->atoms, saturate(factor)});
      ++x, ++y;
    }
  }
  bool isShort = isExact && sum.terms.size() <= kMaxTerms;
  if (isShort && (!numbers.hasLimits() || numbers.naturalBoundsOf(sum).lo >= 0))
    return sum;
  Bounds p = numbers.naturalBoundsOf(a), q = numbers.naturalBoundsOf(b);
  if (isShort) {
    // The bounds of a remainder, or of a sum with one, do not follow from its
    // terms.
    if (p.lo >= 0 && q.lo >= 0)
      numbers.limitForm(sum, addBounds(p, q));
    return sum;
  }
  return numbers.makeAtom(Atom::Kind::Sum, a, b,
                          {saturate(static_cast<__int128>(p.lo) + q.lo),
                           saturate(static_cast<__int128>(p.hi) + q.hi)});
}

std::optional<Number> infer::subtract(Numbers &numbers, const Number &a,
                                      const Number &b) {
  return add(numbers, a, negate(numbers, b));
}

Number infer::negate(Numbers &numbers, const Number &number) {
  return orUnknown(numbers, multiply(numbers, number, Number(-1)));
}

std::optional<Number> infer::multiply(Numbers &numbers, const Number &a,
                                      const Number &b) {
  if (a.isConstant() && b.isConstant())
    return getConstant(static_cast<__int128>(a.constant) * b.constant);
  if (a.isConstant(0) || b.isConstant(0))
    return Number(0);
  std::vector<Term> products;
  bool isExact = a.terms.size() * b.terms.size() <= kMaxTerms;
  auto addProduct = [&](const Term &x, const Term &y) {
    __int128 factor = static_cast<__int128>(x.factor) * y.factor;
    isExact &= fits(factor) && x.atoms.size() + y.atoms.size() <= kMaxDegree;
    if (!isExact || factor == 0)
      return;
    Term term{{}, static_cast<int64_t>(factor)};
    std::merge(x.atoms.begin(), x.atoms.end(), y.atoms.begin(), y.atoms.end(),
               std::back_inserter(term.atoms));
    products.push_back(std::move(term));
  };
  Term p{{}, a.constant}, q{{}, b.constant};
  if (isExact) {
    addProduct(p, q);
    for (const Term &x : a.terms) {
      addProduct(x, q);
      for (const Term &y : b.terms)
        addProduct(x, y);
    }
    for (const Term &y : b.terms)
      addProduct(p, y);
  }
  if (!isExact)
    return numbers.makeAtom(
        Atom::Kind::Product, std::min(a, b), std::max(a, b),
        multiplyBounds(numbers.naturalBoundsOf(a), numbers.naturalBoundsOf(b)));
  Number sum;
  for (Term &term : products) {
    Number next;
    if (term.atoms.empty())
      next.constant = term.factor;
    else
      next.terms.push_back(std::move(term));
    // Only one of them is a constant.
    sum = *add(numbers, sum, next);
  }
  return sum;
}

std::optional<Number> infer::add(Numbers &numbers,
                                 const std::optional<Number> &a,
                                 const std::optional<Number> &b) {
  return a && b ? add(numbers, *a, *b) : std::nullopt;
}

std::optional<Number> infer::subtract(Numbers &numbers,
                                      const std::optional<Number> &a,
                                      const std::optional<Number> &b) {
  return a && b ? subtract(numbers, *a, *b) : std::nullopt;
}

std::optional<Number> infer::multiply(Numbers &numbers,
                                      const std::optional<Number> &a,
                                      const std::optional<Number> &b) {
  return a && b ? multiply(numbers, *a, *b) : std::nullopt;
}

Number infer::orUnknown(Numbers &numbers, const std::optional<Number> &number) {
  return number ? *number : numbers.unknown();
}

Number infer::minimum(Numbers &numbers, const Number &a, const Number &b) {
  if (truthOf(numbers, atMost(numbers, a, b)) == Truth::Proved)
    return a;
  if (truthOf(numbers, atMost(numbers, b, a)) == Truth::Proved)
    return b;
  Bounds p = numbers.naturalBoundsOf(a), q = numbers.naturalBoundsOf(b);
  return numbers.makeAtom(Atom::Kind::Minimum, std::min(a, b), std::max(a, b),
                          {std::min(p.lo, q.lo), std::min(p.hi, q.hi)});
}

Number infer::maximum(Numbers &numbers, const Number &a, const Number &b) {
  if (truthOf(numbers, atMost(numbers, a, b)) == Truth::Proved)
    return b;
  if (truthOf(numbers, atMost(numbers, b, a)) == Truth::Proved)
    return a;
  Bounds p = numbers.naturalBoundsOf(a), q = numbers.naturalBoundsOf(b);
  return numbers.makeAtom(Atom::Kind::Maximum, std::min(a, b), std::max(a, b),
                          {std::max(p.lo, q.lo), std::max(p.hi, q.hi)});
}

Number infer::bitAnd(Numbers &numbers, const Number &a, const Number &b) {
  if (a.isConstant() && b.isConstant())
    return Number(a.constant & b.constant);
  Bounds p = boundsOf(numbers, a), q = boundsOf(numbers, b);
  if (p.lo < 0 || q.lo < 0)
    return numbers.unknown();
  p = numbers.naturalBoundsOf(a), q = numbers.naturalBoundsOf(b);
  bool areNatural = p.lo >= 0 && q.lo >= 0;
  return numbers.makeAtom(Atom::Kind::BitAnd, std::min(a, b), std::max(a, b),
                          areNatural ? Bounds{0, std::min(p.hi, q.hi)}
                                     : Bounds());
}

Number infer::select(Numbers &numbers, ConditionId condition, const Number &a,
                     const Number &b) {
  Truth truth = truthOf(numbers, condition);
  if (truth == Truth::Proved || a == b)
    return a;
  if (truth == Truth::Refuted)
    return b;
  // A choice between two numbers that are proved equal is that number.
  if (truthOf(numbers, equal(numbers, a, b)) == Truth::Proved)
    return a.isConstant() ? a : b;
  Bounds p = numbers.naturalBoundsOf(a), q = numbers.naturalBoundsOf(b);
  return numbers.makeAtom(Atom::Kind::Select, a, b,
                          {std::min(p.lo, q.lo), std::max(p.hi, q.hi)},
                          condition);
}
