//===- NumberBounds.cpp - bounds of numbers -------------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/NumberBounds.h"
#include "infer/numbers/FormSplit.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace broadloom;
using namespace broadloom::infer;

/// How deep the computation of bounds descends into nested atoms.
static constexpr unsigned kDepth = 3;
/// How many facts about one atom are used.
static constexpr size_t kMaxFormsOfAtom = 6;

/// Bounds by facts about a number's parts. `depth` is how deep to descend into
/// atoms for such facts; 0 uses their definitions alone.
namespace {
class BoundsFinder {
public:
  explicit BoundsFinder(const Numbers &numbers)
      : numbers(numbers), facts(numbers.getFacts()), found(facts.getFound()) {
    auto [facts, symbols] = numbers.getSymbols().version();
    this->facts.updateFound({facts, symbols, numbers.getVersion()});
  }

  Bounds boundsOf(const Number &number, unsigned depth);
  WideBounds wideOf(const Number &number, unsigned depth);

private:
  Bounds ofAtom(AtomId id, unsigned depth);
  Bounds findOfAtom(AtomId id, unsigned depth);
  WideBounds wideOfAtom(AtomId id, unsigned depth);
  WideBounds findWideOfAtom(AtomId id, unsigned depth);
  WideBounds wideByForms(AtomId id, unsigned depth);

  const Numbers &numbers;
  const NumberFacts &facts;
  NumberFacts::Found &found;
};
} // namespace

//===----------------------------------------------------------------------===//
// Within 64 bits
//===----------------------------------------------------------------------===//

Bounds BoundsFinder::ofAtom(AtomId id, unsigned depth) {
  const Atom &atom = numbers.getAtom(id);
  if (depth == 0)
    return atom.bounds;
  if (atom.isLeaf())
    return findOfAtom(id, depth);
  if (auto it = found.bounds.find({id, depth}); it != found.bounds.end())
    return it->second;
  Bounds bounds = findOfAtom(id, depth);
  found.bounds.try_emplace({id, depth}, bounds);
  return bounds;
}

Bounds BoundsFinder::findOfAtom(AtomId id, unsigned depth) {
  const Atom &atom = numbers.getAtom(id);
  Bounds bounds = atom.bounds;
  auto of = [&](const Number &number) { return boundsOf(number, depth - 1); };
  switch (atom.kind) {
  case Atom::Kind::Symbol: {
    ExtentRange range = numbers.getSymbols().range(Extent::symbol(atom.symbol));
    bounds = bounds.intersect({range.lo, range.hi});
    break;
  }
  case Atom::Kind::Word:
    // A number inside the range does not wrap.
    if (wideOf(atom.a, depth - 1).isInWord())
      bounds = bounds.intersect(of(atom.a));
    break;
  case Atom::Kind::Sum:
    bounds = bounds.intersect(addBounds(of(atom.a), of(atom.b)));
    break;
  case Atom::Kind::Product:
    bounds = bounds.intersect(multiplyBounds(of(atom.a), of(atom.b)));
    break;
  case Atom::Kind::Quotient:
  case Atom::Kind::TruncatedQuotient: {
    Bounds a = of(atom.a), b = of(atom.b);
    // Neither rounding makes a quotient of numbers that are not negative less
    // than 0 or greater than the dividend.
    if (a.lo >= 0 && b.lo >= 0)
      bounds = bounds.intersect({0, a.hi});
    if (atom.b.isConstant() && atom.b.constant > 0 &&
        (atom.kind == Atom::Kind::Quotient || a.lo >= 0))
      bounds = bounds.intersect(divideBounds(a, atom.b.constant));
    break;
  }
  case Atom::Kind::TruncatedRemainder:
    if (of(atom.a).lo >= 0)
      bounds.lo = std::max<int64_t>(bounds.lo, 0);
    break;
  case Atom::Kind::Minimum: {
    Bounds a = of(atom.a), b = of(atom.b);
    bounds = bounds.intersect({std::min(a.lo, b.lo), std::min(a.hi, b.hi)});
    break;
  }
  case Atom::Kind::Maximum: {
    Bounds a = of(atom.a), b = of(atom.b);
    bounds = bounds.intersect({std::max(a.lo, b.lo), std::max(a.hi, b.hi)});
    break;
  }
  case Atom::Kind::Select: {
    Bounds a = of(atom.a), b = of(atom.b);
    bounds = bounds.intersect({std::min(a.lo, b.lo), std::max(a.hi, b.hi)});
    break;
  }
  default:
    break;
  }
  if (facts.hasForms())
    if (const FormFact *known = facts.findForm(makeSingle(id)))
      bounds = bounds.intersect(known->bounds);
  return bounds;
}

