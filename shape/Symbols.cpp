//===- Symbols.cpp - named extents and what is known of them --------------===//
//
// Part of Broadloom, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "shape/Symbols.h"

#include <algorithm>

namespace broadloom {

ExtentRange ExtentRange::intersect(ExtentRange other) const {
  ExtentRange both{std::max(lo, other.lo), std::min(hi, other.hi),
                   notOne || other.notOne};
  if (both.notOne && both.lo == 1 && both.hi > 1)
    both.lo = 2;
  if (both.notOne && both.hi == 1 && both.lo < 1)
    both.hi = 0;
  return both;
}

static bool sameRange(ExtentRange a, ExtentRange b) {
  return a.lo == b.lo && a.hi == b.hi && a.excludesOne() == b.excludesOne();
}

//===----------------------------------------------------------------------===//
// Names and classes
//===----------------------------------------------------------------------===//

Extent Symbols::create(std::string_view name) {
  auto id = static_cast<SymbolId>(parents_.size());
  parents_.push_back(id);
  classes_.emplace_back();
  classes_.back().smallest = id;
  names_.emplace_back(name);
  return Extent::symbol(id);
}

Extent Symbols::named(std::string_view name) {
  auto found = byName_.find(name);
  if (found != byName_.end())
    return Extent::symbol(found->second);
  Extent symbol = create(name);
  byName_.emplace(name, symbol.symbolId());
  return symbol;
}

std::string Symbols::name(SymbolId id) const {
  if (id < names_.size() && !names_[id].empty())
    return names_[id];
  std::string text = "s" + std::to_string(id);
  // The generated name must differ from a user's own, such as `s3`.
  while (byName_.count(text))
    text += '_';
  return text;
}

SymbolId Symbols::find(SymbolId id) const {
  while (parents_[id] != id)
    id = parents_[id];
  return id;
}

SymbolId Symbols::representative(SymbolId id) const {
  return classes_[find(id)].smallest;
}

bool Symbols::isKnown(Extent extent) const {
  return extent.isSymbol() && extent.symbolId() < parents_.size();
}

Extent Symbols::resolve(Extent extent) const {
  if (!isKnown(extent))
    return extent;
  const Class &known = classes_[find(extent.symbolId())];
  return known.range.isConstant() ? Extent::fixed(known.range.lo)
                                  : Extent::symbol(known.smallest);
}

ExtentRange Symbols::range(Extent extent) const {
  if (extent.isFixed())
    return {extent.value(), extent.value(), extent.value() != 1};
  // `[n]` is not the number n, and equals no fixed 1 (ext-4).
  if (extent.isScalable())
    return {0, ExtentRange::kUnbounded, true};
  return isKnown(extent) ? classes_[find(extent.symbolId())].range
                         : ExtentRange();
}

int32_t Symbols::lastFact(Extent extent) const {
  return isKnown(extent) ? classes_[find(extent.symbolId())].fact
                         : Answer::kNoFact;
}

std::string_view Symbols::origin(int32_t fact) const {
  if (fact < 0 || static_cast<size_t>(fact) >= origins_.size())
    return {};
  return origins_[static_cast<size_t>(fact)];
}

int32_t Symbols::addFact(std::string_view origin) {
  origins_.emplace_back(origin);
  return static_cast<int32_t>(origins_.size()) - 1;
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

static Answer nothingToRecord() {
  return Answer::unknown("nothing can be recorded about an unnamed extent");
}
static Answer recorded() { return Answer::unknown("it is known from now on"); }

Answer Symbols::narrow(Extent extent, ExtentRange wanted,
                       std::string_view origin) {
  if (!extent.isFixed() && !isKnown(extent))
    return nothingToRecord();
  ExtentRange old = range(extent);
  ExtentRange now = old.intersect(wanted);
  if (now.isEmpty())
    return Answer::refuted("it contradicts what is known", lastFact(extent));
  if (sameRange(old, now))
    return Answer::proved("it is known already", lastFact(extent));
  // A fixed extent's range cannot shrink, so this is a symbol.
  int32_t fact = addFact(origin);
  setRange(find(extent.symbolId()), now, fact);
  propagate(fact);
  return isConsistent() ? recorded()
                        : Answer::refuted("its consequences contradict", fact);
}

Answer Symbols::assumeOne(Extent extent, std::string_view origin) {
  if (extent.isScalable())
    return Answer::refuted("a scalable extent is not 1");
  return narrow(extent, {1, 1, false}, origin);
}

Answer Symbols::assumeNotOne(Extent extent, std::string_view origin) {
  if (extent.isScalable())
    return Answer::proved("a scalable extent is not 1");
  return narrow(extent, {0, ExtentRange::kUnbounded, true}, origin);
}

Answer Symbols::assumeBounds(Extent extent, int64_t lo, int64_t hi,
                             std::string_view origin) {
  return narrow(extent, {std::max<int64_t>(lo, 0), hi, false}, origin);
}

Answer Symbols::assumeEqual(Extent a, Extent b, std::string_view origin) {
  if (a.isScalable() && b.isScalable())
    return a == b ? Answer::proved("the same scalable extent")
                  : Answer::refuted("scalable extents differ");
  if (a.isFixed() && (b.isFixed() || b.isSymbol()))
    std::swap(a, b);
  if (b.isFixed())
    return a.isScalable()
               ? Answer::refuted("a scalable extent equals no fixed one")
               : narrow(a, {b.value(), b.value(), false}, origin);
  if (!isKnown(a) || !isKnown(b))
    return nothingToRecord();
  if (find(a.symbolId()) == find(b.symbolId()))
    return Answer::proved("it is known already", lastFact(a));
  if (range(a).intersect(range(b)).isEmpty())
    return Answer::refuted("it contradicts what is known", lastFact(a));
  int32_t fact = addFact(origin);
  unite(a.symbolId(), b.symbolId(), fact);
  propagate(fact);
  return isConsistent() ? recorded()
                        : Answer::refuted("its consequences contradict", fact);
}

Answer Symbols::assumeCompatible(Extent a, Extent b, std::string_view origin) {
  if (!isKnown(a))
    std::swap(a, b);
  if (!isKnown(a) || (b.isSymbol() && !isKnown(b)) || b.isDynamic())
    return nothingToRecord();
  if (knownCompatible(a, b))
    return Answer::proved("it is known already");
  if (range(a).excludesOne() && range(b).excludesOne())
    return assumeEqual(a, b, origin);
  int32_t fact = addFact(origin);
  auto pair = static_cast<uint32_t>(compatible_.size());
  compatible_.push_back({a, b, fact});
  for (Extent extent : {a, b})
    if (isKnown(extent))
      classes_[find(extent.symbolId())].pairs.push_back(pair);
  trail_.push_back({Change::Kind::Pair});
  pending_.push_back(pair);
  propagate(fact);
  return isConsistent() ? recorded()
                        : Answer::refuted("its consequences contradict", fact);
}

void Symbols::setRange(SymbolId root, ExtentRange range, int32_t fact) {
  Class &known = classes_[root];
  trail_.push_back({Change::Kind::Range, root});
  trail_.back().before.range = known.range;
  trail_.back().before.fact = known.fact;
  known.range = range;
  known.fact = fact;
  pending_.insert(pending_.end(), known.pairs.begin(), known.pairs.end());
}

void Symbols::setInconsistent() {
  if (consistent_)
    trail_.push_back({Change::Kind::Inconsistent});
  consistent_ = false;
}

bool Symbols::unite(SymbolId a, SymbolId b, int32_t fact) {
  a = find(a);
  b = find(b);
  if (a == b)
    return true;
  ExtentRange both = classes_[a].range.intersect(classes_[b].range);
  if (both.isEmpty())
    return false;
  auto weight = [&](SymbolId root) {
    return classes_[root].size + classes_[root].pairs.size();
  };
  if (weight(a) < weight(b))
    std::swap(a, b);
  Class &into = classes_[a], &from = classes_[b];
  // New conclusions from the pairs of a class are possible only if its range
  // changes.
  for (const Class *side : {&into, &from})
    if (!sameRange(side->range, both))
      pending_.insert(pending_.end(), side->pairs.begin(), side->pairs.end());
  trail_.push_back({Change::Kind::Union, a, b, into.pairs.size()});
  Class &before = trail_.back().before;
  before.range = into.range;
  before.fact = into.fact;
  before.smallest = into.smallest;
  before.size = into.size;

  parents_[b] = a;
  into.range = both;
  into.fact = fact;
  into.smallest = std::min(into.smallest, from.smallest);
  into.size += from.size;
  into.pairs.insert(into.pairs.end(), from.pairs.begin(), from.pairs.end());
  return true;
}

void Symbols::propagate(int32_t fact) {
  // This ends, because ranges only shrink, to existing ends or to ends next to
  // 1, and classes only merge.
  while (!pending_.empty()) {
    Pair pair = compatible_[pending_.back()];
    pending_.pop_back();
    concludePair(pair.a, pair.b, fact);
    concludePair(pair.b, pair.a, fact);
  }
}

/// Concludes facts about `b` from the fact that it broadcasts against `a`.
void Symbols::concludePair(Extent a, Extent b, int32_t fact) {
  ExtentRange rangeA = range(a), rangeB = range(b);
  if (!isKnown(b) || !rangeA.excludesOne())
    return;
  SymbolId rootB = find(b.symbolId());
  if (rangeB.excludesOne() && isKnown(a)) {
    if (!unite(a.symbolId(), rootB, fact))
      setInconsistent();
    return;
  }
  // b is 1, unless it can be equal to a; then it is 1 or in a's range.
  ExtentRange allowed{1, 1, false};
  if (rangeB.excludesOne())
    allowed = rangeA;
  else if (!rangeA.intersect(rangeB).isEmpty())
    allowed = {std::min<int64_t>(1, rangeA.lo), std::max<int64_t>(1, rangeA.hi),
               false};
  ExtentRange now = rangeB.intersect(allowed);
  if (now.isEmpty())
    setInconsistent();
  else if (!sameRange(rangeB, now))
    setRange(rootB, now, fact);
}

void Symbols::rollBack(size_t mark) {
  numRollBacks_ += trail_.size() > mark;
  for (; trail_.size() > mark; trail_.pop_back()) {
    const Change &change = trail_.back();
    Class &known = classes_[change.symbol];
    switch (change.kind) {
    case Change::Kind::Union:
      parents_[change.child] = change.child;
      known.smallest = change.before.smallest;
      known.size = change.before.size;
      known.pairs.resize(change.numPairs);
      [[fallthrough]];
    case Change::Kind::Range:
      known.range = change.before.range;
      known.fact = change.before.fact;
      break;
    case Change::Kind::Pair: {
      // Later unions are already undone, so that the pair is the last one of
      // both classes.
      for (Extent extent : {compatible_.back().a, compatible_.back().b})
        if (isKnown(extent))
          classes_[find(extent.symbolId())].pairs.pop_back();
      compatible_.pop_back();
      break;
    }
    case Change::Kind::Join: {
      auto joined = joinedFrom_.find(change.symbol);
      joins_.erase(joined->second);
      joinedFrom_.erase(joined);
      break;
    }
    case Change::Kind::Inconsistent:
      consistent_ = true;
      break;
    }
  }
}

} // namespace broadloom
