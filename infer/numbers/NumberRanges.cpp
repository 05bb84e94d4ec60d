//===- NumberRanges.cpp - bounds beyond 64 bits ---------------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/BoundArithmetic.h"
#include "infer/numbers/FormSplit.h"
#include "infer/numbers/Numbers.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace broadloom;
using namespace broadloom::infer;

/// How deep the computation of bounds descends into atoms for facts about their
/// parts.
static constexpr unsigned kDepth = 3;
/// How many facts about one atom are used.
static constexpr size_t kMaxForms = 6;

void Numbers::limitExtent(Extent extent, int64_t most, uint32_t owner) {
  if (extent.isSymbol())
    limits.try_emplace(extent.symbolId(), Limit{most, owner});
}

static WideBounds ofMagnitude(WideBounds a) {
  __int128 most = std::max(a.lo < 0 ? -a.lo : a.lo, a.hi < 0 ? -a.hi : a.hi);
  return {-most, most};
}

/// The bounds of an atom that follow from those of its parts.
WideBounds Numbers::wideOfParts(const Atom &atom, WideBounds a,
                                WideBounds b) const {
  using Kind = Atom::Kind;
  WideBounds wide = widen(atom.bounds);
  switch (atom.kind) {
  case Kind::Sum:
    return wide.intersect(addBounds(a, b));
  case Kind::Product:
    return wide.intersect(multiplyBounds(a, b));
  case Kind::Quotient:
    wide = wide.intersect(ofMagnitude(a));
    if (b.lo <= 0)
      return wide;
    // A division by 1 or more moves a number nearer to 0, or to -1.
    wide.lo = std::max(wide.lo, std::min<__int128>(a.lo, 0));
    wide.hi = std::min(wide.hi, a.hi == WideBounds::kNone
                                    ? a.hi
                                    : std::max<__int128>(a.hi / b.lo, 0));
    return wide;
  case Kind::TruncatedQuotient:
  case Kind::TruncatedRemainder:
    return wide.intersect(ofMagnitude(a));
  case Kind::Remainder:
    return wide.intersect(ofMagnitude(b));
  case Kind::Minimum:
    return wide.intersect({std::min(a.lo, b.lo), std::min(a.hi, b.hi)});
  case Kind::Maximum:
    return wide.intersect({std::max(a.lo, b.lo), std::max(a.hi, b.hi)});
  case Kind::Select:
    return wide.intersect({std::min(a.lo, b.lo), std::max(a.hi, b.hi)});
  case Kind::End:
    return {atom.a.constant, atom.a.constant};
  case Kind::Word:
    return wide.intersect(a.isInWord() ? a : WideBounds::ofWord());
  case Kind::BitAnd:
    return wide.intersect(
        {std::min<__int128>({a.lo, b.lo, 0}), std::max(a.hi, b.hi)});
  default:
    return wide;
  }
}

/// The product of the extents of one tensor has the same limit as each extent.
WideBounds
Numbers::wideOfSum(const Number &number,
                   llvm::function_ref<WideBounds(AtomId)> ofAtom) const {
  WideBounds sum{number.constant, number.constant};
  for (const Term &term : number.terms) {
    WideBounds product{1, 1};
    const Limit *limit = nullptr;
    AtomId before = 0;
    for (size_t i = 0; i < term.atoms.size(); ++i) {
      AtomId id = term.atoms[i];
      auto it = atoms[id].kind == Atom::Kind::Symbol
                    ? limits.find(atoms[id].symbol)
                    : limits.end();
      bool isOther = i > 0 && before != id;
      if (it == limits.end() ||
          (i > 0 && (!limit || !isOther || limit->owner != it->second.owner)))
        limit = nullptr;
      else
        limit = &it->second;
      before = id;
      product = multiplyBounds(product, ofAtom(id));
      if (limit)
        product.hi = std::min<__int128>(product.hi, limit->most);
    }
    sum = addBounds(sum, multiplyBounds(product, {term.factor, term.factor}));
  }
  return sum;
}

WideBounds Numbers::naturalWideOf(const Number &number) const {
  return wideOfSum(number, [&](AtomId id) { return atoms[id].wide; });
}

/// If i + k is less than n, and n has a bound, then i has one.
WideBounds Numbers::wideByForms(AtomId id, unsigned depth) const {
  WideBounds wide;
  auto it = formsOf.find(id);
  if (it == formsOf.end())
    return wide;
  llvm::ArrayRef<const Forms::value_type *> about = it->second;
  for (const auto *entry : about.take_back(std::min(about.size(), kMaxForms))) {
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
        depth > 1 ? wideBoundsOf(rest, depth - 1) : naturalWideOf(rest);
    WideBounds of = addBounds(widen(known.bounds),
                              multiplyBounds(others, WideBounds{-1, -1}));
    wide = wide.intersect(multiplyBounds(of, WideBounds{factor, factor}));
  }
  return wide;
}

WideBounds Numbers::wideBoundsOfAtom(AtomId id, unsigned depth) const {
  if (depth == 0)
    return atoms[id].wide;
  if (auto it = found.wide.find({id, depth}); it != found.wide.end())
    return it->second;
  WideBounds wide = findWideBoundsOfAtom(id, depth);
  found.wide.try_emplace({id, depth}, wide);
  return wide;
}

WideBounds Numbers::findWideBoundsOfAtom(AtomId id, unsigned depth) const {
  const Atom &atom = atoms[id];
  WideBounds wide = atom.wide;
  wide = wide.intersect(widen(boundsOfAtom(id, depth)));
  wide = wide.intersect(wideByForms(id, depth));
  if (wide.isInWord() || atom.isLeaf())
    return wide;
  return wide.intersect(wideOfParts(atom, wideBoundsOf(atom.a, depth - 1),
                                    wideBoundsOf(atom.b, depth - 1)));
}

WideBounds Numbers::wideBoundsOf(const Number &number, unsigned depth) const {
  if (depth == 0 || !hasFacts())
    return naturalWideOf(number);
  WideBounds wide =
      wideOfSum(number, [&](AtomId id) { return wideBoundsOfAtom(id, depth); });
  if (number.isConstant() || wide.isInWord() || !isNegatable(number))
    return wide;
  Split split(number);
  if (const FormFact *known = findForm(split.form)) {
    WideBounds form = multiplyBounds(widen(known->bounds),
                                     WideBounds{split.factor, split.factor});
    wide = wide.intersect(
        addBounds(form, WideBounds{split.constant, split.constant}));
  }
  return wide;
}

WideBounds Numbers::wideBoundsOf(const Number &number) const {
  // Most numbers need no facts.
  WideBounds natural = naturalWideOf(number);
  if (natural.isInWord())
    return natural;
  updateFound();
  return wideBoundsOf(number, kDepth);
}