Bounds BoundsFinder::boundsOf(const Number &number, unsigned depth) {
  if (depth == 0)
    return numbers.naturalBoundsOf(number);
  Bounds sum = sumBounds(number, [&](AtomId id) { return ofAtom(id, depth); });
  if (number.isConstant() ||
      (!facts.hasForms() && !numbers.mayHaveLimit(number)) ||
      !isNegatable(number))
    return sum;
  Split split(number);
  if (const Bounds *limit = numbers.findLimit(split.form))
    sum = sum.intersect(split.ofNumber(*limit));
  if (const FormFact *known = facts.findForm(split.form))
    sum = sum.intersect(split.ofNumber(known->bounds));
  return sum;
}

Bounds infer::boundsOf(const Numbers &numbers, const Number &number) {
  return BoundsFinder(numbers).boundsOf(number, kDepth);
}

//===----------------------------------------------------------------------===//
// Beyond 64 bits
//===----------------------------------------------------------------------===//

/// If i + k is less than n, and n has a bound, then i has one.
WideBounds BoundsFinder::wideByForms(AtomId id, unsigned depth) {
  WideBounds wide;
  auto about = facts.getForms(id);
  for (const auto *entry :
       about.take_back(std::min(about.size(), kMaxFormsOfAtom))) {
    const auto &[form, known] = *entry;
    auto own = llvm::find_if(form.terms, [&](const Term &term) {
      return term.atoms.size() == 1 && term.atoms[0] == id;
    });
    if (own == form.terms.end() || std::abs(own->factor) != 1)
      continue;
    int64_t factor = own->factor;
    Number rest = form;
    rest.terms.erase(rest.terms.begin() + (own - form.terms.begin()));
    WideBounds others =
        depth > 1 ? wideOf(rest, depth - 1) : numbers.naturalWideOf(rest);
    WideBounds of = addBounds(widen(known.bounds),
                              multiplyBounds(others, WideBounds{-1, -1}));
    wide = wide.intersect(multiplyBounds(of, WideBounds{factor, factor}));
  }
  return wide;
}

WideBounds BoundsFinder::wideOfAtom(AtomId id, unsigned depth) {
  if (depth == 0)
    return numbers.getAtom(id).wide;
  if (auto it = found.wide.find({id, depth}); it != found.wide.end())
    return it->second;
  WideBounds wide = findWideOfAtom(id, depth);
  found.wide.try_emplace({id, depth}, wide);
  return wide;
}

WideBounds BoundsFinder::findWideOfAtom(AtomId id, unsigned depth) {
  const Atom &atom = numbers.getAtom(id);
  WideBounds wide = atom.wide;
  wide = wide.intersect(widen(ofAtom(id, depth)));
  wide = wide.intersect(wideByForms(id, depth));
  if (wide.isInWord() || atom.isLeaf())
    return wide;
  return wide.intersect(
      wideOfParts(atom, wideOf(atom.a, depth - 1), wideOf(atom.b, depth - 1)));
}

WideBounds BoundsFinder::wideOf(const Number &number, unsigned depth) {
  if (depth == 0 || !numbers.hasFacts())
    return numbers.naturalWideOf(number);
  WideBounds wide = numbers.wideOfSum(
      number, [&](AtomId id) { return wideOfAtom(id, depth); });
  if (number.isConstant() || wide.isInWord() || !isNegatable(number))
    return wide;
  Split split(number);
  if (const FormFact *known = facts.findForm(split.form)) {
    WideBounds form = multiplyBounds(widen(known->bounds),
                                     WideBounds{split.factor, split.factor});
    wide = wide.intersect(
        addBounds(form, WideBounds{split.constant, split.constant}));
  }
  return wide;
}

WideBounds infer::wideBoundsOf(const Numbers &numbers, const Number &number) {
  // Most numbers need no facts.
  WideBounds natural = numbers.naturalWideOf(number);
  if (natural.isInWord())
    return natural;
  return BoundsFinder(numbers).wideOf(number, kDepth);
}
