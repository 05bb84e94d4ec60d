//===- NumberSymbols.cpp - numbers and the table of symbols ---------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "infer/numbers/BoundArithmetic.h"
#include "infer/numbers/Numbers.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace broadloom;
using namespace broadloom::infer;

/// The extent that was already made of a number.
Extent Numbers::findExtent(const Number &number) const {
  if (number.isConstant())
    return Extent::fixed(number.constant);
  const Term &first = number.terms.front();
  if (number.constant == 0 && number.terms.size() == 1 && first.factor == 1 &&
      first.atoms.size() == 1 &&
      atoms[first.atoms[0]].kind == Atom::Kind::Symbol)
    return Extent::symbol(atoms[first.atoms[0]].symbol);
  auto it = defined.find(number);
  return it == defined.end() ? Extent() : Extent::symbol(it->second);
}

/// Decides comparisons by the table of symbols: n is 1, n is m.
Answer Numbers::compareSymbols(const Number &number) const {
  auto [plus, minus] = splitSigns(number);
  Extent a = findExtent(plus), b = findExtent(minus);
  if (a.isDynamic() || b.isDynamic())
    return {};
  return prover.equal(a, b);
}

/// The number with equal symbols replaced by their representative: if n equals
/// m, b*n is b*m. Nothing if no factor changes.
std::optional<Number> Numbers::renameFactors(const Number &number) const {
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
      const Atom &atom = atoms[id];
      if (atom.kind == Atom::Kind::Symbol) {
        Extent known = symbols.resolve(Extent::symbol(atom.symbol));
        if (known.isFixed()) {
          factor *= known.value();
          isNew = true;
          if (!fits(factor))
            return std::nullopt;
          continue;
        }
        if (auto it = symbolAtoms.find(known.symbolId());
            it != symbolAtoms.end() && it->second != id) {
          id = it->second;
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
std::optional<std::pair<Extent, Extent>>
Numbers::findCompatible(ConditionId id) const {
  constexpr size_t kMostAlternatives = 3;
  std::optional<std::pair<Extent, Extent>> pair;
  std::vector<Extent> ones;
  std::vector<ConditionId> work{id};
  for (size_t i = 0; i < work.size(); ++i) {
    const Condition &condition = conditions[work[i]];
    if (condition.kind == Condition::Kind::Or) {
      work.insert(work.end(), {condition.a, condition.b});
      if (work.size() > 2 * kMostAlternatives - 1)
        return std::nullopt;
      continue;
    }
    if (condition.kind != Condition::Kind::Zero)
      return std::nullopt;
    auto [plus, minus] = splitSigns(condition.number);
    Extent a = findExtent(plus), b = findExtent(minus);
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
void Numbers::recordSymbols(ConditionId id, std::string_view origin) {
  if (conditions[id].kind == Condition::Kind::Or) {
    if (auto pair = findCompatible(id))
      symbols.assumeCompatible(pair->first, pair->second, origin);
    return;
  }
  bool isNot = conditions[id].kind == Condition::Kind::Not;
  const Condition about = conditions[isNot ? conditions[id].a : id];
  if (about.kind != Condition::Kind::Zero &&
      about.kind != Condition::Kind::NotNegative)
    return;
  auto [plus, minus] = splitSigns(about.number);
  Extent a = findExtent(plus), b = findExtent(minus);
  if (a.isDynamic() || b.isDynamic())
    return;
  if (about.kind == Condition::Kind::Zero) {
    if (!isNot)
      symbols.assumeEqual(a, b, origin);
    else if (a.isFixed(1) || b.isFixed(1))
      symbols.assumeNotOne(a.isFixed(1) ? b : a, origin);
    return;
  }
  // a >= b, or a < b.
  if (b.isFixed() && a.isSymbol())
    symbols.assumeBounds(a, isNot ? 0 : b.value(),
                         isNot ? b.value() - 1 : ExtentRange::kUnbounded,
                         origin);
  else if (a.isFixed() && b.isSymbol())
    symbols.assumeBounds(b, isNot ? a.value() + 1 : 0,
                         isNot ? ExtentRange::kUnbounded : a.value(), origin);
}
