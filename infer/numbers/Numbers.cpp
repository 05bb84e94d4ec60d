//===- Numbers.cpp - integers that are known in part ----------------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/Numbers.h"
#include "infer/numbers/BoundArithmetic.h"

#include <algorithm>
#include <utility>

using namespace broadloom;
using namespace broadloom::infer;

/// A deeper number becomes an unknown one with its bounds.
static constexpr unsigned kMaxDepth = 64;
/// A deeper number is written as its symbol and not by its definition.
/// Otherwise each number of a chain would repeat all those before it.
static constexpr unsigned kMaxExpandedDepth = 8;

Numbers::Numbers(Symbols &symbols) : symbols(symbols), prover(symbols) {
  conditions.push_back({Condition::Kind::False, {}, 0, 0});
  conditions.push_back({Condition::Kind::True, {}, 0, 0});
  conditions.push_back({Condition::Kind::Unknown, {}, 0, 0});
}

//===----------------------------------------------------------------------===//
// Atoms and symbols
//===----------------------------------------------------------------------===//

Number Numbers::single(AtomId atom) const {
  Number number;
  number.terms.push_back({{atom}, 1});
  return number;
}

Number Numbers::atomOf(Atom atom) {
  if (atom.bounds.lo == atom.bounds.hi)
    return Number(atom.bounds.lo);
  atoms.push_back(std::move(atom));
  return single(atoms.size() - 1);
}

Number Numbers::unknown(Bounds bounds) {
  Atom atom;
  atom.bounds = bounds;
  atom.wide = widen(bounds);
  return atomOf(std::move(atom));
}

unsigned Numbers::depthOf(const Number &number) const {
  unsigned depth = 0;
  for (const Term &term : number.terms)
    for (AtomId id : term.atoms)
      depth = std::max(depth, atoms[id].depth);
  return depth;
}

Number Numbers::binary(Atom::Kind kind, const Number &a, const Number &b,
                       Bounds bounds, ConditionId condition) {
  if (bounds.lo == bounds.hi)
    return Number(bounds.lo);
  unsigned depth =
      1 + std::max({depthOf(a), depthOf(b), conditions[condition].depth});
  if (depth > kMaxDepth) {
    Number deep = unknown(bounds);
    if (!deep.isConstant())
      atoms.back().wide =
          wideOfParts({kind, 0, condition, a, b, bounds, {}, depth},
                      naturalWideOf(a), naturalWideOf(b));
    return deep;
  }
  auto [it, isNew] =
      interned.try_emplace({kind, condition, a, b}, atoms.size());
  if (isNew) {
    atoms.push_back({kind, 0, condition, a, b, bounds, {}, depth});
    Atom &atom = atoms.back();
    atom.wide = wideOfParts(atom, naturalWideOf(a), naturalWideOf(b));
  }
  return single(it->second);
}

Number Numbers::numberOf(Extent extent) {
  if (extent.isDynamic())
    extent = symbols.create();
  // [n] is n times a number that only the machine knows (ext-4). Its symbol has
  // a name that no program can use.
  if (extent.isScalable()) {
    Extent scale = symbols.named("(vscale)");
    symbols.assumeBounds(scale, 1, ExtentRange::kUnbounded);
    return multiply(Number(extent.value()), numberOf(scale));
  }
  SymbolId own = extent.symbolId();
  extent = symbols.resolve(extent);
  if (extent.isFixed())
    return Number(extent.value());
  SymbolId id = extent.symbolId();
  for (SymbolId symbol : {own, id})
    if (auto it = definitions.find(symbol);
        it != definitions.end() && depthOf(it->second) <= kMaxExpandedDepth)
      return it->second;
  auto [it, isNew] = symbolAtoms.try_emplace(id, atoms.size());
  if (isNew) {
    Atom atom;
    atom.kind = Atom::Kind::Symbol;
    atom.symbol = id;
    atom.bounds.lo = 0;
    atom.wide = WideBounds::ofWord().intersect({0, WideBounds::kNone});
    if (auto limit = limits.find(id); limit != limits.end())
      atom.wide.hi = limit->second.most;
    if (auto made = definitions.find(id); made != definitions.end()) {
      atom.bounds = atom.bounds.intersect(naturalBoundsOf(made->second));
      atom.wide = atom.wide.intersect(naturalWideOf(made->second));
    }
    atoms.push_back(std::move(atom));
  }
  return single(it->second);
}

Number Numbers::shorten(const Number &number) {
  if (depthOf(number) <= kMaxExpandedDepth)
    return number;
  if (naturalBoundsOf(number).lo >= 0)
    return numberOf(extentOf(number));
  if (!isNegatable(number))
    return number;
  // Symbols are not negative, so that a number that may be negative is the
  // difference of two.
  auto above = [&](const Number &of) {
    return numberOf(extentOf(maximum(of, Number(0))));
  };
  return subtract(above(number), above(multiply(number, Number(-1))));
}

Extent Numbers::extentOf(const Number &number) {
  if (Extent known = findExtent(number); !known.isDynamic())
    return known;
  Bounds bounds = naturalBoundsOf(number);
  if (bounds.hi < 0)
    return Extent();
  Extent extent = symbols.create();
  symbols.assumeBounds(extent, std::max<int64_t>(bounds.lo, 0),
                       bounds.hi == Bounds::kNone ? ExtentRange::kUnbounded
                                                  : bounds.hi);
  defined[number] = extent.symbolId();
  definitions[extent.symbolId()] = number;
  return extent;
}

