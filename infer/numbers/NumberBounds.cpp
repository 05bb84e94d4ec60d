//===- NumberBounds.cpp - what is known of numbers ------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/AffineSolver.h"
#include "infer/numbers/FormSplit.h"

#include <algorithm>

using namespace broadloom;
using namespace broadloom::infer;

/// How deep the computation of bounds descends into nested atoms.
static constexpr unsigned kDepth = 3;

//===----------------------------------------------------------------------===//
// Bounds
//===----------------------------------------------------------------------===//

const FormFact *Numbers::findForm(const Number &form) const {
  auto it = forms.find(form);
  return it == forms.end() ? nullptr : &it->second;
}

Bounds Numbers::boundsOfAtom(AtomId id, unsigned depth) const {
  const Atom &atom = atoms[id];
  if (depth == 0)
    return atom.bounds;
  if (atom.isLeaf())
    return findBoundsOfAtom(id, depth);
  if (auto it = found.bounds.find({id, depth}); it != found.bounds.end())
    return it->second;
  Bounds bounds = findBoundsOfAtom(id, depth);
  found.bounds.try_emplace({id, depth}, bounds);
  return bounds;
}

Bounds Numbers::findBoundsOfAtom(AtomId id, unsigned depth) const {
  const Atom &atom = atoms[id];
  Bounds bounds = atom.bounds;
  auto of = [&](const Number &number) { return boundsOf(number, depth - 1); };
  switch (atom.kind) {
  case Atom::Kind::Symbol: {
    ExtentRange range = symbols.range(Extent::symbol(atom.symbol));
    bounds = bounds.intersect({range.lo, range.hi});
    break;
  }
  case Atom::Kind::Word:
    // A number inside the range does not wrap.
    if (wideBoundsOf(atom.a, depth - 1).isInWord())
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
  if (!forms.empty())
    if (const FormFact *known = findForm(single(id)))
      bounds = bounds.intersect(known->bounds);
  return bounds;
}

void Numbers::forgetFound() const {
  found.bounds.clear();
  found.wide.clear();
}

void Numbers::updateFound() const {
  std::pair<size_t, size_t> version = symbols.version();
  if (found.version != version)
    forgetFound();
  found.version = version;
}

void Numbers::limitForm(const Number &number, Bounds bounds) {
  if (number.isConstant() || !isNegatable(number))
    return;
  Split split(number);
  Bounds ofForm = split.ofForm(bounds);
  auto [it, isNew] = formLimits.try_emplace(split.form, ofForm);
  if (!isNew && it->second.lo >= ofForm.lo && it->second.hi <= ofForm.hi)
    return;
  forgetFound();
  it->second = it->second.intersect(ofForm);
  if (!isNew)
    return;
  for (const Term &term : it->first.terms)
    for (AtomId atom : term.atoms)
      limitsOf[atom].push_back(&*it);
}

Bounds Numbers::boundsOf(const Number &number, unsigned depth) const {
  Bounds sum{number.constant, number.constant};
  for (const Term &term : number.terms) {
    Bounds product{term.factor, term.factor};
    for (AtomId id : term.atoms)
      product = multiplyBounds(product, boundsOfAtom(id, depth));
    sum = addBounds(sum, product);
  }
  bool usesFacts = depth > 0 && !forms.empty();
  auto isLimited = [&](const Term &term) {
    return llvm::any_of(term.atoms,
                        [&](AtomId id) { return limitsOf.contains(id); });
  };
  bool hasLimit = !limitsOf.empty() && llvm::any_of(number.terms, isLimited);
  if ((usesFacts || hasLimit) && !number.isConstant() && isNegatable(number)) {
    Split split(number);
    if (auto it = formLimits.find(split.form); it != formLimits.end())
      sum = sum.intersect(split.ofNumber(it->second));
    if (const FormFact *known = usesFacts ? findForm(split.form) : nullptr)
      sum = sum.intersect(split.ofNumber(known->bounds));
  }
  return sum;
}

Bounds Numbers::boundsOf(const Number &number) const {
  updateFound();
  return boundsOf(number, kDepth);
}

Bounds Numbers::naturalBoundsOf(const Number &number) const {
  return boundsOf(number, 0);
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

Answer Numbers::decideZero(const Number &number) const {
  if (number.isConstant())
    return number.constant == 0
               ? Answer::proved("both are the same number")
               : Answer::refuted("the numbers differ whatever the extents are");
  Split split(number);
  // 2*n + 1 is never 0.
  if (number.constant % split.factor != 0)
    return Answer::refuted("the numbers differ whatever the extents are");
  const FormFact *known = findForm(split.form);
  Bounds bounds = boundsOf(number);
  if (bounds.lo > 0 || bounds.hi < 0)
    return Answer::refuted("the numbers' bounds exclude each other",
                           bounds.lo > 0 ? split.findAtLeast(known, 1)
                                         : split.findAtMost(known, -1));
  if (bounds.lo == 0 && bounds.hi == 0) {
    int32_t least = split.findAtLeast(known, 0);
    return Answer::proved(
        "the numbers are known to be equal",
        least == split.findAtMost(known, 0) ? least : Answer::kNoFact);
  }
  if (WideBounds wide = wideBoundsOf(number); wide.lo > 0 || wide.hi < 0)
    return Answer::refuted("no extent is large enough for it to hold");
  int64_t value = -number.constant / split.factor;
  if (const int32_t *fact = known ? known->findOther(value) : nullptr)
    return Answer::refuted("the numbers are known to differ", *fact);
  Answer bySymbols = compareSymbols(number);
  if (!bySymbols.isUnknown())
    return bySymbols;
  if (std::optional<Number> renamed = renameFactors(number))
    return decideZero(*renamed);
  return AffineSolver(*this).isZero(number);
}

Answer Numbers::decideNotNegative(const Number &number) const {
  if (number.isConstant())
    return number.constant >= 0
               ? Answer::proved("it holds of the numbers")
               : Answer::refuted("it does not hold of the numbers");
  Bounds bounds = boundsOf(number);
  if (bounds.lo < 0 && bounds.hi >= 0) {
    // Uses bounds beyond 64 bits, and the limit of memory (ext-5).
    WideBounds wide = wideBoundsOf(number);
    if (wide.lo >= 0)
      return Answer::proved("no extent is large enough for it to fail");
    if (wide.hi < 0)
      return Answer::refuted("no extent is large enough for it to hold");
    return AffineSolver(*this).isNotNegative(number);
  }
  Split split(number);
  const FormFact *known = findForm(split.form);
  return bounds.lo >= 0
             ? Answer::proved("the numbers are within these bounds",
                              split.findAtLeast(known, 0))
             : Answer::refuted("the numbers are outside these bounds",
                               split.findAtMost(known, -1));
}

Answer Numbers::decide(ConditionId id) const {
  Answers before;
  return decide(id, before);
}

/// Conditions share parts, so that each is decided once.
Answer Numbers::decide(ConditionId id, Answers &before) const {
  const Condition &condition = conditions[id];
  using Kind = Condition::Kind;
  if (condition.kind == Kind::True)
    return Answer::proved(hasFacts()
                              ? "it follows from what is known of the extents"
                              : "it holds whatever the extents are");
  if (condition.kind == Kind::False)
    return Answer::refuted("it holds for no extents");
  if (auto it = truths.find(id); it != truths.end())
    return it->second.first == Truth::Proved
               ? Answer::proved("it has been checked before", it->second.second)
               : Answer::refuted("the opposite has been checked before",
                                 it->second.second);
  if (condition.kind == Kind::Zero)
    return decideZero(condition.number);
  if (condition.kind == Kind::NotNegative)
    return decideNotNegative(condition.number);
  if (condition.kind == Kind::Unknown)
    return {};
  if (auto it = before.find(id); it != before.end())
    return it->second;
  Answer a = decide(condition.a, before);
  if (condition.kind == Kind::Not)
    return before[id] = a.negated();
  Truth decides = condition.kind == Kind::And ? Truth::Refuted : Truth::Proved;
  if (a.truth() == decides)
    return before[id] = a;
  Answer b = decide(condition.b, before);
  if (b.truth() == decides)
    return before[id] = b;
  if (a.isUnknown() || b.isUnknown())
    return before[id] = {};
  return before[id] = a.fact() != Answer::kNoFact ? a : b;
}
