//===- NumberDivision.cpp - quotients and remainders of numbers -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/BoundArithmetic.h"
#include "infer/numbers/Numbers.h"

#include <algorithm>
#include <iterator>

using namespace broadloom;
using namespace broadloom::infer;

/// Removes the multiples of `by` from `number` and returns their quotient: old
/// number = by * result + new number. `by` is not 0.
static Number takeMultiple(Number &number, int64_t by) {
  Number quotient(floorDivide(number.constant, by));
  // The remainder gets the divisor's sign. It is not computed from the
  // quotient, because the product may not fit.
  int64_t left = number.constant % by;
  number.constant = left != 0 && (left < 0) != (by < 0) ? left + by : left;
  std::vector<Term> rest;
  for (Term &term : number.terms) {
    if (term.factor % by == 0)
      quotient.terms.push_back({std::move(term.atoms), term.factor / by});
    else
      rest.push_back(std::move(term));
  }
  number.terms = std::move(rest);
  return quotient;
}

/// The quotient of `a` by a single term, if each term of `a` is a multiple of
/// it.
static std::optional<Number> divideExactly(const Number &a, const Term &by) {
  if (a.constant != 0)
    return std::nullopt;
  Number quotient;
  for (const Term &term : a.terms) {
    Term result;
    if (term.factor % by.factor != 0 ||
        !std::includes(term.atoms.begin(), term.atoms.end(), by.atoms.begin(),
                       by.atoms.end()))
      return std::nullopt;
    result.factor = term.factor / by.factor;
    std::set_difference(term.atoms.begin(), term.atoms.end(), by.atoms.begin(),
                        by.atoms.end(), std::back_inserter(result.atoms));
    if (result.atoms.empty())
      quotient.constant += result.factor;
    else
      quotient.terms.push_back(std::move(result));
  }
  std::sort(quotient.terms.begin(), quotient.terms.end());
  return quotient;
}

/// Quotients of quotients are one: (x / c + k) / by is (x + k * c) / (c * by).
std::optional<Number> Numbers::divideQuotient(const Number &number,
                                              int64_t by) {
  if (number.terms.size() != 1 || number.terms[0].factor != 1 ||
      number.terms[0].atoms.size() != 1)
    return std::nullopt;
  const Atom &atom = atoms[number.terms[0].atoms[0]];
  if (atom.kind != Atom::Kind::Quotient || !atom.b.isConstant())
    return std::nullopt;
  __int128 divisor = static_cast<__int128>(atom.b.constant) * by;
  __int128 offset = static_cast<__int128>(atom.b.constant) * number.constant;
  if (!fits(divisor) || !fits(offset))
    return std::nullopt;
  Number dividend = atom.a;
  return divide(add(dividend, Number(static_cast<int64_t>(offset))),
                Number(static_cast<int64_t>(divisor)));
}

Number Numbers::divide(const Number &a, const Number &b) {
  if (b.isConstant()) {
    if (b.constant == 0)
      return unknown();
    if (b.constant < 0)
      return divide(multiply(a, Number(-1)), multiply(b, Number(-1)));
    Number rest = a;
    Number quotient = takeMultiple(rest, b.constant);
    if (std::optional<Number> flat = divideQuotient(rest, b.constant))
      return add(quotient, *flat);
    Bounds of = divideBounds(naturalBoundsOf(rest), b.constant);
    return add(quotient, binary(Atom::Kind::Quotient, rest, b, of));
  }
  if (a == b)
    return Number(1);
  if (a.isConstant(0))
    return a;
  if (b.constant == 0 && b.terms.size() == 1)
    if (std::optional<Number> exact = divideExactly(a, b.terms.front()))
      return *exact;
  Bounds p = naturalBoundsOf(a), q = naturalBoundsOf(b);
  Bounds bounds;
  if (p.lo >= 0 && q.lo >= 0)
    bounds = {0, p.hi};
  return binary(Atom::Kind::Quotient, a, b, bounds);
}

Number Numbers::remainder(const Number &a, const Number &b) {
  if (b.isConstant() && b.constant > 0) {
    Number rest = a;
    takeMultiple(rest, b.constant);
    Bounds bounds = boundsOf(rest);
    if (bounds.lo >= 0 && bounds.hi < b.constant)
      return rest;
    // Creates the quotient, which the solver needs.
    (void)divide(rest, b);
    return binary(Atom::Kind::Remainder, rest, b, {0, b.constant - 1});
  }
  Number rest = subtract(a, multiply(b, divide(a, b)));
  // Adds bounds that do not follow from those of the products.
  if (Bounds p = naturalBoundsOf(a), q = naturalBoundsOf(b);
      p.lo >= 0 && q.lo >= 0) {
    // A divisor of 0 leaves the dividend as the remainder.
    bool isDivisor = q.lo >= 1;
    bool isLess = isDivisor && q.hi != Bounds::kNone;
    limitForm(rest, {0, isLess ? std::min(p.hi, q.hi - 1) : p.hi});
    if (isDivisor)
      limitForm(subtract(rest, b), {-Bounds::kNone, -1});
  }
  return rest;
}

Number Numbers::truncatedDivide(const Number &a, const Number &b) {
  Bounds p = boundsOf(a), q = boundsOf(b);
  if (a.isConstant() && b.isConstant() && b.constant != 0)
    return checked(static_cast<__int128>(a.constant) / b.constant);
  if (p.lo >= 0 && q.lo >= 0)
    return divide(a, b);
  return binary(Atom::Kind::TruncatedQuotient, a, b, {});
}

Number Numbers::truncatedRemainder(const Number &a, const Number &b) {
  Bounds p = boundsOf(a), q = boundsOf(b);
  if (a.isConstant() && b.isConstant() && b.constant != 0)
    return checked(static_cast<__int128>(a.constant) % b.constant);
  if (p.lo >= 0 && q.lo >= 0)
    return remainder(a, b);
  return binary(Atom::Kind::TruncatedRemainder, a, b, {});
}