const Number *Numbers::getDefinition(SymbolId symbol) const {
  if (auto it = definitions.find(symbol); it != definitions.end())
    return &it->second;
  auto it = joins.find(symbol);
  return it == joins.end() ? nullptr : &it->second;
}

bool Numbers::mayKnowMore(Extent extent) const {
  if (!extent.isSymbol())
    return false;
  SymbolId id = symbols.resolve(extent).isSymbol()
                    ? symbols.resolve(extent).symbolId()
                    : extent.symbolId();
  if (definitions.count(extent.symbolId()) || definitions.count(id))
    return true;
  auto it = symbolAtoms.find(id);
  return it != symbolAtoms.end() && formsOf.count(it->second);
}

void Numbers::defineJoin(Extent joined, const std::vector<Extent> &parts) {
  if (!joined.isSymbol() || getDefinition(joined.symbolId()))
    return;
  Number number(1);
  for (Extent part : parts) {
    Number next = numberOf(part);
    number = select(equal(number, Number(1)), next, number);
  }
  joins.emplace(joined.symbolId(), std::move(number));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Number Numbers::checked(__int128 value) {
  if (fits(value))
    return Number(static_cast<int64_t>(value));
  overflow = true;
  return unknown();
}

Number Numbers::add(const Number &a, const Number &b) {
  __int128 constant = static_cast<__int128>(a.constant) + b.constant;
  if (a.isConstant() && b.isConstant())
    return checked(constant);
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
  if (isShort && (limitsOf.empty() || naturalBoundsOf(sum).lo >= 0))
    return sum;
  Bounds p = naturalBoundsOf(a), q = naturalBoundsOf(b);
  if (isShort) {
    // The bounds of a remainder, or of a sum with one, do not follow from its
    // terms.
    if (p.lo >= 0 && q.lo >= 0)
      limitForm(sum, addBounds(p, q));
    return sum;
  }
  return binary(Atom::Kind::Sum, a, b,
                {saturate(static_cast<__int128>(p.lo) + q.lo),
                 saturate(static_cast<__int128>(p.hi) + q.hi)});
}

Number Numbers::subtract(const Number &a, const Number &b) {
  return add(a, multiply(b, Number(-1)));
}

Number Numbers::multiply(const Number &a, const Number &b) {
  if (a.isConstant() && b.isConstant())
    return checked(static_cast<__int128>(a.constant) * b.constant);
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
    return binary(Atom::Kind::Product, std::min(a, b), std::max(a, b),
                  multiplyBounds(naturalBoundsOf(a), naturalBoundsOf(b)));
  Number sum;
  for (Term &term : products) {
    Number next;
    if (term.atoms.empty())
      next.constant = term.factor;
    else
      next.terms.push_back(std::move(term));
    sum = add(sum, next);
  }
  return sum;
}

Number Numbers::minimum(const Number &a, const Number &b) {
  if (truthOf(atMost(a, b)) == Truth::Proved)
    return a;
  if (truthOf(atMost(b, a)) == Truth::Proved)
    return b;
  Bounds p = naturalBoundsOf(a), q = naturalBoundsOf(b);
  return binary(Atom::Kind::Minimum, std::min(a, b), std::max(a, b),
                {std::min(p.lo, q.lo), std::min(p.hi, q.hi)});
}

Number Numbers::maximum(const Number &a, const Number &b) {
  if (truthOf(atMost(a, b)) == Truth::Proved)
    return b;
  if (truthOf(atMost(b, a)) == Truth::Proved)
    return a;
  Bounds p = naturalBoundsOf(a), q = naturalBoundsOf(b);
  return binary(Atom::Kind::Maximum, std::min(a, b), std::max(a, b),
                {std::max(p.lo, q.lo), std::max(p.hi, q.hi)});
}

Number Numbers::bitAnd(const Number &a, const Number &b) {
  if (a.isConstant() && b.isConstant())
    return Number(a.constant & b.constant);
  Bounds p = boundsOf(a), q = boundsOf(b);
  if (p.lo < 0 || q.lo < 0)
    return unknown();
  p = naturalBoundsOf(a), q = naturalBoundsOf(b);
  bool areNatural = p.lo >= 0 && q.lo >= 0;
  return binary(Atom::Kind::BitAnd, std::min(a, b), std::max(a, b),
                areNatural ? Bounds{0, std::min(p.hi, q.hi)} : Bounds());
}

Number Numbers::select(ConditionId condition, const Number &a,
                       const Number &b) {
  Truth truth = truthOf(condition);
  if (truth == Truth::Proved || a == b)
    return a;
  if (truth == Truth::Refuted)
    return b;
  // A choice between two numbers that are proved equal is that number.
  if (truthOf(equal(a, b)) == Truth::Proved)
    return a.isConstant() ? a : b;
  Bounds p = naturalBoundsOf(a), q = naturalBoundsOf(b);
  return binary(Atom::Kind::Select, a, b,
                {std::min(p.lo, q.lo), std::max(p.hi, q.hi)}, condition);
}
