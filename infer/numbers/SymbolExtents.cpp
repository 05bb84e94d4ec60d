//===- SymbolExtents.cpp - extents as numbers, numbers as extents ---------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/SymbolExtents.h"
#include "infer/numbers/BoundArithmetic.h"
#include "infer/numbers/Conditions.h"
#include "infer/numbers/NumberArithmetic.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace broadloom;
using namespace broadloom::infer;

/// A deeper number is written as its symbol and not by its definition.
/// Otherwise each number of a chain would repeat all those before it.
static constexpr unsigned kMaxExpandedDepth = 8;

/// The extent that was already made of a number.
static Extent findExtent(const Numbers &numbers, const Number &number) {
  if (number.isConstant())
    return Extent::fixed(number.constant);
  const Term &first = number.terms.front();
  if (number.constant == 0 && number.terms.size() == 1 && first.factor == 1 &&
      first.atoms.size() == 1 &&
      numbers.getAtom(first.atoms[0]).kind == Atom::Kind::Symbol)
    return Extent::symbol(numbers.getAtom(first.atoms[0]).symbol);
  std::optional<SymbolId> symbol = numbers.getSymbolNumbers().find(number);
  return symbol ? Extent::symbol(*symbol) : Extent();
}

Number infer::numberOf(Numbers &numbers, Extent extent) {
  if (extent.isDynamic())
    extent = numbers.getSymbols().create();
  // [n] is n times a number that only the machine knows (ext-4). Its symbol has
  // a name that no program can use.
  if (extent.isScalable()) {
    Extent scale = numbers.getSymbols().named("(vscale)");
    numbers.getSymbols().assumeBounds(scale, 1, ExtentRange::kUnbounded);
    return orUnknown(numbers, multiply(numbers, Number(extent.value()),
                                       numberOf(numbers, scale)));
  }
  SymbolNumbers &table = numbers.getSymbolNumbers();
  SymbolId own = extent.symbolId();
  extent = numbers.getSymbols().resolve(extent);
  if (extent.isFixed())
    return Number(extent.value());
  SymbolId id = extent.symbolId();
  for (SymbolId symbol : {own, id})
    if (const Number *made = table.getMade(symbol);
        made && numbers.depthOf(*made) <= kMaxExpandedDepth)
      return *made;
  if (std::optional<AtomId> atom = table.findAtom(id))
    return makeSingle(*atom);
  Bounds bounds{0, Bounds::kNone};
  WideBounds wide = WideBounds::ofWord().intersect({0, WideBounds::kNone});
  if (std::optional<int64_t> limit = numbers.getLimit(id))
    wide.hi = *limit;
  if (const Number *made = table.getMade(id)) {
    bounds = bounds.intersect(numbers.naturalBoundsOf(*made));
    wide = wide.intersect(numbers.naturalWideOf(*made));
  }
  AtomId atom = numbers.addSymbol(id, bounds, wide);
  table.setAtom(id, atom);
  return makeSingle(atom);
}

Number infer::shorten(Numbers &numbers, const Number &number) {
  if (numbers.depthOf(number) <= kMaxExpandedDepth)
    return number;
  if (numbers.naturalBoundsOf(number).lo >= 0)
    return numberOf(numbers, extentOf(numbers, number));
  if (!isNegatable(number))
    return number;
  // Symbols are not negative, so that a number that may be negative is the
  // difference of two.
  auto above = [&](const Number &of) {
    return numberOf(numbers,
                    extentOf(numbers, maximum(numbers, of, Number(0))));
  };
  return orUnknown(numbers, subtract(numbers, above(number),
                                     above(negate(numbers, number))));
}

Extent infer::extentOf(Numbers &numbers, const Number &number) {
  if (Extent known = findExtent(numbers, number); !known.isDynamic())
    return known;
  Bounds bounds = numbers.naturalBoundsOf(number);
  if (bounds.hi < 0)
    return Extent();
  Extent extent = numbers.getSymbols().create();
  numbers.getSymbols().assumeBounds(
      extent, std::max<int64_t>(bounds.lo, 0),
      bounds.hi == Bounds::kNone ? ExtentRange::kUnbounded : bounds.hi);
  numbers.getSymbolNumbers().define(extent.symbolId(), number);
  return extent;
}

bool infer::mayKnowMore(const Numbers &numbers, Extent extent) {
  if (!extent.isSymbol())
    return false;
  SymbolId id = numbers.getSymbols().resolve(extent).isSymbol()
                    ? numbers.getSymbols().resolve(extent).symbolId()
                    : extent.symbolId();
  const SymbolNumbers &table = numbers.getSymbolNumbers();
  if (table.getMade(extent.symbolId()) || table.getMade(id))
    return true;
  std::optional<AtomId> atom = table.findAtom(id);
  return atom && !numbers.getFacts().getForms(*atom).empty();
}

void infer::defineJoin(Numbers &numbers, Extent joined,
                       const std::vector<Extent> &parts) {
  if (!joined.isSymbol() || getDefinition(numbers, joined.symbolId()))
    return;
  Number number(1);
  for (Extent part : parts) {
    Number next = numberOf(numbers, part);
    number = select(numbers, equal(numbers, number, Number(1)), next, number);
  }
  numbers.getSymbolNumbers().defineJoin(joined.symbolId(), std::move(number));
}

