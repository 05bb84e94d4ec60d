//===- NumberDivision.cpp - quotients and remainders of numbers -----------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/BoundArithmetic.h"
#include "infer/numbers/NumberArithmetic.h"
#include "infer/numbers/NumberBounds.h"

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
static std::optional<Number> divideQuotient(Numbers &numbers,
                                            const Number &number, int64_t by) {
  if (number.terms.size() != 1 || number.terms[0].factor != 1 ||
      number.terms[0].atoms.size() != 1)
    return std::nullopt;
  const Atom &atom = numbers.getAtom(number.terms[0].atoms[0]);
  if (atom.kind != Atom::Kind::Quotient || !atom.b.isConstant())
    return std::nullopt;
  __int128 divisor = static_cast<__int128>(atom.b.constant) * by;
  __int128 offset = static_cast<__int128>(atom.b.constant) * number.constant;
  if (!fits(divisor) || !fits(offset))
    return std::nullopt;
  std::optional<Number> dividend =
      add(numbers, Number(atom.a), Number(static_cast<int64_t>(offset)));
  if (!dividend)
    return std::nullopt;
  return divide(numbers, *dividend, Number(static_cast<int64_t>(divisor)));
}

Number infer::divide(Numbers &numbers, const Number &a, const Number &b) {
  if (b.isConstant()) {
    if (b.constant == 0)
      return numbers.unknown();
    if (b.constant < 0)
      return divide(numbers, negate(numbers, a), negate(numbers, b));
    Number rest = a;
    Number quotient = takeMultiple(rest, b.constant);
    if (std::optional<Number> flat = divideQuotient(numbers, rest, b.constant))
      return orUnknown(numbers, add(numbers, quotient, *flat));
    Bounds of = divideBounds(numbers.naturalBoundsOf(rest), b.constant);
    Number atom = numbers.makeAtom(Atom::Kind::Quotient, rest, b, of);
    return orUnknown(numbers, add(numbers, quotient, atom));
  }
  if (a == b)
    return Number(1);
  if (a.isConstant(0))
    return a;
  if (b.constant == 0 && b.terms.size() == 1)
    if (std::optional<Number> exact = divideExactly(a, b.terms.front()))
      return *exact;
  Bounds p = numbers.naturalBoundsOf(a), q = numbers.naturalBoundsOf(b);
  Bounds bounds;
  if (p.lo >= 0 && q.lo >= 0)
    bounds = {0, p.hi};
  return numbers.makeAtom(Atom::Kind::Quotient, a, b, bounds);
}

Number infer::ceilDivide(Numbers &numbers, const Number &a, const Number &b) {
  return negate(numbers, divide(numbers, negate(numbers, a), b));
}

Number infer::remainder(Numbers &numbers, const Number &a, const Number &b) {
  if (b.isConstant() && b.constant > 0) {
    Number rest = a;
    takeMultiple(rest, b.constant);
    Bounds bounds = boundsOf(numbers, rest);
    if (bounds.lo >= 0 && bounds.hi < b.constant)
      return rest;
    // Creates the quotient, which the solver needs.
    (void)divide(numbers, rest, b);
    return numbers.makeAtom(Atom::Kind::Remainder, rest, b,
                            {0, b.constant - 1});
  }
  if (a.isConstant() && b.isConstant() && b.constant != 0) {
    Number rest = a;
    takeMultiple(rest, b.constant);
    return rest;
  }
  Number rest =
      orUnknown(numbers, subtract(numbers, a,
                                  multiply(numbers, b, divide(numbers, a, b))));
  // Adds bounds that do not follow from those of the products.
  if (Bounds p = numbers.naturalBoundsOf(a), q = numbers.naturalBoundsOf(b);
      p.lo >= 0 && q.lo >= 0) {
    // A divisor of 0 leaves the dividend as the remainder.
    bool isDivisor = q.lo >= 1;
    bool isLess = isDivisor && q.hi != Bounds::kNone;
    numbers.limitForm(rest, {0, isLess ? std::min(p.hi, q.hi - 1) : p.hi});
    if (isDivisor)
      numbers.limitForm(orUnknown(numbers, subtract(numbers, rest, b)),
                        {-Bounds::kNone, -1});
  }
  return rest;
}

Number infer::truncatedDivide(Numbers &numbers, const Number &a,
                              const Number &b) {
  Bounds p = boundsOf(numbers, a), q = boundsOf(numbers, b);
  if (a.isConstant() && b.isConstant() && b.constant != 0)
    return numbers.word(a.constant / b.constant);
  if (p.lo >= 0 && q.lo >= 0)
    return divide(numbers, a, b);
  return numbers.makeAtom(Atom::Kind::TruncatedQuotient, a, b, {});
}

Number infer::truncatedRemainder(Numbers &numbers, const Number &a,
                                 const Number &b) {
  Bounds p = boundsOf(numbers, a), q = boundsOf(numbers, b);
  if (a.isConstant() && b.isConstant() && b.constant != 0)
    return Number(a.constant % b.constant);
  if (p.lo >= 0 && q.lo >= 0)
    return remainder(numbers, a, b);
  return numbers.makeAtom(Atom::Kind::TruncatedRemainder, a, b, {});
}