/// Decides comparisons by the table of symbols: n is 1, n is m.
Answer infer::compareSymbols(const Numbers &numbers, const Number &number) {
  auto [plus, minus] = splitSigns(number);
  Extent a = findExtent(numbers, plus), b = findExtent(numbers, minus);
  if (a.isDynamic() || b.isDynamic())
    return {};
  return numbers.getProver().equal(a, b);
}

/// The number with equal symbols replaced by their representative: if n equals
/// m, b*n is b*m. Nothing if no factor changes.
std::optional<Number> infer::renameFactors(const Numbers &numbers,
                                           const Number &number) {
  if (llvm::none_of(number.terms,
                    [](const Term &term) { return term.atoms.size() > 1; }))
    return std::nullopt;
  bool isNew = false;
  Number renamed(number.constant);
  std::map<std::vector<AtomId>, __int128> factors;
  for (const Term &term : number.terms) {
    std::vector<AtomId> atomsOfTerm;
    __int128 factor = term.factor;
    for (AtomId id : term.atoms) {
      const Atom &atom = numbers.getAtom(id);
      if (atom.kind == Atom::Kind::Symbol) {
        Extent known =
            numbers.getSymbols().resolve(Extent::symbol(atom.symbol));
        if (known.isFixed()) {
          factor *= known.value();
          isNew = true;
          if (!fits(factor))
            return std::nullopt;
          continue;
        }
        if (std::optional<AtomId> atom =
                numbers.getSymbolNumbers().findAtom(known.symbolId());
            atom && *atom != id) {
          id = *atom;
          isNew = true;
        }
      }
      atomsOfTerm.push_back(id);
    }
    llvm::sort(atomsOfTerm);
    factors[std::move(atomsOfTerm)] += factor;
  }
  if (!isNew)
    return std::nullopt;
  __int128 constant = number.constant;
  for (auto &[atomsOfTerm, factor] : factors) {
    if (!fits(factor))
      return std::nullopt;
    if (atomsOfTerm.empty())
      constant += factor;
    else if (factor != 0)
      renamed.terms.push_back(
          {{atomsOfTerm.begin(), atomsOfTerm.end()}, int64_t(factor)});
  }
  if (!fits(constant))
    return std::nullopt;
  renamed.constant = int64_t(constant);
  llvm::sort(renamed.terms);
  return renamed;
}

/// The extents whose being equal is one of the alternatives of `id`, and whose
/// being 1 are the others, as a guard of bcast-2 has them.
static std::optional<std::pair<Extent, Extent>>
findCompatible(const Numbers &numbers, ConditionId id) {
  constexpr size_t kMostAlternatives = 3;
  std::optional<std::pair<Extent, Extent>> pair;
  std::vector<Extent> ones;
  std::vector<ConditionId> work{id};
  for (size_t i = 0; i < work.size(); ++i) {
    const Condition &condition = numbers.getCondition(work[i]);
    if (condition.kind == Condition::Kind::Or) {
      work.insert(work.end(), {condition.a, condition.b});
      if (work.size() > 2 * kMostAlternatives - 1)
        return std::nullopt;
      continue;
    }
    if (condition.kind != Condition::Kind::Zero)
      return std::nullopt;
    auto [plus, minus] = splitSigns(condition.number);
    Extent a = findExtent(numbers, plus), b = findExtent(numbers, minus);
    if (a.isDynamic() || b.isDynamic())
      return std::nullopt;
    if (a.isFixed(1) || b.isFixed(1))
      ones.push_back(a.isFixed(1) ? b : a);
    else if (pair)
      return std::nullopt;
    else
      pair.emplace(a, b);
  }
  auto isMember = [&](Extent extent) {
    return pair && (extent == pair->first || extent == pair->second);
  };
  return llvm::all_of(ones, isMember) ? pair : std::nullopt;
}

/// Records the conditions that broadcasts query: n is m, n is 4, n is not 1, n
/// <= 8, n and m broadcast.
void infer::recordSymbols(Numbers &numbers, ConditionId id,
                          std::string_view origin) {
  if (numbers.getCondition(id).kind == Condition::Kind::Or) {
    if (auto pair = findCompatible(numbers, id))
      numbers.getSymbols().assumeCompatible(pair->first, pair->second, origin);
    return;
  }
  bool isNot = numbers.getCondition(id).kind == Condition::Kind::Not;
  const Condition about =
      numbers.getCondition(isNot ? numbers.getCondition(id).a : id);
  if (about.kind != Condition::Kind::Zero &&
      about.kind != Condition::Kind::NotNegative)
    return;
  auto [plus, minus] = splitSigns(about.number);
  Extent a = findExtent(numbers, plus), b = findExtent(numbers, minus);
  if (a.isDynamic() || b.isDynamic())
    return;
  if (about.kind == Condition::Kind::Zero) {
    if (!isNot)
      numbers.getSymbols().assumeEqual(a, b, origin);
    else if (a.isFixed(1) || b.isFixed(1))
      numbers.getSymbols().assumeNotOne(a.isFixed(1) ? b : a, origin);
    return;
  }
  // a >= b, or a < b.
  if (b.isFixed() && a.isSymbol())
    numbers.getSymbols().assumeBounds(
        a, isNot ? 0 : b.value(),
        isNot ? b.value() - 1 : ExtentRange::kUnbounded, origin);
  else if (a.isFixed() && b.isSymbol())
    numbers.getSymbols().assumeBounds(
        b, isNot ? a.value() + 1 : 0,
        isNot ? ExtentRange::kUnbounded : a.value(), origin);
}
